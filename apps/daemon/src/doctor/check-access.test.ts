import { expect, it } from 'vitest';
import { configSchema } from '../config/schema.ts';
import { type AccessSettings, checkAccess } from './check-access.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

const secret = 'secret-of-the-proxy-0001';
const proxy = { header: 'X-User', secret_env: 'PROXY_SECRET' };

async function check(
  http: object,
  change: Partial<AccessSettings> = {},
): Promise<readonly (readonly [string, string])[]> {
  const findings: Finding[] = [];
  const settings = {
    http: configSchema.shape.http.unwrap().parse({ port: 8080, ...http }),
    ...({ sandbox: 'required', directory: '/nonexistent', environment: { PROXY_SECRET: secret } } as const),
    ...change,
  };
  for (const texts of [en, ja])
    await checkAccess({ texts, report: (one) => void findings.push(one) }, settings);
  expect(findings.every(({ fix, area }) => fix !== null && area === 'http')).toBe(true);
  return findings.slice(0, findings.length / 2).map(({ status, text }) => [status, text]);
}

it('The doctor accepts a web UI on this machine, and one behind a proxy with a secret', async () => {
  expect(await check({})).toEqual([]);
  expect(await check({ page: { proxy } })).toEqual([]);
  expect(await check({ host: '0.0.0.0' })).toEqual([]);
});

it('The doctor refuses a proxy whose secret commands could read', async () => {
  for (const sandbox of ['off', 'external'] as const)
    expect(await check({ page: { proxy } }, { sandbox })).toEqual([
      ['failed', expect.stringContaining('can act in the web UI as any user')],
    ]);
});

it('The doctor refuses task titles that other machines can read without a login', async () => {
  expect(await check({ host: '0.0.0.0', page: { enabled: false } })).toEqual([
    ['failed', expect.stringContaining('without a login')],
  ]);
});

it('The doctor refuses secrets that are missing', async () => {
  const http = { page: { proxy }, metrics_token_file: 'metrics-token' };
  expect(await check(http, { environment: {} })).toEqual([
    ['failed', expect.stringContaining('PROXY_SECRET must be set')],
  ]);
  expect(await check(http)).toEqual([['failed', expect.stringContaining('cannot be read (ENOENT)')]]);
});
