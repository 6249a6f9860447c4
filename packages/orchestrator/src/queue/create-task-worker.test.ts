import { createMemoryPlatform, formatTaskKey } from '@agent/platforms';
import { expect, it } from 'vitest';
import { DeferredError } from '../run/call-with-retry.ts';
import { createTaskWorker, type LoadRuns } from './create-task-worker.ts';
import { type QueueEntry, readTaskKey, toThreadKey } from './task-queue.ts';

const entry: QueueEntry = {
  key: 'forge.test github_issue:acme:shop:1',
  kind: 'retry',
  platform: 'forge.test',
  runId: 'r1',
};

function openWorker(load: LoadRuns, mayRetry: (error: unknown) => boolean = () => false) {
  const lines: object[] = [];
  const worker = createTaskWorker({
    load,
    platforms: [],
    readRun: () => Promise.reject(new Error('no run')),
    giveUp: () => {},
    mayRetry,
    logger: { error: (fields) => void lines.push(fields) },
  });
  return { worker, lines };
}

it('a run that is left for later is offered again as data, and taken up where it stood', async () => {
  const log: string[] = [];
  const again = async (): Promise<void> => void log.push('again');
  let left = false;
  const { worker } = openWorker(async () => {
    if (left) return { shutdown: new AbortController().signal } as never;
    left = true;
    throw new DeferredError(again, { cause: null });
  });
  expect(await worker.workOn(entry)).toBe('later');
  const [deferred] = worker.listDeferred();
  expect(deferred).toEqual({ ...entry, kind: 'interrupted' });
  expect(JSON.parse(JSON.stringify(deferred))).toEqual(deferred);
  if (deferred === undefined) throw new Error('nothing was deferred');
  expect(await worker.workOn(deferred)).toBe('done');
  expect(log).toEqual(['again']);
  expect(worker.listDeferred()).toEqual([]);
});

it.each([
  [true, 'done'],
  [false, 'closed'],
] as const)('a failure that may be retried: %s is %s, and said', async (retried, result) => {
  const failure = new Error('no model');
  const { worker, lines } = openWorker(
    () => Promise.reject(failure),
    () => retried,
  );
  expect(await worker.workOn(entry)).toBe(result);
  expect(lines).toEqual([{ task: entry.key, err: failure, retried }]);
});

it('the thread of an entry is read from its key', () => {
  const memory = createMemoryPlatform({ repositories: [{ path: 'acme/shop', files: {} }] });
  const key = memory.people.openIssue({ author: 'ada', title: 'T' });
  const platform = memory.host;
  expect(readTaskKey({ key: toThreadKey(platform, formatTaskKey(key)), platform })).toEqual(key);
});
