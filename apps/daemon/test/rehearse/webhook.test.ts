// @module-tag full
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type RehearsalBed, startRehearsalBed } from './rehearsal-bed.ts';

let bed: RehearsalBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

const secret = 'a secret of the webhook in tests 0001';

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

it.each([
  [secret, 'passed', /arrived/],
  ['another secret than that of the daemon', 'failed', /secret/],
] as const)('finds out whether a webhook with the secret "%s" arrives', async (given, status, says) => {
  const port = await findFreePort();
  const at = await startRehearsalBed({
    forge: 'github',
    config: { http: { port } },
    environment: { GITHUB_WEBHOOK_SECRET: secret },
  });
  bed = at;
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
