import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { openReader } from '../host/open-records.ts';
import { DeferredError, OpenIntentError } from '../intents/call-with-retry.ts';
import type { Runs } from '../parts/assemble-runs.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { createAssignmentTrigger } from '../triggers/assignment-trigger.ts';
import { createTaskWorker, type LoadRuns } from './create-task-worker.ts';
import { createFailedRuns } from './failed-runs.ts';
import { MemoryTaskQueue } from './memory-task-queue.ts';
import { createRunRecovery } from './run-recovery.ts';
import { runTasks } from './run-tasks.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

/** Empties the queue once, with one thread that waits and a worker that loads its runs like this. */
async function runOnce(load: LoadRuns, finder = createAssignmentTrigger(bed.platform)) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const { store, platform } = bed;
  const now = () => bed.clock.ms;
  const sleep = async (): Promise<void> => {};
  const storage = bed.openStorage();
  const { controls } = storage;
  const reader = openReader(storage);
  const failed = createFailedRuns({ reader, controls, platforms: [], now, logger });
  const recovery = createRunRecovery({
    ...{ store, controls, failed, now, logger, platforms: [], pausedTaskExpiryDays: 7 },
    listener: { listen: async () => {} },
    readRun: reader.readRun,
    show: async () => {},
  });
  const worker = createTaskWorker({
    ...{
      load,
      platforms: [{ platform } as unknown as ConfiguredPlatform],
      reader,
      giveUp: recovery.giveUp,
    },
    tell: async () => {},
    controls,
    now,
    logger,
  });
  let polls = 0;
  const everywhere = await runTasks(
    {
      ...{ worker, recovery, logger, sleep, platforms: [{ platform, trigger: finder }] },
      queue: new MemoryTaskQueue({ concurrency: 1, sleep }),
      isPaused: async () => false,
      observe: () => {},
      keepUp: () => {
        polls += 1;
      },
    },
    { once: true, readPollIntervalMs: () => 1_000, signal: new AbortController().signal },
  );
  return { everywhere, polls, looks: lines.filter(({ msg }) => msg === 'polled for tasks'), lines };
}

it('a run that waits for another attempt is listened to, and tried in the same poll once somebody tells it to stop [NX-130]', async () => {
  const { store, platform, clock } = bed;
  // Its next attempt is never due: this clock stands.
  const now = () => clock.ms;
  const uuid = await bed.addRun({ status: 'failed', isSettled: false });
  const stop = new AbortController();
  const logger = pino({ level: 'silent' });
  const storage = bed.openStorage();
  const { controls } = storage;
  const platforms = [
    { platform, trigger: createAssignmentTrigger(platform) },
  ] as unknown as ConfiguredPlatform[];
  const reader = openReader(storage);
  const listened: unknown[] = [];
  const attempts: string[] = [];
  const recovery = createRunRecovery({
    ...{ store, controls, now, logger, platforms, pausedTaskExpiryDays: 7, readRun: reader.readRun },
    failed: { listHeld: async () => [], listRetries: async () => [] },
    listener: {
      listen: async (held) => {
        listened.push(held.map((one) => [one.paused.uuid, one.standing]));
        if (held.length > 0) await controls.request(uuid, 'stop');
      },
    },
    show: async () => {},
  });
  const recover = async () => {
    attempts.push((await controls.read(uuid)).join());
    if (attempts.length === 1) throw new OpenIntentError('push', { cause: new Error('403') });
    stop.abort();
  };
  const worker = createTaskWorker({
    load: async () => ({ shutdown: stop.signal, recover }) as unknown as Runs,
    ...{
      platforms,
      reader,
      giveUp: recovery.giveUp,
      tell: async () => {},
      controls,
      now,
      logger,
    },
  });
  let polls = 0;
  await runTasks(
    {
      ...{ platforms, worker, recovery, logger, isPaused: async () => false, observe: () => {} },
      queue: new MemoryTaskQueue({ concurrency: 1, sleep: async () => {} }),
      sleep: async () => {
        polls += 1;
        await expect.poll(() => attempts.length).toBe(polls);
      },
      keepUp: () => {},
    },
    { once: false, readPollIntervalMs: () => 1_000, signal: stop.signal },
  );
  expect(attempts).toEqual(['', 'stop']);
  expect(listened).toEqual([[], [[uuid, 'left']]]);
});

it('looks again until nothing new waits, and says of each look what it found', async () => {
  bed.platform.people.assign(bed.key, ['agent'], { by: 'alice' });
  const { everywhere, polls, looks } = await runOnce(() => Promise.reject(new Error('no model')));
  expect({ everywhere, polls }).toEqual({ everywhere: false, polls: 2 });
  expect(looks).toMatchObject([
    { platform: bed.platform.name, found: 1, new: 1, failed: 0 },
    { platform: bed.platform.name, found: 1, new: 0, failed: 0 },
  ]);
});

it('ends incomplete where a run was left for later, or a platform could not be asked', async () => {
  bed.platform.people.assign(bed.key, ['agent'], { by: 'alice' });
  const later = () => Promise.reject(new DeferredError(async () => {}, { cause: null }));
  expect((await runOnce(later)).everywhere).toBe(false);
  bed.platform.failNext({ operation: 'listTasks', error: new Error('down'), times: 9 });
  expect((await runOnce(later)).everywhere).toBe(false);
});

it('ends, incomplete, where an adapter lists a thread as waiting whoever is assigned', async () => {
  const tasks: typeof bed.platform.tasks = {
    listTasks: (query) => bed.platform.tasks.listTasks({ ...query, assignee: null }),
  };
  let begins = 0;
  const load = () => {
    begins += 1;
    return Promise.resolve({
      shutdown: new AbortController().signal,
      begin: async () => null,
    } as unknown as Runs);
  };
  const { everywhere, lines } = await runOnce(load, createAssignmentTrigger({ ...bed.platform, tasks }));
  expect([everywhere, begins]).toEqual([false, 10]);
  expect(lines.filter(({ level }) => level === 50)).toMatchObject([
    {
      task: expect.stringContaining('github_issue'),
      msg: expect.stringContaining('check that `listTasks` filters'),
    },
  ]);
});
