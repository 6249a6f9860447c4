import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../host/ports.ts';
import { platformsSchema } from './table.ts';
import { listWebhookSettings, openWebhooks, webhooksSchema, webhookVariableOf } from './webhooks.ts';

const sections = {
  platforms: platformsSchema.parse({
    github: { repositories: ['octo/hello'] },
    gitlab: { projects: ['acme/tools/shop'] },
    board: { module: './board.mjs' },
  }),
  webhooks: webhooksSchema.parse({ gitlab: { token_env: 'BELL' } }),
};

describe('the section `webhooks`', () => {
  it('names the variable of each built-in platform, and no other platform has webhooks', () => {
    const settings = listWebhookSettings(sections, { BELL: ' word ', GITHUB_WEBHOOK_SECRET: ' ' });
    expect(settings.map(({ path, variable, secret }) => ({ path, variable, secret }))).toEqual([
      { path: '/webhooks/github', variable: 'GITHUB_WEBHOOK_SECRET', secret: null },
      { path: '/webhooks/gitlab', variable: 'BELL', secret: 'word' },
    ]);
    expect(webhookVariableOf('gitlab', sections.webhooks)).toBe('BELL');
  });

  it('opens an address that refuses what is forged, and none of a platform without a secret', async () => {
    const rung: unknown[] = [];
    const [gitHub, gitLab] = await openWebhooks({
      settings: sections,
      environment: { BELL: 'Nobody shall know this token' },
      bell: { ring: (ring) => rung.push(ring) },
      wake: () => {},
      logger: silentLogger,
    });
    expect(gitHub).toMatchObject({ path: '/webhooks/github', handle: null });
    const forged = new Request('http://agent.example/webhooks/gitlab', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gitlab-token': 'guessed',
        'x-gitlab-event': 'Note Hook',
      },
      body: '{}',
    });
    expect((await gitLab?.handle?.(forged))?.status).toBe(401);
    expect(rung).toEqual([]);
  });

  it('hears a repository that was added, and one that was taken out no more [NX-354, NX-357]', async () => {
    const secret = 'It is a secret to everybody';
    let platforms = sections.platforms;
    const rung: string[] = [];
    const [gitHub] = await openWebhooks({
      settings: sections,
      readSections: () => platforms,
      environment: { GITHUB_WEBHOOK_SECRET: secret },
      bell: { ring: ({ key }) => rung.push(JSON.stringify(key)) },
      wake: () => {},
      logger: silentLogger,
    });
    const deliver = async (repository: string) => {
      const body = JSON.stringify({
        action: 'created',
        repository: { full_name: repository },
        issue: { number: 7 },
        comment: { id: 41, updated_at: '2026-01-02T03:04:05Z' },
      });
      const headers = {
        'content-type': 'application/json',
        'x-github-event': 'issue_comment',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      };
      const request = new Request('http://agent.example/webhooks/github', { method: 'POST', headers, body });
      return (await gitHub?.handle?.(request))?.text();
    };
    expect(await deliver('octo/hello')).toBe('Received.\n');
    expect(await deliver('octo/added')).toContain('Ignored');
    platforms = platformsSchema.parse({ github: { repositories: ['octo/added'] } });
    expect(await deliver('octo/added')).toBe('Received.\n');
    expect(await deliver('octo/hello')).toContain('Ignored');
    expect(rung).toHaveLength(2);
  });
});
