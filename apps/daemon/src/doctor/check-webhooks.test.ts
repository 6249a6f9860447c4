import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/load-config.ts';
import { collectSecrets } from '../config/settings.ts';
import { checkWebhooks } from './check-settings.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';

const platforms = 'platforms: { github: { repositories: [acme/shop] }, gitlab: { projects: [acme/shop] } }\n';
const long = '0123456789abcdef';

function examine(text: string, environment: Readonly<Record<string, string>>): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (finding: Finding) => void findings.push(finding);
  checkWebhooks({ texts: en, report }, { settings: parseConfig(platforms + text, 'test'), environment });
  return findings;
}

const statuses = (findings: readonly Finding[]) => findings.map(({ status }) => status);

describe('doctor, of webhooks', () => {
  it('says that they are off and which variable would switch them on, which is nothing to fix', () => {
    const findings = examine('', { GITHUB_WEBHOOK_SECRET: ' ' });
    expect(statuses(findings)).toEqual(['ok', 'ok']);
    expect(findings.map(({ text }) => text).join()).toMatch(/GITHUB_WEBHOOK_SECRET .*GITLAB_WEBHOOK_TOKEN /);
  });

  it('says where they are delivered to', () => {
    const findings = examine('http: { port: 9464 }\nwebhooks: { github: { secret_env: HOOK } }', {
      HOOK: long,
    });
    expect(statuses(findings)).toEqual(['ok', 'ok']);
    expect(findings[0]?.text).toContain('http://127.0.0.1:9464/webhooks/github');
  });

  it('warns of a secret without a port, and of one that is short', () => {
    expect(examine('', { GITHUB_WEBHOOK_SECRET: long })).toMatchObject([
      { status: 'warning', fix: expect.stringContaining('http.port') },
      { status: 'ok' },
    ]);
    expect(examine('http: { port: 1 }', { GITLAB_WEBHOOK_TOKEN: 'short' })).toMatchObject([
      { status: 'ok' },
      { status: 'warning', fix: expect.stringContaining('16') },
    ]);
  });
});

describe('secrets of webhooks', () => {
  it('are taken out of everything that leaves, whatever their variables are called [NX-7]', () => {
    const text = `${platforms}webhooks: { github: { secret_env: HOOK }, gitlab: { token_env: BELL } }`;
    const secrets = collectSecrets(parseConfig(text, 'test'), { HOOK: 'one', BELL: 'two', OTHER: 'three' });
    expect(secrets).toEqual(['one', 'two']);
  });
});
