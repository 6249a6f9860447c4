import { describe, expect, it } from 'vitest';
import type { RunDriver, RunHandle, TakenRun } from '../src/driver.ts';
import type { MessageLike } from '../src/journal-model.ts';
import { guardStore } from '../src/ownership/guard-store.ts';
import type { RecordWriter } from '../src/record/record-writer.ts';
import type { RecordSource } from '../src/record/run-record.ts';
import { createRunStore } from '../src/store/create-run-store.ts';
import { type MemoryPlace, runStoreContract } from '../src/testing/index.ts';
import { MemoryRunDriver } from '../src/testing/memory/memory-driver.ts';
import { createMemoryStoreFixture } from './memory-store-fixture.ts';

type Spoil = (driver: RunDriver, place: MemoryPlace) => Partial<RunDriver>;

/** Changes each run that a driver creates or takes. */
const withTaken = (driver: RunDriver, change: (run: TakenRun) => TakenRun): Partial<RunDriver> => ({
  create: async (run) => {
    const taken = await driver.create(run);
    return taken === null ? null : change(taken);
  },
  take: async (uuid, from) => change(await driver.take(uuid, from)),
});

/** Changes what appends behind the end of a record. */
const withWriter = (driver: RunDriver, change: (writer: RecordWriter, run: TakenRun) => RecordWriter) =>
  withTaken(driver, (run) => ({
    ...run,
    openWriter: async (...given) => {
      const { record, follower } = await run.openWriter(...given);
      return { record: change(record, run), follower };
    },
  }));

/** Changes each run that a driver finds. */
const withHandles = (
  driver: RunDriver,
  change: (run: RunHandle) => Partial<RunHandle>,
): Partial<RunDriver> => ({
  find: async (uuid) => {
    const run = await driver.find(uuid);
    return run === null ? null : { ...run, ...change(run) };
  },
});

/** Changes what is read of the records. */
const withRecord = (
  driver: RunDriver,
  change: (record: RecordSource) => RecordSource,
): Partial<RunDriver> => ({
  ...withTaken(driver, (run) => ({ ...run, record: change(run.record) })),
  ...withHandles(driver, (run) => ({ record: change(run.record) })),
});

/** Fault of a driver, and the case of the contract that has to notice it. */
const wrongDrivers: readonly (readonly [fault: string, noticedBy: RegExp, spoil: Spoil])[] = [
  [
    'creates a run beside another one that has to be alone',
    /to be alone where no other/,
    (driver) => ({ create: (run) => driver.create({ ...run, alone: false }) }),
  ],
  [
    'creates a run again that is there',
    /opened again as it was made/,
    (driver, place) => ({
      create: (run) => {
        place.runs.delete(run.metadata.uuid);
        return driver.create(run);
      },
    }),
  ],
  [
    'does not find a run that waits',
    /unknown, waits or has ended/,
    (driver) => withHandles(driver, ({ place }) => ({ place: place === 'paused' ? 'running' : place })),
  ],
  [
    'acknowledges a line before it is written',
    /acknowledged before, and continues/,
    (driver) => {
      let write = async () => {};
      return withWriter(driver, ({ append, position }) => ({
        position,
        append: async (body) => {
          await write();
          write = () => append(body);
        },
      }));
    },
  ],
  [
    'writes a line again if its write failed',
    /holds at most once/,
    (driver, place) =>
      withWriter(driver, ({ append, position }, { uuid }) => ({
        position,
        append: (body) =>
          append(body).catch((error: unknown) => {
            place.runs.get(uuid)?.append(body, null);
            throw error;
          }),
      })),
  ],
  [
    'acknowledges a line that was refused',
    /acknowledges nothing that was refused/,
    (driver) =>
      withWriter(driver, ({ append, position }) => ({
        position,
        append: (body) => append(body).catch(() => undefined),
      })),
  ],
  [
    'refuses to replace a line that was stored without an answer',
    /stored without an answer/,
    (driver, place) =>
      withWriter(driver, ({ append, position }, { uuid }) => ({
        position,
        append: async (body) => {
          if (place.runs.get(uuid)?.position.line !== position().line) throw new Error('The line exists.');
          await append(body);
        },
      })),
  ],
  [
    'names the same end after each line',
    /place of the last line/,
    (driver) => withWriter(driver, ({ append }) => ({ append, position: () => ({ line: 1, check: '' }) })),
  ],
  [
    'reads a record from its beginning instead of from where the last reading ended',
    /pauses a run, and resumes it/,
    (driver) =>
      withRecord(driver, (record) => ({
        ...record,
        readChain: (options) => record.readChain({ ...options, from: undefined }),
      })),
  ],
  [
    'reads a record without its second line',
    /acknowledged before, and continues/,
    (driver) =>
      withRecord(driver, (record) => ({
        ...record,
        readChain: async function* (options) {
          for await (const lines of record.readChain(options)) yield lines.filter(({ line }) => line !== 2);
        },
      })),
  ],
  [
    'does not append that a process opens a run',
    /consecutive processes that crashed/,
    (driver) => withTaken(driver, (run) => ({ ...run, begin: async () => {} })),
  ],
  ['leaves a run where it is instead of moving it', /where it lies/, () => ({ move: async () => {} })],
  [
    'lists a run without its end',
    /with its outcome, until its last intent/,
    (driver) => ({
      list: async (place) => {
        const { found, damaged } = await driver.list(place);
        return { found: found.map((run) => ({ ...run, outcome: null })), damaged };
      },
    }),
  ],
  [
    'lists a run without its pause',
    /as one to be completed/,
    (driver) => ({
      list: async (place) => {
        const { found, damaged } = await driver.list(place);
        return { found: found.map((run) => ({ ...run, pause: null })), damaged };
      },
    }),
  ],
  [
    'reads facts without the end of a run',
    /none of a run that has ended/,
    (driver) =>
      withHandles(driver, (run) => ({
        readFacts: async () => ({ ...(await run.readFacts()), outcome: null }),
      })),
  ],
  [
    'does not append the result of an intent to a run that waits',
    /outbox of a run that waits/,
    (driver) =>
      withHandles(driver, (run) => ({
        append: async (fact) => (fact.name === 'settled' ? undefined : run.append(fact)),
      })),
  ],
  ['indexes nothing', /once it was indexed/, () => ({ index: async () => {} })],
  [
    'stores the values of all runs in one place',
    /values of two runs apart/,
    (driver) => {
      let first: string | null = null;
      return {
        openState: (uuid, options) => {
          first ??= uuid;
          return driver.openState(first, options);
        },
      };
    },
  ],
];

describe('the contract of a store of runs', () => {
  it.each(wrongDrivers)('notices a driver that %s', async (_, noticedBy, spoil) => {
    const tests = runStoreContract({
      create: async ({ now }) => {
        const { place, start, close } = await createMemoryStoreFixture({ now });
        return { close, start: async () => withDriver(await start(), { place, now, spoil }) };
      },
    });
    const named = tests.filter(({ name }) => noticedBy.test(name));
    expect(named).toHaveLength(1);
    await expect(named[0]?.run()).rejects.toMatchObject({ code: 'ERR_ASSERTION' });
  });
});

type Process = Awaited<ReturnType<Awaited<ReturnType<typeof createMemoryStoreFixture>>['start']>>;

interface World {
  readonly place: MemoryPlace;
  readonly now: () => number;
  readonly spoil: Spoil;
}

/** Lets the store of a process work over a driver that is spoiled. */
function withDriver(process: Process, { place, now, spoil }: World): Process {
  const { owner } = process;
  const driver = new MemoryRunDriver({ place, now, owner: owner.number });
  const parseMessage = (json: unknown) => json as MessageLike;
  const store = createRunStore({ ...driver, ...spoil(driver, place) }, { parseMessage, now });
  return { ...process, store: guardStore(store, owner.guard) };
}
