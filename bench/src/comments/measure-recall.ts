import {
  createOwnWatcher,
  createSeedWatcher,
  seedWays,
  type WatchedThread,
  type Watcher,
} from './watchers.ts';

/** How much of what was said each way has heard. */
export interface Recall {
  readonly way: string;
  /** Shares, 0 to 1. */
  readonly single: number;
  readonly burst: number;
  readonly edits: number;
}

const singles = 3;
/** More than a page of GitHub's holds. */
const burst = 150;
const edits = 3;

/** All ways watch one thread: single comments, more than a page of them within one second, edits of old ones. */
export async function measureRecall(thread: WatchedThread): Promise<readonly Recall[]> {
  const { forge, number, clock } = thread;
  const ways = await openWays(thread);
  for (const { watcher } of ways) await watcher.initialize();
  for (let index = 0; index < singles; index += 1) {
    const ids = await forge.comment({ number, at: clock.time, author: 'alice', count: 1 });
    await checkAll(ways, { ids, kind: 'single', clock });
  }
  // The clock stands still while they are written: all of them have the same second.
  const ids = await forge.comment({ number, at: clock.time, author: 'alice', count: burst });
  await checkAll(ways, { ids, kind: 'burst', clock });
  for (let index = 0; index < edits; index += 1)
    await forge.edit({ number, at: clock.time, index: index * 9 });
  await checkAll(ways, { ids: [], kind: 'burst', clock });
  return ways.map(({ way, found }) => ({
    way,
    single: found.single / singles,
    burst: found.burst / burst,
    edits: found.edits / edits,
  }));
}

interface Way {
  readonly way: string;
  readonly watcher: Watcher;
  readonly found: { single: number; burst: number; edits: number };
}

async function openWays(thread: WatchedThread): Promise<readonly Way[]> {
  const ways: Way[] = [{ way: 'ours', watcher: await createOwnWatcher(thread), found: nothing() }];
  for (const way of Object.keys(seedWays) as (keyof typeof seedWays)[])
    ways.push({ way, watcher: await createSeedWatcher(thread, way), found: nothing() });
  return ways;
}

const nothing = () => ({ single: 0, burst: 0, edits: 0 });

async function checkAll(
  ways: readonly Way[],
  written: {
    readonly ids: readonly string[];
    readonly kind: 'single' | 'burst';
    readonly clock: { time: number };
  },
): Promise<void> {
  const { ids, kind, clock } = written;
  clock.time += 10_000;
  for (const { watcher, found } of ways) {
    const { added, edited } = await watcher.check();
    found[kind] += ids.filter((id) => added.includes(id)).length;
    found.edits += edited;
  }
}
