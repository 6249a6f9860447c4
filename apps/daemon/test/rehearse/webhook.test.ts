// @module-tag full
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { writeRehearsalConfig } from '../../src/rehearse/rehearsal-config.ts';
import { en } from '../../src/rehearse/texts.en.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { type RehearsalFixture, repository, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

const secret = 'a secret of the webhook in tests 0001';

it.each([
  [secret, 'passed', /arrived/],
  ['another secret than that of the daemon', 'failed', /secret/],
] as const)('finds out whether a webhook with the secret "%s" arrives', async (given, status, says) => {
  const port = await findFreePort();
  const at = await startRehearsalFixture({
    forge: 'github',
    config: { http: { port } },
    environment: { GITHUB_WEBHOOK_SECRET: secret },
  });
  fixture = at;
  const onResult = async ({ name }: { readonly name: string }) => {
    if (name !== 'stop') return;
    const comment = at.forge.thread('#1').comments.find(({ author }) => author === 'alice');
    const news = { commentId: String(comment?.id), change: 'created' } as const;
    const delivery = at.forge.composeDelivery(news, given);
    await fetch(`http://127.0.0.1:${port}/webhooks/github`, { method: 'POST', ...delivery });
  };
  const { output } = await at.rehearse({}, { onResult: (result) => void onResult(result) });
  expect(at.checkOf('webhook'), output).toMatchObject({ status, text: expect.stringMatching(says) });
});

it('creates nothing while another process listens on the port of the webhooks', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  fixture = await startRehearsalFixture({
    forge: 'github',
    config: { http: { port } },
    environment: { GITHUB_WEBHOOK_SECRET: secret },
  });
  const { code, errors } = await fixture.rehearse();
  other.close();
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(`127.0.0.1:${port}`) });
  expect(errors).toContain('Stop the daemon');
  expect(fixture.forge.threads()).toEqual([]);
  expect(await fixture.listFiles()).toEqual(['agent.config.yaml']);
});

it('leaves the web UI off that the configuration turns off', async () => {
  fixture = await startRehearsalFixture({
    forge: 'github',
    config: { http: { port: await findFreePort(), page: { enabled: false } } },
    environment: { GITHUB_WEBHOOK_SECRET: secret },
  });
  const { configFile: config, environment } = fixture;
  const written = await writeRehearsalConfig({ config, repository, environment, pollSeconds: 1, texts: en });
  await written.remove();
  expect(written.hasWebhook).toBe(true);
  expect(written.loaded.config.http.page.enabled).toBe(false);
});
