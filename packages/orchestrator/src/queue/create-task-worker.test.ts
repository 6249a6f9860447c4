import { isDeepStrictEqual } from 'node:util';
import { formatTaskKey } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { ContextStoreError } from '@agent/run-store';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ThreadHeldError } from '../admission/thread-held.ts';
import type { ObserveBoard } from '../board/board-event.ts';
import { DeferredError } from '../intents/call-with-retry.ts';
import { OpenEndError, UnsettledRuns } from '../outbox/unsettled-runs.ts';
import { createTaskWorker, type LoadRuns, type TaskFailure } from './create-task-worker.ts';
import { MemoryTaskQueue } from './memory-task-queue.ts';
import { type QueueEntry, readTaskKey, toEndKey, toThreadKey } from './queue-entry.ts';

const entry: QueueEntry = {
  key: 'forge.test github_issue:acme:shop:1',
  kind: 'retry',
  platform: 'forge.test',
  runId: 'r1',
};

function openWorker(
  load: LoadRuns,
  {
    place = 'running',
    running = [],
    isShared = false,
    pause = { status: 'paused' },
  }: {
    readonly place?: 'running' | 'paused' | 'completed';
    /** Runs at work, as their records say it. */
    readonly running?: readonly { readonly metadata: object }[];
    readonly isShared?: boolean;
    readonly pause?: object | null;
  } = {},
) {
  const clock = { ms: 0 };
  const lines: object[] = [];
  const note = (fields: object, msg: string) => void lines.push({ ...fields, msg });
  const looks = { count: 0 };
  const told: (TaskFailure | null)[] = [];
  const logger = pino({ level: 'silent' });
  const { signal: shutdown } = new AbortController();
  const sleep = async (): Promise<void> => {};
  const queue = new MemoryTaskQueue({ concurrency: 1, sleep });
  const shown: object[] = [];
  const observe: ObserveBoard = (event) => void shown.push(event);
  const now = () => clock.ms;
  const unsettled = new UnsettledRuns({
    ...{ observe, logger, now, sleep, shutdown, once: false, isShared: true },
  });
  const worker = createTaskWorker({
    load,
    platforms: [{ platform: { host: 'forge.test' } } as never],
    reader: {
      readRun: async (uuid) => ({ uuid, place, metadata: {}, outcome: null, pause }) as never,
      listRunning: async ({ of } = {}) => {
        looks.count += 1;
        return running.filter(({ metadata }) => isDeepStrictEqual(metadata, of)) as never;
      },
    },
    giveUp: () => {},
    shared: isShared ? { ...queue, report: unsettled.report } : undefined,
    tell: async (_entry, failure) => void told.push(failure),
    now: () => clock.ms,
    controls: { list: async () => [] },
    logger: { error: note, warn: () => {}, info: (fields, msg) => 'count' in fields && note(fields, msg) },
  });
  return { worker, lines, told, clock, looks, queue, shown, unsettled };
}

it('a run that another process has ended since it was offered is done, and nobody is told of a failure', async () => {
  const load: LoadRuns = async () => ({ shutdown: new AbortController().signal }) as never;
  const { worker, lines, told } = openWorker(load, { place: 'completed', isShared: true });
  expect(await worker.workOn({ ...entry, kind: 'interrupted' })).toBe('done');
  expect([lines, told]).toEqual([[], []]);
});

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
  expect(await worker.listDue()).toEqual([deferred]);
  expect(await worker.workOn(deferred)).toBe('done');
  expect(log).toEqual(['again']);
  expect(worker.listDeferred()).toEqual([]);
});

it('a task that fails is tried again after pauses that grow to an hour, and people are told each time, and when it works [NX-97]', async () => {
  let failures = 30;
  const { worker, lines, told, clock } = openWorker(async () => {
    failures -= 1;
    if (failures > 0) throw new Error('403');
    return { shutdown: new AbortController().signal, begin: async () => null } as never;
  });
  const pauses: number[] = [];
  expect(await worker.workOn(begins)).toEqual({ againAfterMs: 1_000 });
  for (let failure = told.at(-1); failure != null; failure = told.at(-1)) {
    expect([worker.listDeferred().length, await worker.listDue()]).toEqual([1, []]);
    pauses.push(Date.parse(failure.nextAt) - clock.ms);
    clock.ms = Date.parse(failure.nextAt);
    const [due] = await worker.listDue();
    if (due === undefined) throw new Error('nothing is due');
    await worker.workOn(due);
  }
  expect(pauses.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(Math.max(...pauses)).toBe(3_600_000);
  expect(lines).toMatchObject([{ msg: 'failed to run task' }, { count: 29 }]);
  expect(worker.listDeferred()).toEqual([]);
});

it('a task that the disk has no room for is retried within a minute, reads its record again, and gets no comment', async () => {
  let failures = 9;
  const full = new ContextStoreError('No space is left.', { code: 'storage-full' });
  const { worker, told, clock } = openWorker(async () => {
    failures -= 1;
    if (failures % 2 === 0) throw new DeferredError(null, { cause: full });
    if (failures > 0) throw full;
    return { shutdown: new AbortController().signal, begin: async () => null } as never;
  });
  const pauses: number[] = [];
  for (let due: QueueEntry | undefined = begins; due !== undefined; [due] = await worker.listDue()) {
    const result = await worker.workOn(due);
    if (typeof result !== 'object') break;
    pauses.push(result.againAfterMs);
    clock.ms += result.againAfterMs;
  }
  expect([pauses.slice(0, 3), Math.max(...pauses)]).toEqual([[1_000, 2_000, 4_000], 60_000]);
  expect(told.filter((failure) => failure !== null)).toEqual([]);
});

it('the thread of an entry is read from its key', () => {
  const memory = createMemoryPlatform({ repositories: [{ path: 'acme/shop', files: {} }] });
  const key = memory.people.openIssue({ author: 'ada', title: 'T' });
  const platform = memory.host;
  expect(readTaskKey({ key: toThreadKey(platform, formatTaskKey(key)), platform })).toEqual(key);
});

it('a thread that another directory has is looked at again after half a minute, and nothing is left undone [NX-99]', async () => {
  const { worker, lines, told, clock } = openWorker(
    async () =>
      ({
        shutdown: new AbortController().signal,
        begin: () => Promise.reject(new ThreadHeldError({ thread: 'acme/shop#1', holder: 'r2' })),
      }) as never,
  );
  expect(await worker.workOn({ ...entry, kind: 'new', runId: null })).toEqual({ againAfterMs: 30_000 });
  expect([worker.listDeferred(), await worker.listDue(), lines, told]).toEqual([[], [], [], []]);
  clock.ms += 30_000;
  expect(await worker.listDue()).toEqual([{ ...entry, kind: 'interrupted', runId: null }]);
});

it('a retry that cannot begin its run is tried again as a retry: the run that failed is left as it is [NX-114]', async () => {
  const asked: string[] = [];
  const { worker, clock } = openWorker(async () => {
    const beginRetry = async ({ uuid }: { readonly uuid: string }) => {
      asked.push(uuid);
      if (asked.length === 1) throw new Error('403');
      return null;
    };
    return { shutdown: new AbortController().signal, beginRetry } as never;
  });
  expect(await worker.workOn(entry)).toEqual({ againAfterMs: 1_000 });
  clock.ms += 1_000;
  const [due] = await worker.listDue();
  if (due === undefined) throw new Error('nothing is due');
  expect(await worker.workOn(due)).toBe('done');
  expect(asked).toEqual(['r1', 'r1']);
});

it('a paused run that cannot be resumed just now is resumed later, and not paused anew [NX-114]', async () => {
  const asked: string[] = [];
  const { worker, clock } = openWorker(
    async () => {
      const resume = async () => {
        asked.push('resume');
        if (asked.length === 1) throw new Error('503');
      };
      return { shutdown: new AbortController().signal, resume } as never;
    },
    { place: 'paused' },
  );
  expect(await worker.workOn({ ...entry, kind: 'paused' })).toEqual({ againAfterMs: 1_000 });
  clock.ms += 1_000;
  const [due] = await worker.listDue();
  if (due === undefined) throw new Error('nothing is due');
  expect(await worker.workOn(due)).toBe('done');
  expect(asked).toEqual(['resume', 'resume']);
});

it('a retry whose run has begun goes on with that run', async () => {
  const asked: string[] = [];
  const { worker, clock } = openWorker(async () => {
    const runs = {
      shutdown: new AbortController().signal,
      beginRetry: async () => ({ run: { uuid: 'r2' }, snapshot: null }),
      execute: async () => {
        asked.push('execute');
        throw new Error('503');
      },
      finishPause: async ({ pausing }: { readonly pausing: { readonly uuid: string } }) =>
        void asked.push(`finish the pause of ${pausing.uuid}`),
    };
    return runs as never;
  });
  expect(await worker.workOn(entry)).toEqual({ againAfterMs: 1_000 });
  clock.ms += 1_000;
  const [due] = await worker.listDue();
  if (due === undefined) throw new Error('nothing is due');
  expect(due).toEqual({ ...entry, kind: 'interrupted', runId: 'r2' });
  // Its pause was committed, and it lies in running/ still.
  expect(await worker.workOn(due)).toBe('done');
  expect(asked).toEqual(['execute', 'finish the pause of r2']);
});

const begins = { ...entry, kind: 'new', runId: null } as const;
const taken = new ContextStoreError('Owner 8 has taken run r1 from owner 7.', { code: 'owned' });

it('a task of a process that has its place for itself begins without a look at other runs; an attempt after it goes on with the run that it left', async () => {
  const metadata = { host: 'forge.test', taskKeyText: 'github_issue:acme:shop:1' };
  const asked: string[] = [];
  const runs = {
    shutdown: new AbortController().signal,
    begin: async () => {
      asked.push(`begin after ${looks.count} looks`);
      throw new Error('403');
    },
    finishPause: async () => void asked.push('go on'),
  };
  const running = [
    { uuid: 'r0', metadata, outcome: { status: 'failed' } },
    { uuid: 'r1', metadata, outcome: null },
  ];
  const { worker, looks, clock } = openWorker(async () => runs as never, { running });
  expect(await worker.workOn(begins)).toEqual({ againAfterMs: 1_000 });
  clock.ms += 1_000;
  const [due] = await worker.listDue();
  if (due === undefined) throw new Error('nothing is due');
  expect(await worker.workOn(due)).toBe('done');
  expect(asked).toEqual(['begin after 0 looks', 'go on']);
});

describe('a worker among others that share the queue', () => {
  it('goes on with the run that a dead process left of a thread, though the entry is for a new one, and begins none beside it [NX-139]', async () => {
    const asked: string[] = [];
    const runs = {
      shutdown: new AbortController().signal,
      begin: async () => {
        asked.push('begin');
        return null;
      },
      finishPause: async ({ pausing }: { readonly pausing: { readonly uuid: string } }) =>
        void asked.push(`go on with ${pausing.uuid}`),
    };
    const metadata = { host: 'forge.test', taskKeyText: 'github_issue:acme:shop:1' };
    const left = { uuid: 'r1', metadata, outcome: null };
    const elsewhere = { ...left, uuid: 'r2', metadata: { ...metadata, host: 'other.test' } };
    const load = async () => runs as never;
    const { worker } = openWorker(load, { running: [elsewhere, left], isShared: true });
    expect(await worker.workOn(begins)).toBe('done');
    expect(asked).toEqual(['go on with r1']);
    const other = openWorker(load, { running: [elsewhere], isShared: true });
    expect(await other.worker.workOn(begins)).toBe('done');
    expect(asked).toEqual(['go on with r1', 'begin']);
  });

  it.each([
    ['paused', 'running', ['recover']],
    ['paused', 'paused', ['resume']],
    ['interrupted', 'paused', []],
    ['interrupted', 'running', ['recover']],
    ['paused', 'completed', []],
  ] as const)(
    'goes on with a run that was offered as %s, and whose record says %s by now, as that says [NX-176]',
    async (kind, place, done) => {
      const asked: string[] = [];
      const note = (name: string) => async () => void asked.push(name);
      const runs = {
        shutdown: new AbortController().signal,
        ...{ recover: note('recover'), resume: note('resume') },
      };
      const { worker } = openWorker(async () => runs as never, { place, isShared: true, pause: null });
      expect(await worker.workOn({ ...entry, kind })).toBe('done');
      expect(asked).toEqual(done);
    },
  );

  it('ends its slice without a word where another process has taken the run over, and leaves the thread to it [NX-140]', async () => {
    const { worker, told, lines } = openWorker(
      async () =>
        ({
          shutdown: new AbortController().signal,
          finishPause: () => Promise.reject(new Error('This could not be written.', { cause: taken })),
        }) as never,
    );
    expect(await worker.workOn({ ...entry, kind: 'interrupted' })).toBe('later');
    expect([told, lines, worker.listDeferred(), await worker.listDue()]).toEqual([[], [], [], []]);
  });

  it('reads what it left from its record again whenever the queue gives it, which keeps the pause: another may have had it meanwhile [NX-158]', async () => {
    const asked: string[] = [];
    const runs = {
      shutdown: new AbortController().signal,
      finishPause: async () => {
        asked.push('the record');
        if (asked.length === 1)
          throw new DeferredError(async () => void asked.push('again'), { cause: null });
        if (asked.length < 4) throw new Error('403');
      },
    };
    const { worker } = openWorker(async () => runs as never, { isShared: true });
    const interrupted = { ...entry, kind: 'interrupted' } as const;
    const results = ['later', { againAfterMs: 1_000 }, { againAfterMs: 2_000 }, 'done'];
    for (const result of results) expect(await worker.workOn(interrupted)).toEqual(result);
    expect(asked).toEqual(results.map(() => 'the record'));
  });

  it('listens to the thread of what it left until the time of its next attempt: from then on any process may have it [NX-179]', async () => {
    const runs = {
      shutdown: new AbortController().signal,
      finishPause: () => Promise.reject(new Error('403')),
    };
    const { worker, clock } = openWorker(async () => runs as never, { isShared: true });
    const interrupted = { ...entry, kind: 'interrupted' } as const;
    expect(await worker.workOn(interrupted)).toEqual({ againAfterMs: 1_000 });
    clock.ms += 999;
    expect(worker.listResting()).toEqual([interrupted]);
    clock.ms += 1;
    expect([worker.listResting(), worker.listDeferred()]).toEqual([[], [interrupted]]);
  });

  it('has the end of a run that cannot be shown tried apart from its thread, which is free for another, until it is shown [NX-159]', async () => {
    const metadata = { host: 'forge.test', taskKeyText: 'github_issue:acme:shop:1' };
    const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
    const asked: string[] = [];
    const error = new Error('403 for the label');
    const open = [{ entry: { id: 'label', kind: 'label' } as never, error }];
    const ended = { uuid, status: 'completed', name: 'acme/shop#1', open, again: async () => [] } as const;
    const runs = {
      shutdown: new AbortController().signal,
      begin: async () => {
        asked.push('begin another');
        return null;
      },
      finishPause: async () => {
        asked.push('show the end');
        if (asked.length < 5) throw new OpenEndError(ended);
      },
    };
    const running = [{ uuid, metadata, outcome: { status: 'completed' } }];
    const { worker, queue, shown, unsettled } = openWorker(async () => runs as never, {
      running,
      isShared: true,
    });
    // Its process died when its end was a fact, and nobody had been told.
    expect(await worker.workOn(begins)).toBe('done');
    const [end] = await queue.waiting();
    expect(end).toMatchObject({ ...begins, key: toEndKey(begins.key, uuid), kind: 'ended', runId: uuid });
    if (end === undefined) throw new Error('Its end is lost.');
    expect(readTaskKey(end)).toEqual(readTaskKey(begins));
    expect(await worker.workOn(begins)).toBe('done');
    expect(asked).toEqual(['show the end', 'begin another']);
    expect(await worker.workOn(end)).toEqual({ againAfterMs: 15_000 });
    expect(await worker.workOn(end)).toEqual({ againAfterMs: 30_000 });
    expect([worker.listDeferred(), unsettled.count]).toEqual([[], 1]);
    const reason = expect.stringContaining('403 for the label (rounds: 2, next: 1970-01-01T00:00:30');
    expect(shown.at(-1)).toMatchObject({ type: 'outbox', uuid, open: { kinds: ['label'], reason } });
    expect(await worker.workOn(end)).toBe('done');
    await unsettled.forgetSettled({ readRun: async () => ({ place: 'completed' }) as never });
    expect([shown.at(-1), unsettled.count]).toEqual([
      { type: 'outbox', uuid, name: 'acme/shop#1', open: null },
      0,
    ]);
  });

  it('gives back what a shutdown cuts short, so that another goes on with it at once [NX-158]', async () => {
    const stop = new AbortController();
    const begin = async () => {
      stop.abort();
      return null;
    };
    const runs = { shutdown: stop.signal, begin };
    const { worker } = openWorker(async () => runs as never);
    expect([await worker.workOn(begins), await worker.workOn(begins)]).toEqual([
      { againAfterMs: 0 },
      { againAfterMs: 0 },
    ]);
  });
});
