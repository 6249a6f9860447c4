import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectTestServer } from '../../test/test-databases.ts';
import type { RunStorage } from '../storage.ts';
import { newRun, parseMessage, says, type TestMessage } from '../testing/store-setup.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
const ending = new AbortController();
let names: readonly [string, string];
let clusters: readonly [RunStorage, RunStorage];

async function open(schema: string): Promise<RunStorage> {
  return createPostgresStorage({
    database: await connectTestServer(),
    schema,
    repeat: () => () => undefined,
  });
}

beforeEach(async () => {
  // The longest names that there are, which differ in their last letter.
  const shared = `s${randomUUID().replaceAll('-', '')}`.padEnd(39, '0');
  names = [`${shared}a`, `${shared}b`];
  clusters = [await open(names[0]), await open(names[1])];
});
afterEach(async () => {
  for (const { close } of clusters) await close();
  const database = await connectTestServer();
  for (const name of names)
    for (const schema of [name, `${name}_queue`])
      await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await database.close();
});

it('two clusters on one database, each in a schema of its own, share nothing: no run, no lock, no message, no entry, no lead [NX-174]', async () => {
  const [one, other] = clusters;
  const owner = await one.members.acquire();
  const alone = await other.members.acquire({ exclusive: true });
  expect([(await one.members.list()).length, (await other.members.list()).length]).toEqual([1, 1]);
  await owner.guard(async () => alone.guard(async () => undefined));

  const heard: unknown[] = [];
  const listener = { onMessage: (message: unknown) => void heard.push(message), onGap: () => undefined };
  await one.signals.subscribe('bells', listener);
  await other.signals.publish('bells', 'of the other');
  await one.signals.publish('bells', 'own');
  await expect.poll(() => heard).toEqual(['own']);

  const stores = [owner, alone].map((number, index) =>
    (clusters[index] as RunStorage).openStore<TestMessage>({ owner: number, parseMessage }),
  );
  for (const store of stores) await (await store.open(newRun(uuid))).journal.append(says('user', 'one'));
  await one.controls.request(uuid, 'stop');
  await one.pauseSignal.set();
  expect([await other.controls.read(uuid), await other.pauseSignal.isSet()]).toEqual([[], false]);

  const worked: string[] = [];
  const queues = clusters.map(({ sharing }) =>
    sharing?.openQueue<{ readonly key: string }>({
      ...{ concurrency: 1, rules: { toGroup: () => 'one' }, limits: { all: 1 } },
      parseEntry: (json) => json as { readonly key: string },
    }),
  );
  const held = Promise.withResolvers<'done'>();
  expect(await queues[0]?.add({ key: 'a#1' })).toBe('added');
  expect(await queues[1]?.add({ key: 'a#1' })).toBe('added');
  const working = queues.map((queue, index) =>
    queue?.work(
      async ({ key }) => {
        worked.push(`${key} of ${index}`);
        return held.promise;
      },
      { signal: ending.signal, untilEmpty: true },
    ),
  );
  // Each has the one place that there is for all of its own.
  await expect.poll(() => worked.toSorted()).toEqual(['a#1 of 0', 'a#1 of 1']);
  held.resolve('done');
  await Promise.all(working);
  for (const queue of queues) await queue?.close();

  const leads = clusters.map(({ sharing }) => sharing?.lead('look'));
  expect(await Promise.all(leads.map((lead) => lead?.isLeading()))).toEqual([true, true]);
  for (const lead of leads) await lead?.resign();
  for (const one of [owner, alone]) await one.release();
});
