import type { ShownRun } from '@agent/run-store';
import type { Runs } from '../assemble-runs.ts';
import type { RunLogger } from '../ports.ts';
import type { BegunRun } from '../run/begin.ts';
import { DeferredError } from '../run/call-with-retry.ts';

import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { type QueueEntry, readTaskKey, type WorkOnEntry } from './task-queue.ts';

/** The life of runs costs time to load: it is made when the first task needs it. */
export type LoadRuns = () => Promise<Runs>;

export interface TaskWorkerOptions {
  readonly load: LoadRuns;
  readonly platforms: readonly ConfiguredPlatform[];
  /** Reads what is known of a run, wherever it lies. */
  readonly readRun: (
    uuid: string,
  ) => Promise<Pick<ShownRun<unknown>, 'uuid' | 'metadata' | 'pause' | 'outcome'>>;
  /** Hears of a paused run that cannot be restored, so that its thread may begin a new one. */
  readonly giveUp: (uuid: string) => void;
  /** Hears of a task that failed, and says whether it may be added again; else its thread is left alone until the next start. */
  readonly mayRetry: (error: unknown) => boolean;
  readonly logger: Pick<RunLogger, 'error'>;
}

/** Carries out the entries of a queue. */
export interface TaskWorker {
  readonly workOn: WorkOnEntry;
  /** Lists the runs of this process that an outage interrupted, to be added to the queue again. */
  readonly listDeferred: () => readonly QueueEntry[];
}

interface Deferred {
  readonly entry: QueueEntry;
  readonly again: () => Promise<void>;
}

/** Creates what carries out the entries of a queue. The parts of runs are loaded with the first. */
export function createTaskWorker(options: TaskWorkerOptions): TaskWorker {
  const { load, mayRetry, logger } = options;
  const deferred = new Map<string, Deferred>();
  const findPlatform = (host: string): ConfiguredPlatform => {
    const found = options.platforms.find(({ platform }) => platform.host === host);
    if (found === undefined) throw new Error(`No platform of the configuration has the host ${host}.`);
    return found;
  };
  return {
    listDeferred: () => [...deferred.values()].map(({ entry }) => entry),
    workOn: async (entry) => {
      const { key } = entry;
      const again = deferred.get(key)?.again ?? null;
      deferred.delete(key);
      const task: Task = { entry, platform: () => findPlatform(entry.platform), runId: entry.runId };
      try {
        const runs = await load();
        if (runs.shutdown.aborted) return 'done';
        await (again?.() ?? tasks[entry.kind](runs, task, options));
        return 'done';
      } catch (error) {
        if (error instanceof DeferredError) {
          const interrupted = { ...entry, kind: 'interrupted', runId: task.runId } as const;
          // This process remembers where it stood; another one reads it from the run's record.
          deferred.set(key, { entry: interrupted, again: error.again });
          return 'later';
        }
        const retried = mayRetry(error);
        logger.error({ task: key, err: error, retried }, 'a task could not be carried out');
        return retried ? 'done' : 'closed';
      }
    },
  };
}

/** A task while it is carried out. */
interface Task {
  readonly entry: QueueEntry;
  /** Throws where it is not configured any more. */
  readonly platform: () => ConfiguredPlatform;
  /** The run that carries it, as soon as there is one. */
  runId: string | null;
}

type WorkOnTask = (
  runs: Runs,
  task: Task,
  options: Pick<TaskWorkerOptions, 'readRun' | 'giveUp'>,
) => Promise<void>;

const tasks: Readonly<Record<QueueEntry['kind'], WorkOnTask>> = {
  new: async (runs, task) => {
    const summary = { key: readTaskKey(task.entry) };
    await execute(runs, task, await runs.begin({ summary, platform: task.platform() }));
  },
  retry: async (runs, task) => {
    const failed = { uuid: requireRunId(task.entry), platform: task.platform() };
    await execute(runs, task, await runs.beginRetry(failed));
  },
  interrupted: async ({ finishPause, recover }, { entry, platform }, { readRun }) => {
    const { uuid, metadata, outcome, pause } = await readRun(requireRunId(entry));
    const isGoingOn = outcome === null || outcome.status === 'paused';
    if (isGoingOn && pause?.status === 'paused')
      await finishPause({ pausing: { uuid, metadata, state: pause }, platform: platform() });
    else await recover({ unfinished: { uuid, metadata, outcome }, platform: platform() });
  },
  paused: async ({ resume }, { entry, platform }, { readRun, giveUp }) => {
    const { uuid, metadata } = await readRun(requireRunId(entry));
    await resume({
      paused: { uuid, metadata },
      platform: platform(),
      giveUp: () => giveUp(uuid),
    });
  },
};

async function execute(runs: Runs, task: Task, begun: BegunRun | null): Promise<void> {
  if (begun === null) return;
  task.runId = begun.run.uuid;
  await runs.execute(begun, begun.snapshot);
}

function requireRunId({ key, kind, runId }: QueueEntry): string {
  if (runId === null) throw new Error(`The entry of ${key} is of kind ${kind} and names no run.`);
  return runId;
}
