import { setTimeout as wait } from 'node:timers/promises';
import { TaskBoard } from '@agent/orchestrator';
import { createRunsWatch, type RunsWatch } from '@agent/orchestrator/watch';
import type { RunStorage, WholeRunStore } from '@agent/run-store';

/** Figures of one place, in milliseconds where nothing else is said. */
export interface WatchFigures {
  /** First answer of a process that knows nothing yet. */
  readonly cold: number;
  /** All runs that ended are known. */
  readonly loaded: number;
  /** Slowest of the first pages while somebody listens. */
  readonly firstPage: number;
  /** Slowest of the first pages while nobody does, so that each looks for changes behind its answer. */
  readonly lonePage: number;
  readonly search: number;
  /** Slowest time from a line of the record to the listener. */
  readonly change: number;
  readonly heapMb: number;
}

const rounds = 20;
const nothing = { state: null, repository: null, text: null, after: null } as const;
const silent = { warn: () => {} };

/** Watches a place from beside the process that works in it. */
export async function measureWatch(
  watched: RunStorage,
  {
    store,
    uuid,
    waiting,
  }: {
    readonly store: WholeRunStore<{ role: string; content: unknown }>;
    readonly uuid: string;
    readonly waiting: number;
  },
): Promise<WatchFigures> {
  const heapBefore = readHeap();
  const watch = openWatch(watched, waiting);
  const page = (text: string | null = null) => watch.reader.readBoard({ ...nothing, text, limit: 100 });
  const cold = await timed(() => page());
  const loaded = await timed(() => watch.load());
  const lone: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await wait(510);
    lone.push(await timed(() => page()));
  }
  const heapMb = readHeap() - heapBefore;
  const change = await measureChange(watch, { store, uuid });
  const stop = watch.changes.subscribe(() => {});
  await wait(1_500);
  const first: number[] = [];
  const search: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    first.push(await timed(() => page()));
    search.push(await timed(() => page('release 77')));
  }
  stop();
  return {
    ...{ cold, loaded, change, heapMb },
    firstPage: Math.max(...first),
    lonePage: Math.max(...lone),
    search: Math.max(...search),
  };
}

function openWatch(storage: RunStorage, waiting: number): RunsWatch {
  const queued = Array.from({ length: waiting }, (_, number) => {
    const key = `github.com github_issue:acme:shop-1:${1_000_000 + number}`;
    return { key, kind: 'new', platform: 'github.com', runId: null, since: number } as const;
  });
  return createRunsWatch({
    ...{ storage, board: new TaskBoard(), logger: silent },
    queue: { waiting: async () => queued },
    about: { locale: 'en', model: () => null },
    budgets: { money: null, requests: () => [] },
    redact: (text) => text,
    clock: {
      now: Date.now,
      sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
    },
  });
}

async function measureChange(
  watch: RunsWatch,
  {
    store,
    uuid,
  }: { readonly store: WholeRunStore<{ role: string; content: unknown }>; readonly uuid: string },
): Promise<number> {
  const { journal } = await store.restore(uuid);
  let hear = () => {};
  const stop = watch.changes.subscribe((change) => {
    if (change.uuid === uuid) hear();
  });
  await wait(1_500);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const message = { role: 'assistant', content: 'I look.' };
    const usage = { inputTokens: 10, outputTokens: 2 };
    await journal.append({ type: 'message', message, usage, delivers: [] });
    times.push(await timed(() => heard));
    // At another moment of the pause between two looks each time.
    await wait((round * 37) % 500);
  }
  stop();
  return Math.max(...times);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function readHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}
