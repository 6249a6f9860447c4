import { describe, expect, it } from 'vitest';
import type { MessageLike, OpenRun, RunJournal } from '../src/index.ts';
import { formatFact } from '../src/lines/record-line.ts';
import {
  createMemoryRunStore,
  type MemoryPlace,
  recordDamageContract,
  runStoreContract,
  type StoreProcess,
} from '../src/testing/index.ts';
import { toArray } from '../src/testing/store-setup.ts';
import { createFileStoreFixture } from './file-store-fixture.ts';
import { createMemoryStoreFixture } from './memory-store-fixture.ts';

type Run = OpenRun<MessageLike>;
type Journal = RunJournal<MessageLike>;
type Spoil = (process: StoreProcess, world: { place: MemoryPlace; now: () => number }) => StoreProcess;

/** Changes each run that a store opens. */
function withRuns(process: StoreProcess, change: (run: Run) => Run): StoreProcess {
  const { store } = process;
  return {
    ...process,
    store: {
      ...store,
      open: async (run) => change(await store.open(run)),
      restore: async (uuid) => change(await store.restore(uuid)),
    },
  };
}

/** Changes the journal of each run. */
const withJournals = (process: StoreProcess, change: (journal: Journal, run: Run) => Partial<Journal>) =>
  withRuns(process, (run) => ({ ...run, journal: { ...run.journal, ...change(run.journal, run) } }));

const lateByOne: Spoil = (process) => {
  let waiting = async (): Promise<unknown> => undefined;
  const flush = async () => {
    const write = waiting;
    waiting = async () => undefined;
    await write();
  };
  return withJournals(process, (journal) => {
    let count = 0;
    return {
      append: async (event) => {
        await flush();
        waiting = () => journal.append(event);
        count += event.type === 'message' ? 1 : 0;
        return count;
      },
      replaceContext: async (...given) => {
        await flush();
        await journal.replaceContext(...given);
      },
    };
  });
};

/** What a store does wrong, and the case that has to notice. */
const wrongStores: readonly (readonly [wrong: string, noticedBy: RegExp, spoil: Spoil])[] = [
  ['acknowledges a line before it is written', /acknowledged before, and continues/, lateByOne],
  [
    'loses the last line in a crash',
    /acknowledged before, and continues/,
    (process, { place }) => ({
      ...process,
      kill: async () => {
        for (const run of place.runs.values()) run.lines.pop();
      },
    }),
  ],
  [
    'repeats a write that failed',
    /holds at most once/,
    (process) =>
      withJournals(process, ({ append }, { metadata }) => ({
        append: (event) =>
          append(event).catch(async (error: unknown) => {
            await (await process.store.restore(metadata.uuid)).journal.append(event);
            throw error;
          }),
      })),
  ],
  [
    'acknowledges a write that failed',
    /acknowledges nothing that was refused/,
    (process) => withJournals(process, ({ append }) => ({ append: (event) => append(event).catch(() => 2) })),
  ],
  [
    'writes behind a gap',
    /acknowledges nothing that was refused/,
    (process) => {
      let hasFailed = false;
      return withJournals(process, ({ append }, { metadata }) => ({
        append: async (event) => {
          if (hasFailed) return (await process.store.restore(metadata.uuid)).journal.append(event);
          return append(event).catch((error: unknown) => {
            hasFailed = true;
            throw error;
          });
        },
      }));
    },
  ],
  [
    'reads back the newest first',
    /in order and once/,
    (process) =>
      withJournals(process, (journal) => ({
        read: async function* () {
          yield* (await toArray(journal.read())).toReversed();
        },
      })),
  ],
  [
    'drops facts',
    /in order and once/,
    (process) =>
      withJournals(process, (journal) => ({
        read: async function* () {
          for await (const entry of journal.read()) if (entry.type !== 'fact') yield entry;
        },
      })),
  ],
  [
    'shows readers holes',
    /a reader that is behind/,
    (process) => ({
      ...process,
      reader: {
        ...process.reader,
        readRun: async (name) => {
          const run = await process.reader.readRun(name);
          return {
            ...run,
            history: async function* () {
              for (const entry of (await toArray(run.history())).slice(1)) yield entry;
            },
          };
        },
      },
    }),
  ],
  [
    'loses the state of its runs in a crash',
    /has after a crash each value/,
    (process, { place }) => ({
      ...process,
      kill: async () => {
        for (const run of place.runs.values()) run.values.clear();
      },
    }),
  ],
  [
    'commits an end before its intents',
    /together, or neither/,
    (process) =>
      withJournals(process, (journal, { outbox }) => ({
        finish: async (end, { intents = [] } = {}) => {
          await journal.finish(end);
          for (const intent of intents) await outbox.open(intent);
        },
      })),
  ],
  [
    'puts a run away that has something open',
    /until its last intent is settled/,
    (process, { place }) => ({
      ...process,
      store: {
        ...process.store,
        finish: async (uuid) => {
          const run = place.runs.get(uuid);
          for (const { id } of run?.facts.outbox.list() ?? []) settle(run, id);
          await process.store.finish(uuid);
        },
      },
    }),
  ],
  [
    'lets a later result of an intent win',
    /keeps the first result/,
    (process) =>
      withRuns(process, (run) => {
        let last: object = {};
        const settle: Run['outbox']['settle'] = async (id, result) => {
          await run.outbox.settle(id, result);
          last = result;
        };
        const list = async () => (await run.outbox.list()).map((entry) => ({ ...entry, ...last }));
        return { ...run, outbox: { ...run.outbox, settle, list } };
      }),
  ],
  [
    'forgets what was wanted of a run that waits',
    /in any process/,
    (process, { place }) => ({
      ...process,
      store: {
        ...process.store,
        openOutbox: (uuid) => ({
          ...process.store.openOutbox(uuid),
          settle: async (id) => {
            const run = place.runs.get(uuid);
            if (run !== undefined) settle(run, id);
          },
        }),
      },
    }),
  ],
  [
    'lists the kinds of what was done',
    /names the kinds of what is open/,
    (process) => ({
      ...process,
      store: {
        ...process.store,
        listInterrupted: async () => {
          const { runs, ...rest } = await process.store.listInterrupted();
          return { runs: runs.map((run) => ({ ...run, openIntents: ['comment'] })), ...rest };
        },
      },
    }),
  ],
  [
    'carries on what was to be paused',
    /as one to be completed/,
    (process) => ({
      ...process,
      store: {
        ...process.store,
        listInterrupted: async () => {
          const { runs, pausing, damaged } = await process.store.listInterrupted();
          const found = pausing.map(({ uuid, metadata }) => ({
            uuid,
            metadata,
            outcome: null,
            openIntents: [],
          }));
          return { runs: [...runs, ...found], pausing: [], damaged };
        },
      },
    }),
  ],
  [
    'counts who leaves a run as a crash',
    /not processes that released it/,
    (process) => withRuns(process, (run) => ({ ...run, leave: async () => undefined })),
  ],
  [
    'finds the runs of another host',
    /on its host alone/,
    (process) => ({
      ...process,
      index: { find: (task) => process.index.find({ ...task, host: 'github.com' }) },
    }),
  ],
  [
    'keeps no plans for later runs',
    /what a run planned/,
    (process) => ({
      ...process,
      lines: {
        readLast: async (uuid, wanted) => {
          const found = await process.lines.readLast(uuid, wanted);
          return found === null || !('planning' in found) ? found : { ...found, planning: [] };
        },
      },
    }),
  ],
  [
    'writes for an owner that was replaced',
    /for an owner that was replaced/,
    (process, { place, now }) => ({ ...process, store: createMemoryRunStore({ place, now }) }),
  ],
  [
    'changes its owner in the middle of a write',
    /never within one/,
    (process) => ({ ...process, owner: { ...process.owner, guard: (write) => write() } }),
  ],
  [
    'gives all owners one number',
    /a higher number than any before/,
    (process) => ({ ...process, owner: { ...process.owner, number: 1 } }),
  ],
  [
    'tells nobody that they were replaced',
    /notifies an owner that it was replaced/,
    (process) => ({ ...process, owner: { ...process.owner, lost: new AbortController().signal } }),
  ],
];

function settle(run: ReturnType<MemoryPlace['runs']['get']>, id: string): void {
  const data = { id, state: 'done', made: null };
  run?.append(formatFact({ name: 'settled', data, timestamp: run.metadata.createdAt }), null);
}

describe('the contract of a store of runs', () => {
  it.each(wrongStores)('notices a store that %s', async (_, noticedBy, spoil) => {
    const tests = runStoreContract({
      create: async ({ now }) => {
        const { place, start, close } = await createMemoryStoreFixture({ now });
        return { close, start: async () => spoil(await start(), { place, now }) };
      },
    });
    const named = tests.filter(({ name }) => noticedBy.test(name));
    expect(named).toHaveLength(1);
    await expect(named[0]?.run()).rejects.toMatchObject({ code: 'ERR_ASSERTION' });
  });

  it('notices a store that keeps silent about damage', async () => {
    const tests = recordDamageContract({
      create: async (clock) => {
        const fixture = await createFileStoreFixture(clock);
        const start = async () => withRuns(await fixture.start(), (run) => ({ ...run, damage: null }));
        return { ...fixture, start };
      },
    });
    for (const { run } of tests) await expect(run()).rejects.toMatchObject({ code: 'ERR_ASSERTION' });
  });
});
