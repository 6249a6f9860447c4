import type { ShownRun } from '@agent/run-store';
import type { RunLogger } from '../ports.ts';
import { DeferredError } from '../run/left-for-later.ts';
import type { ConfiguredPlatform, RunParts } from '../run/run.ts';
import { type QueueEntry, readTaskKey, type WorkOnEntry } from './task-queue.ts';

/** Parts that cost time to load: made when the first task needs them. */
export type LoadRunParts = () => Promise<RunParts>;

export interface TaskWorkerOptions {
  readonly load: LoadRunParts;
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
        const parts = await load();
        if (parts.shutdown.aborted) return 'done';
        await (again?.() ?? tasks[entry.kind](parts, task, options));
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
  parts: RunParts,
  task: Task,
  options: Pick<TaskWorkerOptions, 'readRun' | 'giveUp'>,
) => Promise<void>;

const tasks: Readonly<Record<QueueEntry['kind'], WorkOnTask>> = {
  new: async (parts, task) => {
    const { beginRun } = await import('../run/begin.ts');
    const summary = { key: readTaskKey(task.entry) };
    await carryOut(parts, task, await beginRun(parts, { summary, platform: task.platform() }));
  },
  retry: async (parts, task) => {
    const { beginRetry } = await import('../run/retry-run.ts');
    const failed = { uuid: requireRunId(task.entry), platform: task.platform() };
    await carryOut(parts, task, await beginRetry(parts, failed));
  },
  interrupted: async (parts, { entry, platform }, { readRun }) => {
    const { finishPause, resumeRun } = await import('../run/recover.ts');
    const run = await readRun(requireRunId(entry));
    const { uuid, metadata, outcome, pause } = run;
    const isGoingOn = outcome === null || outcome.status === 'paused';
    if (isGoingOn && pause?.status === 'paused')
      await finishPause(parts, { pausing: { uuid, metadata, state: pause }, platform: platform() });
    else await resumeRun(parts, { unfinished: { uuid, metadata, outcome }, platform: platform() });
  },
  paused: async (parts, { entry, platform }, { readRun, giveUp }) => {
    const { resumePausedRun } = await import('../run/resume.ts');
    const { uuid, metadata } = await readRun(requireRunId(entry));
    await resumePausedRun(parts, {
      paused: { uuid, metadata },
      platform: platform(),
      giveUp: () => giveUp(uuid),
    });
  },
};

async function carryOut(
  parts: RunParts,
  task: Task,
  begun: Awaited<ReturnType<typeof import('../run/begin.ts').beginRun>>,
): Promise<void> {
  if (begun === null) return;
  const { executeRun } = await import('../run/execute.ts');
  task.runId = begun.run.uuid;
  await executeRun(parts, begun.run, begun.snapshot);
}

function requireRunId({ key, kind, runId }: QueueEntry): string {
  if (runId === null) throw new Error(`The entry of ${key} is of kind ${kind} and names no run.`);
  return runId;
}
