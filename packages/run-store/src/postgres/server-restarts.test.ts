// @module-tag full
import { startPostgres } from '@agent/simulators/postgres';
import { expect, it } from 'vitest';
import { newRun, parseMessage, says, toArray } from '../testing/store-setup.ts';
import { connectPostgres } from './connect-postgres.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';

it('goes on over an end of the server, orderly or not, with each line once [NX-148, NX-149]', async () => {
  const server = await startPostgres({ settings: { fsync: 'on' } });
  // Whoever waits for the server starts it.
  const sleep = () => server.start();
  const database = await connectPostgres({ url: server.url, sleep });
  const storage = createPostgresStorage({ database, repeat: () => () => undefined });
  const owner = await storage.members.acquire();
  const { journal } = await storage.openStore({ owner, parseMessage }).open(newRun(uuid));
  for (const how of ['fast', 'immediate'] as const) {
    await journal.append(says('user', `before ${how}`));
    await server.stop(how);
    await journal.append(says('user', `after ${how}`));
  }
  const texts = (await toArray(journal.read())).map(
    (entry) => entry.type === 'message' && entry.message.content,
  );
  expect(texts).toEqual(['before fast', 'after fast', 'before immediate', 'after immediate']);
  await owner.requireOwned();
  await storage.close();
  await server.remove();
});
