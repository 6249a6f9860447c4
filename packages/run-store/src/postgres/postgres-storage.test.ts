import { randomUUID } from 'node:crypto';
import { findSharedPostgres, startProxy } from '@agent/simulators/postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { databasesToTry } from '../../test/test-databases.ts';
import type { RunStorage } from '../storage.ts';
import { runStorageContract } from '../testing/contract/run-storage-contract.ts';
import { end, newRun, parseMessage } from '../testing/store-setup.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Database } from './database.ts';
import { createPostgresStorage } from './postgres-storage.ts';

const waiting = '10000000-0000-4000-8000-000000000001';
const late = '20000000-0000-4000-8000-000000000002';
const toName = () => `s${randomUUID().replaceAll('-', '')}`;

function createFixture(connect: () => Promise<Database>, now: () => number) {
  const schema = toName();
  const opened: RunStorage[] = [];
  return {
    open: async () => {
      const storage = createPostgresStorage({ database: await connect(), schema, now });
      opened.push(storage);
      return storage;
    },
    close: async () => {
      for (const storage of opened) await storage.close();
      const database = await connect();
      await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await database.close();
    },
  };
}

describe.each(databasesToTry)('a storage in %s', (_, connect) => {
  beforeAll(() => connect().then(({ close }) => close()));
  const create = async ({ now }: { now: () => number }) => createFixture(connect, now);
  for (const { name, run } of runStorageContract({ create })) it(name, run);

  it('removes runs by the day on which they ended, however many they are', async () => {
    let time = Date.parse('2026-01-02T03:04:05Z');
    const { open, close } = createFixture(connect, () => time);
    const storage = await open();
    const store = storage.openStore({ owner: await storage.members.acquire(), parseMessage });
    const uuids = Array.from(
      { length: 101 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    );
    for (const uuid of uuids) {
      await (await store.open(newRun(uuid))).journal.finish(end);
      await store.finish(uuid);
    }
    await store.open(newRun(waiting));
    time += 10 * 24 * 60 * 60 * 1_000;
    expect(await storage.upkeep.cleanUp({ keepDays: 11 })).toEqual([]);
    expect((await storage.upkeep.cleanUp({ keepDays: 8 })).toSorted()).toEqual(uuids);
    expect(await storage.upkeep.cleanUp({ keepDays: 8 })).toEqual([]);
    expect(await storage.openReader({ parseMessage }).listKept()).toEqual(new Set([waiting]));
    await close();
  });
});

describe('processes of one cluster', () => {
  it('begin one run on a thread, though the statement that makes another arrives late, when nobody who asked would have known of it [NX-140]', async () => {
    const url = new URL(await findSharedPostgres());
    const [held, arrived] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
    const sent = (chunk: Buffer): boolean | Promise<boolean> => {
      if (!chunk.includes(late)) return true;
      arrived.resolve();
      return held.promise;
    };
    const watch = () => ({ sent, answered: () => true });
    const proxy = await startProxy({ port: Number(url.port), watch });
    const throughProxy = Object.assign(new URL(url), { port: String(proxy.port) }).href;
    const schema = toName();
    const open = async (address: string) => {
      const database = await connectPostgres({ url: address });
      const storage = createPostgresStorage({ database, schema });
      const owner = await storage.members.acquire();
      return { storage, store: storage.openStore({ owner, parseMessage }), release: owner.release };
    };
    const [cutOff, other] = [await open(throughProxy), await open(url.href)];
    const begun = cutOff.store.open(newRun(late), { alone: true });
    const refused = expect(begun).rejects.toMatchObject({ code: 'owned' });
    await arrived.promise;
    await other.store.open(newRun(waiting), { alone: true });
    held.resolve(true);
    await refused;
    expect([...(await other.storage.openReader({ parseMessage }).listKept())]).toEqual([waiting]);
    for (const { release, storage } of [cutOff, other]) {
      await release();
      await storage.close();
    }
    await proxy.close();
  });

  it('carry messages to each other, and are told of a gap once the connection was lost', async () => {
    const url = new URL(await findSharedPostgres());
    const proxy = await startProxy({ port: Number(url.port) });
    const through = Object.assign(new URL(url), { port: String(proxy.port) });
    const schema = toName();
    const open = async (address: URL) =>
      createPostgresStorage({
        database: await connectPostgres({ url: address.href, sleep: async () => undefined }),
        schema,
      });
    const [one, two] = [await open(through), await open(url)];
    const [heard, gap] = [Promise.withResolvers<unknown>(), Promise.withResolvers<void>()];
    await one.signals.subscribe('bells', { onMessage: heard.resolve, onGap: gap.resolve });
    proxy.set('refuses');
    proxy.set(null);
    await gap.promise;
    await two.signals.publish('bells', 'ring');
    expect(await heard.promise).toBe('ring');
    await one.close();
    await two.close();
    await proxy.close();
  });
});
