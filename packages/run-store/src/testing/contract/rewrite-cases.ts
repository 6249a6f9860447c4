import assert from 'node:assert/strict';
import type { Json, MessageLike } from '../../journal-model.ts';
import type { Ownership } from '../../ports.ts';
import type { RunStorage, StorageTransfer } from '../../storage.ts';
import { end, newRun, says, toArray } from '../store-setup.ts';
import { first, pause, type RunStoreCase, rejectsWithCode, second, third } from './contract.ts';
import type { RunStorageFixture } from './watch-cases.ts';

const parseMessage = (json: unknown) => json as MessageLike;

/** Replaces a word in every text; keys stay. */
export function replaceWord(value: Json, from: string, to: string): Json {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => replaceWord(item, from, to));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceWord(item, from, to)]));
}

interface Filled {
  readonly storage: RunStorage;
  readonly owner: Ownership;
  readonly transfer: StorageTransfer;
}

/** Stores a run that ended, a paused one and one at work, all with the name of the same user; does nothing where runs cannot be rewritten. */
async function withRuns({ open }: RunStorageFixture, use: (filled: Filled) => Promise<void>): Promise<void> {
  const storage = await open();
  const { transfer } = storage;
  if (transfer === undefined) return;
  const owner = await storage.members.acquire();
  const store = storage.openStore({ owner, parseMessage });
  for (const uuid of [first, second, third]) {
    const run = await store.open(newRun(uuid));
    await run.journal.append(says('user', 'mona wrote this.'));
    await run.journal.append({ type: 'fact', name: 'observed', data: { by: 'mona' } });
    await run.journal.replaceContext([], { startSeq: 1, endSeq: 1, text: 'What mona asked.' });
    await run.state.write('kept.json', { by: 'mona' });
    await run.state.write('loose', 'mona', { sync: false });
    if (uuid === first) await run.journal.finish({ ...end, reason: 'mona said so.' });
  }
  await store.finish(first);
  await store.pause(second, pause);
  await use({ storage, owner, transfer });
  await owner.release();
}

const renamed = (value: Json) => replaceWord(value, 'mona', 'lisa');

/** All that a run says, as one text. */
async function readAll({ storage, transfer }: Filled, uuid: string): Promise<string> {
  const place = (await transfer.listRuns()).get(uuid) ?? 'running';
  const { readChain, readStates } = transfer.openRun(uuid, place);
  const lines = (await toArray(readChain())).flat().map(({ bytes }) => bytes.toString());
  const { metadata, history } = await storage.openReader({ parseMessage }).readRun(uuid);
  const { taskKeyHash, host } = metadata;
  const listed = await storage.index.find({ taskKeyHash, host });
  const { recent } = await storage.openReader({ parseMessage }).readOverview({ recent: 10 });
  const last = await storage.lines.readLast(uuid, { summaries: { limit: 9 } });
  const of = (all: readonly { readonly uuid: string }[]) => all.filter((run) => run.uuid === uuid);
  const said = [lines, await readStates(), metadata, await toArray(history()), last, of(listed), of(recent)];
  return JSON.stringify(said);
}

/** Promises about records that are rewritten. */
export const rewriteCases: readonly RunStoreCase<RunStorageFixture>[] = [
  {
    name: 'rewrites all that is stored of a run that has ended, and leaves a record that can be verified [NX-423]',
    run: (fixture) =>
      withRuns(fixture, async (filled) => {
        const { transfer } = filled;
        const before = await readAll(filled, first);
        const run = transfer.openRun(first, 'completed');
        assert.equal(await run.rewrite(renamed), true);
        assert.equal(await readAll(filled, first), await withoutChecks(before, filled));
        assert.deepEqual(await run.listFaults(), []);
        assert.deepEqual((await filled.storage.upkeep.verify()).faults, []);
        assert.equal(await run.rewrite(renamed), false);
      }),
  },
  {
    name: 'rewrites no run that is paused or at work [NX-423]',
    run: (fixture) =>
      withRuns(fixture, async (filled) => {
        const { transfer } = filled;
        for (const [uuid, place] of [
          [second, 'paused'],
          [third, 'running'],
        ] as const) {
          assert.equal(await transfer.openRun(uuid, place).rewrite(renamed), false);
          assert.doesNotMatch(await readAll(filled, uuid), /lisa/);
        }
      }),
  },
  {
    name: 'writes nothing where a rewritten record could not be read [NX-423]',
    run: (fixture) =>
      withRuns(fixture, async (filled) => {
        const before = await readAll(filled, first);
        const run = filled.transfer.openRun(first, 'completed');
        await rejectsWithCode(
          run.rewrite((value) => replaceWord(value, first, second)),
          'damaged',
        );
        assert.equal(await readAll(filled, first), before);
      }),
  },
  {
    name: 'forgets accounts, and no other one [NX-423]',
    run: async ({ open }) => {
      const storage = await open();
      const { accounts } = storage;
      if (accounts === undefined) return;
      const owner = await storage.members.acquire();
      const ledger = storage.openSpending({ owner });
      const names = ['person:7', 'day:2026-01-02'];
      const limits = names.map((name) => ({ name, limitMicros: null }));
      for (const id of [first, second]) await ledger.reserve({ id, micros: 5, accounts: limits });
      await ledger.settle(first, { micros: 3, isPresumed: false });
      for (let time = 0; time < 2; time += 1) await accounts.forget(['person:7'], { owner });
      const listed = (await accounts.list()).map(({ name, spentMicros }) => [name, spentMicros]);
      assert.deepEqual(listed, [['day:2026-01-02', 3]]);
      await owner.release();
    },
  },
];

/** The text before, as it has to read now: the checks of its lines are new. */
async function withoutChecks(before: string, filled: Filled): Promise<string> {
  const checks = (text: string) =>
    [...text.matchAll(/check\\":\\"([0-9a-f]{32})/g)].map(([, check]) => check);
  const now = checks(await readAll(filled, first));
  return checks(before).reduce<string>(
    (text, check, index) => text.replace(check ?? '', now[index] ?? ''),
    before.replaceAll('mona', 'lisa'),
  );
}
