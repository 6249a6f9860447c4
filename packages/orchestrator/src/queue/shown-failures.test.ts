import { ContextStoreError } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import { ThreadHeldError } from '../admission/thread-held.ts';
import { silentLogger } from '../host/ports.ts';
import { DeferredError } from '../intents/call-with-retry.ts';
import { createTaskWorker, type LoadRuns, type TaskFailure } from './create-task-worker.ts';
import { MemoryTaskQueue } from './memory-task-queue.ts';
import type { QueueEntry } from './queue-entry.ts';

const entry: QueueEntry = {
  key: 'forge.test github_issue:acme:shop:1',
  ...{ kind: 'interrupted', platform: 'forge.test', runId: 'r1' },
};
const taken = new ContextStoreError('Owner 8 has taken run r1 from owner 7.', { code: 'owned' });

function openWorker(load: LoadRuns) {
  const clock = { ms: 0 };
  const told: (TaskFailure | null)[] = [];
  const queue = new MemoryTaskQueue({ concurrency: 1, sleep: async () => {} });
  const pause = { status: 'paused' };
  const worker = createTaskWorker({
    load,
    platforms: [{ platform: { host: 'forge.test' } } as never],
    reader: {
      readRun: async (uuid) => ({ uuid, place: 'running', metadata: {}, outcome: null, pause }) as never,
      listRunning: async () => [],
    },
    giveUp: () => {},
    shared: { ...queue, report: () => 0 },
    tell: async (_, failure) => void told.push(failure),
    now: () => clock.ms,
    controls: { list: async () => [] },
    logger: silentLogger,
  });
  return { worker, told, clock, queue };
}

describe('a worker among others that share the queue', () => {
  it.each([
    ['another process has taken over', taken],
    ['waits for its platform', new DeferredError(null, { cause: null })],
    ['another directory has', new ThreadHeldError({ thread: 'acme/shop#1', holder: 'r9' })],
  ])('shows no failure any more of a task that %s', async (_, next) => {
    const errors = [new Error('403'), next];
    const runs = {
      shutdown: new AbortController().signal,
      finishPause: () => Promise.reject(errors.shift()),
    };
    const { worker, told } = openWorker(async () => runs as never);
    for (let times = 0; times < 2; times += 1) await worker.workOn(entry);
    expect(told).toMatchObject([{ attempts: 1 }, null]);
  });

  it('shows no failure any more of a task that another process has taken out of the queue', async () => {
    const runs = {
      shutdown: new AbortController().signal,
      finishPause: () => Promise.reject(new Error('403')),
    };
    const { worker, queue, told, clock } = openWorker(async () => runs as never);
    await worker.workOn(entry);
    await queue.add(entry);
    clock.ms += 60_000;
    await worker.forgetTaken();
    expect([told.length, worker.listDeferred()]).toEqual([1, [entry]]);
    // Another process has it now.
    await queue.close();
    await worker.forgetTaken();
    expect([told.length, told.at(-1), worker.listDeferred()]).toEqual([2, null, []]);
  });

  it('leaves a task that failed to the other processes for four seconds from the time of its next attempt', async () => {
    const runs = {
      shutdown: new AbortController().signal,
      finishPause: () => Promise.reject(new Error('403')),
    };
    const { worker, clock } = openWorker(async () => runs as never);
    expect(worker.othersFirstMs(entry)).toBe(0);
    expect(await worker.workOn(entry)).toEqual({ againAfterMs: 1_000 });
    const waits = [0, 1_000, 4_999, 5_000].map((ms) => {
      clock.ms = ms;
      return worker.othersFirstMs(entry);
    });
    expect(waits).toEqual([0, 4_000, 1, 0]);
  });

  it('leaves a task to no other process while it waits for its platform or for another directory', async () => {
    const errors = [
      new DeferredError(async () => {}, { cause: null }),
      new ThreadHeldError({ thread: 'acme/shop#1', holder: 'r9' }),
    ];
    const runs = {
      shutdown: new AbortController().signal,
      finishPause: () => Promise.reject(errors.shift()),
    };
    const { worker, clock } = openWorker(async () => runs as never);
    for (const waitMs of [0, 30_000]) {
      await worker.workOn(entry);
      clock.ms += waitMs;
      expect(worker.othersFirstMs(entry)).toBe(0);
    }
  });
});
