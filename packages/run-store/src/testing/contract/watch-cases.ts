import assert from 'node:assert/strict';
import type { MessageLike } from '../../journal-model.ts';
import type { WholeRunStore } from '../../ports.ts';
import type { RunStorage } from '../../storage.ts';
import type { RecordMark, StorageWatch } from '../../storage-watch.ts';
import { end, newRun, says } from '../store-setup.ts';
import { first, type RunStoreCase, second } from './contract.ts';

/** A place for runs, empty at first. */
export interface RunStorageFixture {
  /** Opens it as one process does; a place is opened several times. */
  readonly open: () => Promise<RunStorage>;
}

/** Watches a place from one process while another one works there; does nothing where it cannot be watched. */
async function watching(
  { open }: RunStorageFixture,
  use: (watch: StorageWatch, store: WholeRunStore<MessageLike>) => Promise<void>,
): Promise<void> {
  const storage = await open();
  const { watch } = await open();
  if (watch === undefined) return;
  const owner = await storage.members.acquire();
  await use(watch, storage.openStore({ owner, parseMessage: (json) => json as MessageLike }));
  await owner.release();
}

const readPlaces = async (watch: StorageWatch) =>
  (await watch.listStamps()).live.map(({ uuid, place }) => `${uuid} ${place}`).toSorted();

/** Promises about runs as they change. */
export const watchCases: readonly RunStoreCase<RunStorageFixture>[] = [
  {
    name: 'gives a run another stamp whenever its record has grown or it has moved, and each end another one to all [NX-321]',
    run: (fixture) =>
      watching(fixture, async (watch, store) => {
        const empty = await watch.listStamps();
        assert.deepEqual(empty.live, []);
        const run = await store.open(newRun(first));
        const stamps = new Set<string>();
        const next = async () => {
          const [stamp] = (await watch.listStamps()).live;
          stamps.add(`${stamp?.place} ${stamp?.stamp}`);
        };
        await next();
        await run.journal.append(says('user', 'a'));
        await next();
        await store.pause(first, { lastError: 'no model', planningState: null });
        await next();
        assert.equal(stamps.size, 3);
        const [head] = await watch.readHeads([
          { uuid: first, place: 'paused' },
          { uuid: second, place: 'paused' },
        ]);
        assert.equal(head?.pause?.lastError, 'no model');
        await (await store.resume(first)).journal.finish(end);
        assert.deepEqual(await readPlaces(watch), [`${first} running`]);
        await store.finish(first);
        const after = await watch.listStamps();
        assert.deepEqual(after.live, []);
        assert.notEqual(after.ended, empty.ended);
      }),
  },
  {
    name: 'lists runs that ended in parts, the latest first [NX-321]',
    run: (fixture) =>
      watching(fixture, async (watch, store) => {
        assert.deepEqual(await watch.listEnded(null, { limit: 1 }), { runs: [], next: null });
        for (const uuid of [first, second]) {
          const { journal } = await store.open(newRun(uuid));
          await journal.finish({ ...end, status: uuid === second ? 'partial' : 'nothing_to_change' });
          await store.finish(uuid);
        }
        const seen: string[] = [];
        let next: string | null = null;
        do {
          const part = await watch.listEnded(next, { limit: 1 });
          seen.push(...part.runs.map(({ uuid, status }) => `${uuid} ${status}`));
          next = part.next;
        } while (next !== null && seen.length < 5);
        const expected = [`${first} nothing_to_change`, `${second} partial`];
        assert.deepEqual(seen.toSorted(), expected.toSorted());
      }),
  },
  {
    name: 'reads a record from where the reading stopped, wherever the run lies by then [NX-321]',
    run: (fixture) =>
      watching(fixture, async (watch, store) => {
        assert.equal(await watch.readRecord(first, { from: null, limit: 5 }), null);
        const { journal } = await store.open(newRun(first));
        await journal.append(says('user', 'é'));
        const read = async (from: RecordMark | null, limit: number) => {
          const part = await watch.readRecord(first, { from, limit });
          return {
            lines: part?.lines.map(({ line }) => line),
            isAnew: part?.isAnew,
            next: part?.next ?? null,
          };
        };
        const one = await read(null, 1);
        assert.deepEqual([one.lines, one.isAnew], [[1], false]);
        const two = await read(one.next, 5);
        assert.deepEqual(two.lines, [2]);
        assert.deepEqual((await read(two.next, 5)).lines, []);
        await journal.finish(end);
        await store.finish(first);
        const three = await read(two.next, 5);
        assert.deepEqual([three.lines?.[0], three.isAnew], [3, false]);
        const cut = await read({ line: 2, offset: two.next?.offset ?? 0, seal: 'x'.repeat(34) }, 5);
        assert.deepEqual([cut.lines?.[0], cut.isAnew], [1, true]);
      }),
  },
  {
    name: 'shows on one line who requested something of a run, and no name if none was given [NX-318]',
    run: async ({ open }) => {
      const [one, other] = [await open(), await open()];
      await one.controls.request(first, 'pause', { by: 'mona\n of acme' });
      await one.controls.request(first, 'stop');
      const asked = (await other.controls.list()).map(({ verb, by }) => `${verb} ${by}`);
      assert.deepEqual(asked.toSorted(), ['pause mona of acme', 'stop null']);
    },
  },
];
