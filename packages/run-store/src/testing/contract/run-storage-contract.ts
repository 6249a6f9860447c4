import assert from 'node:assert/strict';
import type { MessageLike } from '../../journal-model.ts';
import type { Ownership } from '../../ports.ts';
import type { RunStorage } from '../../storage.ts';
import { newRun } from '../store-setup.ts';
import {
  endRun,
  first,
  type RunStoreCase,
  type RunStoreContractOptions,
  type RunStoreTest,
  rejectsWithCode,
  second,
  third,
  toTests,
  toUuids,
} from './contract.ts';
import { rewriteCases } from './rewrite-cases.ts';
import { spendingCases } from './spending-cases.ts';
import { type RunStorageFixture, watchCases } from './watch-cases.ts';

type StorageCase = RunStoreCase<RunStorageFixture>;

const parseMessage = (json: unknown) => json as MessageLike;

const task = { taskKeyText: 'github_issue:octo:cat:42', host: 'github.com' };

/** Two processes that have the place open, of which none owns it. */
async function openTwo({ open }: RunStorageFixture): Promise<readonly [RunStorage, RunStorage]> {
  return [await open(), await open()];
}

/** Does something as an owner of the place. */
async function asOwner<Result>(
  { members }: Pick<RunStorage, 'members'>,
  work: (owner: Ownership) => Promise<Result>,
): Promise<Result> {
  const owner = await members.acquire();
  try {
    return await work(owner);
  } finally {
    await owner.release();
  }
}

const openStore = (storage: Pick<RunStorage, 'openStore'>, owner: Ownership) =>
  storage.openStore({ owner, parseMessage });

/** Promises about small documents. */
const noteCases: readonly StorageCase[] = [
  {
    name: 'keeps a note as a whole for every process, until it is removed',
    run: async (fixture) => {
      const [one, other] = await openTwo(fixture);
      assert.equal(await one.notes.read('mentions/5f3a'), null);
      await one.notes.write('mentions/5f3a', { version: 1, 名: ['a', null] });
      await one.notes.write('conditions', []);
      assert.deepEqual(await other.notes.read('mentions/5f3a'), { version: 1, 名: ['a', null] });
      await other.notes.write('mentions/5f3a', { version: 2 });
      assert.deepEqual(await one.notes.read('mentions/5f3a'), { version: 2 });
      for (let time = 0; time < 2; time += 1) await one.notes.write('mentions/5f3a', null);
      assert.equal(await other.notes.read('mentions/5f3a'), null);
      assert.deepEqual(await other.notes.read('conditions'), []);
      assert.notEqual(one.notes.locate('conditions'), one.notes.locate('mentions/5f3a'));
    },
  },
  {
    name: 'loses no change of a note, whatever is changed at the same time',
    run: async (fixture) => {
      const { notes } = await fixture.open();
      const add = (id: number) =>
        notes.change('unanswered/5f3a', (kept) => [...((kept ?? []) as readonly number[]), id]);
      await Promise.all([1, 2, 3, 4, 5].map(add));
      assert.deepEqual(new Set((await notes.read('unanswered/5f3a')) as number[]), new Set([1, 2, 3, 4, 5]));
      const failing = notes.change('unanswered/5f3a', () => {
        throw new Error('no');
      });
      await assert.rejects(failing);
      assert.equal(((await notes.read('unanswered/5f3a')) as number[]).length, 5);
      await notes.change('unanswered/5f3a', () => null);
      assert.equal(await notes.read('unanswered/5f3a'), null);
    },
  },
  {
    name: 'refuses a name of a note that leads elsewhere, or is its own',
    run: async (fixture) => {
      const { notes } = await fixture.open();
      for (const name of ['', '../x', 'a/../b', 'a/b/c', 'A', '/a', 'a/', 'running/x', 'index/ab', 'lock'])
        await rejectsWithCode((async () => notes.write(name, 1))(), 'invalid');
    },
  },
];

/** Promises about the files of runs, for a place that several machines share. */
const snapshotCases: readonly StorageCase[] = [
  {
    name: 'keeps the last snapshot of a run for every process, until it is removed [NX-146]',
    run: async (fixture) => {
      const [one, other] = await openTwo(fixture);
      if (one.snapshots === undefined || other.snapshots === undefined) return;
      const { snapshots } = one;
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
      await asOwner(one, async (owner) => {
        await openStore(one, owner).open(newRun(first));
        assert.equal(await snapshots.read(first), null);
        await snapshots.keep(first, { about: { 名: [1, null] }, bundle: null });
        assert.deepEqual(await other.snapshots?.read(first), { about: { 名: [1, null] }, bundle: null });
        await snapshots.keep(first, { about: 2, bundle: bytes });
        await snapshots.keep(first, { about: 3, bundle: null });
        const kept = await other.snapshots?.read(first);
        assert.deepEqual([kept?.about, new Uint8Array(kept?.bundle ?? [])], [3, bytes]);
        for (let time = 0; time < 2; time += 1) await snapshots.remove(first);
        assert.equal(await snapshots.read(first), null);
        await rejectsWithCode((async () => snapshots.keep('../x', { about: 1, bundle: null }))(), 'invalid');
      });
    },
  },
  {
    name: 'takes no snapshot from a process whose run another one has taken over',
    run: async (fixture) => {
      const [one, other] = await openTwo(fixture);
      const { snapshots } = one;
      if (snapshots === undefined) return;
      const owner = await one.members.acquire();
      await openStore(one, owner).open(newRun(first));
      await snapshots.keep(first, { about: 'before', bundle: null });
      await asOwner(other, async (next) => {
        await openStore(other, next).restore(first);
        await other.snapshots?.keep(first, { about: 'after', bundle: null });
        await rejectsWithCode(snapshots.keep(first, { about: 'late', bundle: null }), 'owned');
        assert.equal((await other.snapshots?.read(first))?.about, 'after');
      });
      await owner.release();
    },
  },
];

/** Promises about what processes tell each other. */
const messageCases: readonly StorageCase[] = [
  {
    name: 'pauses every process until the signal is removed',
    run: async (fixture) => {
      const [one, other] = await openTwo(fixture);
      assert.equal(await other.pauseSignal.isSet(), false);
      assert.equal(await other.pauseSignal.read(), null);
      for (const by of ['carol', 'dave']) await one.pauseSignal.set({ by });
      assert.equal(await other.pauseSignal.isSet(), true);
      const pause = await other.pauseSignal.read();
      assert.equal(pause?.by, 'carol');
      assert.ok(Number.isFinite(pause.at));
      for (let time = 0; time < 2; time += 1) await other.pauseSignal.clear();
      assert.equal(await one.pauseSignal.isSet(), false);
      assert.notEqual(one.pauseSignal.location, '');
    },
  },
  {
    name: 'hands what is asked of a run to every process, and the later of a pause and a resume alone [RL-2]',
    run: async (fixture) => {
      const [one, other] = await openTwo(fixture);
      assert.deepEqual(await other.controls.list(), []);
      await one.controls.request(first, 'pause');
      await one.controls.request(first, 'stop');
      for (const verb of ['settle', 'resume', 'pause'] as const) await one.controls.request(second, verb);
      await one.controls.request(first, 'resume');
      assert.deepEqual(new Set(await other.controls.read(first)), new Set(['stop', 'resume']));
      assert.equal((await other.controls.list()).length, 4);
      await other.controls.remove(first, ['stop', 'pause']);
      assert.deepEqual(await one.controls.read(first), ['resume']);
      assert.deepEqual(new Set(await one.controls.read(second)), new Set(['settle', 'pause']));
      await rejectsWithCode(one.controls.request('../x', 'stop'), 'invalid');
    },
  },
  {
    name: 'carries a message to who listens on its channel, until they end it',
    run: async (fixture) => {
      const { signals } = await fixture.open();
      const heard: unknown[] = [];
      const onGap = () => heard.push('gap');
      const stop = await signals.subscribe('stops', { onMessage: (message) => heard.push(message), onGap });
      await signals.publish('bells', 'not received');
      const said = new Promise((resolve) => {
        void signals.subscribe('stops', { onMessage: resolve, onGap }).then(async () => {
          await signals.publish('stops', { uuid: first, 名: [1] });
        });
      });
      assert.deepEqual(await said, { uuid: first, 名: [1] });
      await stop();
      const again = new Promise((resolve) => {
        void signals.subscribe('stops', { onMessage: resolve, onGap }).then(async () => {
          await signals.publish('stops', 'again');
        });
      });
      assert.equal(await again, 'again');
      assert.deepEqual(heard, [{ uuid: first, 名: [1] }]);
      await assert.rejects(signals.publish('No channel', 1));
    },
  },
];

/** Promises about the place and its runs. */
const placeCases: readonly StorageCase[] = [
  {
    name: 'names who works there as long as they do',
    run: async (fixture) => {
      const [one, other] = await openTwo(fixture);
      assert.deepEqual(await other.members.list(), []);
      await asOwner(one, async (owner) => {
        const [member, ...others] = await other.members.list();
        assert.deepEqual(others, []);
        assert.equal(member?.number, owner.number);
        assert.equal(member.pid, process.pid);
        assert.notEqual(member.host, '');
        assert.ok(member.silentMs >= 0 && member.silentMs < 60_000, `silent for ${member.silentMs} ms`);
      });
      assert.deepEqual(await other.members.list(), []);
      assert.equal(one.location, other.location);
      assert.notEqual(one.location, '');
    },
  },
  {
    name: 'shows the runs of an owner to every process, and ended runs to later runs [NX-82]',
    run: async (fixture) => {
      const [one, other] = await openTwo(fixture);
      const [hash] = await asOwner(one, async (owner) => {
        const store = openStore(one, owner);
        const open = await store.open(newRun(second));
        await endRun(store, { uuid: first });
        return [open.metadata.taskKeyHash];
      });
      const reader = other.openReader({ parseMessage });
      assert.deepEqual(toUuids(await reader.listRunning()), [second]);
      assert.deepEqual(await reader.listKept(), new Set([first, second]));
      const reference = { taskKeyHash: hash ?? '', host: task.host };
      assert.deepEqual(toUuids(await other.index.find(reference)), [first]);
      await asOwner(other, async () => {
        assert.deepEqual(toUuids(await (await other.index.open()).find(reference)), [first]);
      });
      const { summaries = [] } =
        (await other.lines.readLast(first, { summaries: { limit: 1 } })) ?? assert.fail('the run is kept');
      assert.match(summaries[0] ?? '', new RegExp(`What ${first} did`));
    },
  },
  {
    name: 'removes expired and purged runs with their snapshots, and no unfinished run',
    run: async (fixture) => {
      const storage = await fixture.open();
      const reader = storage.openReader({ parseMessage });
      await asOwner(storage, async (owner) => {
        const store = openStore(storage, owner);
        const { metadata } = await store.open(newRun(third));
        await endRun(store, { uuid: first });
        await endRun(store, { uuid: second, taskKeyText: 'github_issue:octo:cat:43' });
        await storage.snapshots?.keep(first, { about: 1, bundle: null });
        assert.deepEqual(await storage.upkeep.cleanUp({ keepDays: 30 }), []);
        const purged = await storage.upkeep.purge({
          taskKeyHash: metadata.taskKeyHash,
          host: metadata.host,
        });
        assert.deepEqual(purged, { removed: [first], kept: [third] });
        assert.equal((await storage.snapshots?.read(first)) ?? null, null);
        assert.deepEqual(await reader.listKept(), new Set([second, third]));
        assert.equal(await storage.upkeep.rebuildIndex(), 1);
      });
    },
  },
  {
    name: 'says that it can keep runs, and leaves nothing behind where that is tried',
    run: async (fixture) => {
      const storage = await fixture.open();
      await asOwner(storage, async () => {
        const { state, reason } = await storage.health.check();
        assert.deepEqual({ state, reason }, { state: 'ok', reason: null });
      });
      await storage.health.probe();
      assert.deepEqual(await storage.openReader({ parseMessage }).listKept(), new Set());
    },
  },
];

/**
 * The tests that every storage of runs passes beside those of its store; for any test runner.
 *
 * @example
 * const create = async () => ({ open: () => openStorage(place), close: () => place.drop() });
 * for (const { name, run } of runStorageContract({ create })) it(name, run);
 */
export function runStorageContract(
  options: RunStoreContractOptions<RunStorageFixture>,
): readonly RunStoreTest[] {
  const cases = [
    ...noteCases,
    ...snapshotCases,
    ...messageCases,
    ...placeCases,
    ...spendingCases,
    ...rewriteCases,
    ...watchCases,
  ];
  return toTests(cases, options);
}
