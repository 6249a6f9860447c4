import { randomUUID } from 'node:crypto';
import { findSharedPostgres, startProxy } from '@agent/simulators/postgres';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectTestServer, openTestPglite } from '../../test/test-databases.ts';
import { startTimedProcess } from '../../test/timed-process.ts';
import { newRun } from '../testing/store-setup.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Database } from './database.ts';

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
const other = '1c39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e22';

let schema = '';
beforeAll(() => openTestPglite().then(({ close }) => close()));
beforeEach(() => {
  schema = `s${randomUUID().replaceAll('-', '')}`;
});

type TimedProcess = Awaited<ReturnType<typeof startTimedProcess>>;

/** A process with an open run, whose lease was just renewed. */
async function startWorker(database?: Database): Promise<TimedProcess> {
  const worker = await startTimedProcess({ schema, ...(database === undefined ? {} : { database }) });
  await worker.store.open(newRun(uuid));
  await renew(worker);
  return worker;
}

async function renew(worker: TimedProcess): Promise<void> {
  worker.renew();
  // Statements of one connection are answered in their order.
  await worker.storage.notes.read('behind-it');
  worker.statements.length = 0;
}

/** A database that carries out what it is sent, and whose notifications get lost. */
const withoutNotifications = (database: Database): Database => ({
  ...database,
  listen: async () => async () => undefined,
});

/** Asks what a checkpoint asks. */
const check = async ({ storage: { controls, pauseSignal } }: TimedProcess) => ({
  isPaused: await pauseSignal.isSet(),
  verbs: await controls.read(uuid),
});
const nothing = { isPaused: false, verbs: [] };

describe('a checkpoint of a run that is open here', () => {
  it('asks the database nothing while nobody asks anything of the run [NX-164]', async () => {
    const worker = await startWorker();
    for (let count = 0; count < 10; count += 1) expect(await check(worker)).toEqual(nothing);
    expect(worker.statements).toEqual([]);
    await worker.store.open(newRun(other));
    await worker.storage.controls.read(other);
    worker.statements.length = 0;
    // One that was opened since the last renewal is asked about once.
    expect(await worker.storage.controls.read(other)).toEqual([]);
    expect(worker.statements).toEqual([]);
  });

  it('hears a request, and what takes it back, of any process and of its own [NX-165]', async () => {
    const [worker, host] = [await startWorker(), await startTimedProcess({ schema })];
    await host.storage.controls.request(uuid, 'pause');
    expect(await check(worker)).toEqual({ isPaused: false, verbs: ['pause'] });
    await host.storage.controls.request(uuid, 'resume');
    expect(await check(worker)).toEqual({ isPaused: false, verbs: ['resume'] });
    await host.storage.pauseSignal.set();
    expect(await check(worker)).toEqual({ isPaused: true, verbs: ['resume'] });
    await host.storage.pauseSignal.clear();
    await worker.storage.controls.remove(uuid, ['resume']);
    expect(await check(worker)).toEqual(nothing);
    await worker.storage.controls.request(uuid, 'stop');
    expect(await check(worker)).toEqual({ isPaused: false, verbs: ['stop'] });
  });

  it('hears with the next renewal what no notification told, and asks once the lease is over [NX-165]', async () => {
    const worker = await startWorker(withoutNotifications(await openTestPglite()));
    const host = await startTimedProcess({ schema });
    await host.storage.controls.request(uuid, 'stop');
    await host.storage.pauseSignal.set();
    expect(await check(worker)).toEqual(nothing);
    await renew(worker);
    expect(await check(worker)).toEqual({ isPaused: true, verbs: ['stop'] });
    expect(worker.statements).toEqual([]);
    await host.storage.controls.remove(uuid, ['stop']);
    worker.pass(5_001);
    expect(await check(worker)).toEqual({ isPaused: true, verbs: [] });
  });

  it('does not take the answer to an earlier question for news where something was asked since [NX-165]', async () => {
    const database = await openTestPglite();
    const [sent, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isHeldBack = false;
    const worker = await startWorker({
      ...database,
      query: async (text, values) => {
        const rows = await database.query<never>(text, values);
        if (isHeldBack && text.startsWith('UPDATE')) {
          sent.resolve();
          await go.promise;
        }
        return rows;
      },
    });
    isHeldBack = true;
    worker.renew();
    await sent.promise;
    await worker.storage.controls.request(uuid, 'stop');
    go.resolve();
    await worker.storage.notes.read('behind-it');
    expect(await check(worker)).toEqual({ isPaused: false, verbs: ['stop'] });
  });

  it('hears what was said while its process did not listen, as soon as it listens again [NX-165]', async () => {
    const url = new URL(await findSharedPostgres());
    const proxy = await startProxy({ port: Number(url.port) });
    const through = Object.assign(new URL(url), { port: String(proxy.port) });
    const database = await connectPostgres({ url: through.href, sleep: async () => undefined });
    const worker = await startWorker(database);
    const host = await startTimedProcess({ schema, database: await connectTestServer() });
    const again = Promise.withResolvers<void>();
    await worker.storage.signals.subscribe('bell', { onMessage: () => undefined, onGap: again.resolve });
    proxy.set('refuses');
    await host.storage.controls.request(uuid, 'stop');
    await host.storage.pauseSignal.set();
    proxy.set(null);
    await again.promise;
    expect(await check(worker)).toEqual({ isPaused: true, verbs: ['stop'] });
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
    await worker.storage.close();
    await host.storage.close();
    await proxy.close();
  });
});
