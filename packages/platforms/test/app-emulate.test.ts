// @module-tag full
import { generateKeyPairSync } from 'node:crypto';
import { createEmulator } from 'emulate';
import { expect, it, onTestFinished } from 'vitest';
import { createAppCredential } from '../src/credentials/index.ts';
import { createGitHubPlatform } from '../src/github/index.ts';
import { freePort } from './fixtures/emulate-fixture.ts';

const app = { app_id: 12345, slug: 'my-agent', name: 'My Agent' };
const permissions = { contents: 'write', issues: 'write', metadata: 'read' };

it('an App signs, finds its installation and works with its token on the GitHub of others, too [NX-201, NX-202]', async () => {
  const installation = { installation_id: 100, account: 'octo', permissions };
  const emulator = await createEmulator({
    service: 'github',
    port: await freePort(),
    seed: {
      github: {
        users: [{ login: 'octo' }],
        repos: [{ owner: 'octo', name: 'hello', auto_init: true }],
        apps: [{ ...app, permissions, installations: [installation] }],
      },
    },
  });
  onTestFinished(() => emulator.close());
  const { value: key = '' } = emulator.generatedSecrets.find(({ id }) => id === '12345') ?? {};
  const issued: string[] = [];
  const token = createAppCredential({
    appId: app.app_id,
    privateKey: () => key,
    installation: 'octo/hello',
    baseUrl: emulator.url,
    onToken: ({ value }) => issued.push(value),
  });
  const { endsAt } = await token.token();
  expect((endsAt ?? 0) - Date.now()).toBeGreaterThan(50 * 60_000);
  expect(await token.login()).toBe('my-agent[bot]');
  const options = { baseUrl: emulator.url, repositories: ['octo/hello'], writeSpacingMs: 0 };
  const platform = createGitHubPlatform({ token, ...options });
  expect((await platform.tasks.listTasks({ label: null, assignee: null, state: 'open' })).tasks).toEqual([]);
  // One for whom it is asked for, and one of this repository alone.
  expect(issued).toHaveLength(2);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const forged = createAppCredential({
    ...{ appId: app.app_id, privateKey: () => other, installation: 100, baseUrl: emulator.url },
  });
  await expect(forged.token()).rejects.toMatchObject({ code: 'unauthorized' });
});
