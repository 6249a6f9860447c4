import { performance } from 'node:perf_hooks';
import { findMedian } from '../statistics.ts';
import { sampleRun, toHash } from './sample-run.ts';
import { type StoreName, storeKinds } from './stores/store-kinds.ts';
import type { TaskStore } from './stores/task-store.ts';

/** What a process of its own is asked to measure. */
export interface StoreQuestion {
  readonly store: StoreName;
  readonly directory: string;
  /** How many tasks are in the store. */
  readonly keys: number;
  readonly lookups: number;
  /** Of which task on there is none yet. */
  readonly firstNew: number;
  readonly writes: number;
}

/** Milliseconds, medians; memory in MB. */
export interface StoreFigures {
  /** From nothing to the answer of the first lookup. */
  readonly open: number;
  readonly lookup: number;
  readonly insert: number;
  readonly update: number;
  /** The longest time within a write in which nothing else could happen. */
  readonly blocked: number;
  readonly memory: number;
}

export async function measureStore(question: StoreQuestion): Promise<StoreFigures> {
  const { keys, lookups, writes, firstNew } = question;
  const kind = await storeKinds[question.store]();
  const startedAt = performance.now();
  const store = await kind.open(question.directory);
  await requireRun(store, toHash(0));
  const open = performance.now() - startedAt;
  // Spread over all keys, and none twice: an answer from memory would be another figure.
  const step = Math.max(1, Math.floor(keys / lookups));
  const lookup = await timeEach(lookups, (number) => requireRun(store, toHash((number * step) % keys)));
  const insert = await timeEach(writes, (number) => store.insert(sampleRun(firstNew + number)));
  const update = await timeEach(writes, (number) => store.update(sampleRun((number * step) % keys)));
  const blocked: number[] = [];
  for (let number = 0; number < writes; number += 1) {
    blocked.push(await findLongestPause(() => store.insert(sampleRun(firstNew + writes + number))));
  }
  store.close();
  const memory = process.resourceUsage().maxRSS / 1024;
  return { open, lookup, insert, update, blocked: findMedian(blocked), memory };
}

/** Median of the times of so many calls, one after the other, in milliseconds. */
export async function timeEach(count: number, work: (number: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const startedAt = performance.now();
    await work(number);
    times.push(performance.now() - startedAt);
  }
  return findMedian(times);
}

/** Figures of a store that does not find what is in it would be figures of something else. */
async function requireRun(store: TaskStore, hash: string): Promise<void> {
  const found = await store.find(hash);
  if (found !== 1) throw new Error(`The store has ${found} runs of a task that has one.`);
}

async function findLongestPause(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let ended = false;
  let lastAt = performance.now();
  const note = () => {
    const now = performance.now();
    longest = Math.max(longest, now - lastAt);
    lastAt = now;
  };
  const look = () => {
    note();
    if (!ended) setImmediate(look);
  };
  setImmediate(look);
  await work();
  ended = true;
  note();
  return longest;
}
