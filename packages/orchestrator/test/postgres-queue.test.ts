import { randomUUID } from 'node:crypto';
import {
  connectPostgres,
  createPostgresQueue,
  createPostgresStorage,
  type Database,
  openPglite,
} from '@agent/run-store/postgres';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../src/host/ports.ts';
import { parseQueueEntry, type QueueEntry, sharedQueueRules } from '../src/index.ts';
import { openWorkQueue } from '../src/queue/open-work-queue.ts';
import { Holds } from '../src/state/holds.ts';
import { taskQueueContract } from '../src/testing/index.ts';

let pglite: PGlite | null = null;
afterAll(() => pglite?.close());

/** One for all tests: to start it takes seconds. */
async function openSharedPglite(): Promise<Database> {
  pglite ??= new PGlite();
  return openPglite(pglite);
}

/** PGlite besides in `npm run test:release`. */
const databases: readonly (readonly [name: string, connect: () => Promise<Database>])[] = [
  ['a real server', async () => connectPostgres({ url: await findSharedPostgres() })],
  ...(process.env.TEST_RELEASE === '1' ? ([['PGlite', openSharedPglite]] as const) : []),
];

// To start them takes long where the machine is busy with other tests.
beforeAll(async () => {
  for (const [, connect] of databases) {
    const database = await connect();
    await database.query('SELECT 1');
    await database.close();
  }
});

for (const [name, connect] of databases)
  taskQueueContract({
    name: `the queue in PostgreSQL (${name})`,
    create: async () => {
      const database = await connect();
      const schema = `queue_${randomUUID().replaceAll('-', '')}`;
      const opened: { readonly close: () => Promise<void> }[] = [];
      const open = (concurrency: number) => {
        const queue = createPostgresQueue<QueueEntry>({
          ...{ database, schema, concurrency },
          ...{
            parseEntry: parseQueueEntry,
            rules: { ...sharedQueueRules, takesUp: ({ kind }: QueueEntry) => kind === 'interrupted' },
          },
        });
        opened.push(queue);
        return queue;
      };
      return {
        ...{ open, reopen: open },
        close: async () => {
          for (const { close } of opened) await close();
          await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
          await database.close();
        },
      };
    },
  });

const toEntry = (kind: QueueEntry['kind'], issue: string): QueueEntry => ({
  key: `forge.test github_issue:${issue}`,
  ...{ kind, platform: 'forge.test', runId: kind === 'new' ? null : 'r1' },
});

it('what has begun goes before what has not, and the threads of a repository wait for each other [NX-141]', () => {
  const { toGroup, toPriority } = sharedQueueRules;
  const kinds = (['new', 'retry', 'paused', 'interrupted'] as const).map((kind) =>
    toEntry(kind, 'acme:shop:1'),
  );
  expect(kinds.map(toPriority)).toEqual([0, 101, 102, 103]);
  const groups = ['acme:shop:1', 'Acme:Shop:2', 'acme:till:1'].map((issue) => toGroup(toEntry('new', issue)));
  expect(groups).toEqual(['forge.test acme/shop', 'forge.test acme/shop', 'forge.test acme/till']);
});

it('a task that waits for the requests of its platform is a hold with its end, logged once; what another process had begun does not wait for them [NX-177]', async () => {
  const storage = createPostgresStorage({
    database: await connectPostgres({ url: await findSharedPostgres() }),
    schema: `s${randomUUID().replaceAll('-', '')}`,
  });
  const lines: object[] = [];
  const logger = { ...silentLogger, warn: (fields: object) => void lines.push(fields) };
  const ending = new AbortController();
  let ms = 0;
  const holds = new Holds({ now: () => ms, logger, onChange: () => undefined });
  const open = (waitMs: number) =>
    openWorkQueue(storage, {
      platforms: [
        {
          platform: { host: 'forge.test' },
          runHolds: () => (waitMs === 0 ? [] : [{ cause: 'content_writes', waitMs }]),
        } as never,
      ],
      ...{ readConcurrency: () => 1, once: false },
      ...{ holdMs: () => 0, isPaused: async () => false, isHurried: () => false },
      clock: { now: () => ms, sleep: sleepUnlessShort },
      logger,
      holds,
    });
  const [giving, taking] = [open(0), open(90_000)];
  const begun: string[] = [];
  const work = Promise.withResolvers<void>();
  await giving.add(toEntry('new', 'acme:shop:1'));
  void giving.work(
    async () => {
      await work.promise;
      return { againAfterMs: 0 };
    },
    { signal: ending.signal },
  );
  await expect.poll(() => giving.waiting()).toEqual([]);
  await giving.add(toEntry('new', 'acme:shop:2'));
  const workOn = async ({ key }: QueueEntry) => {
    begun.push(key);
    return 'done' as const;
  };
  void taking.work(workOn, { signal: ending.signal });
  await expect.poll(() => lines).toHaveLength(1);
  const held = { cause: 'content_writes', scope: 'forge.test', by: null, reason: null };
  expect(lines).toEqual([{ ...held, since: '1970-01-01T00:00:00.000Z', until: '1970-01-01T00:01:30.000Z' }]);
  expect(holds.list()).toEqual([{ ...held, since: 0, until: 90_000 }]);
  const closed = giving.close();
  work.resolve();
  await closed;
  await expect.poll(() => begun).toEqual([toEntry('new', 'acme:shop:1').key]);
  ms = 59_999;
  taking.beginWaiting();
  await expect.poll(() => holds.list()).toMatchObject([{ since: 0, until: 150_000 }]);
  expect(lines).toHaveLength(1);
  ending.abort();
  await taking.close();
  await storage.close();
});

/** The moment within which processes ask one after the other passes at once; for the rest somebody has to notify. */
const sleepUnlessShort = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  milliseconds < 100 ? Promise.resolve() : sleepUntilAborted(milliseconds, signal);

const sleepUntilAborted = (_: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });

it('an entry of a queue is read whoever wrote it, and refused where it names no thread', () => {
  const entry = toEntry('interrupted', 'acme:shop:1');
  expect(parseQueueEntry(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
  for (const wrong of [{}, { ...entry, kind: 'other' }, { ...entry, key: 'forge.test nothing' }])
    expect(() => parseQueueEntry(wrong)).toThrow();
});
