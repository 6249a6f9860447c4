import { formatTaskKey, type TaskSummary } from '@agent/platforms';
import type { PausedRun, RunMetadata, UnfinishedRun } from '@agent/run-store';
import type { PendingTask } from '../queue/pending-task.ts';
import type { PausedTask } from './resume.ts';
import type { RetriedRun } from './retry-run.ts';
import type { ConfiguredPlatform, RunParts } from './run.ts';

/** Parts that cost time to load: made when the first task needs them. */
export type LoadRunParts = () => Promise<RunParts>;

/** A task found by its label, ready for the queue. */
export function toNewTask(
  load: LoadRunParts,
  found: { readonly summary: TaskSummary; readonly platform: ConfiguredPlatform },
): PendingTask {
  const key = nameThread(found.platform, formatTaskKey(found.summary.key));
  return toTask(load, { key, platform: found.platform }, async (parts) => {
    const [{ beginRun }, { executeRun }] = await Promise.all([import('./begin.ts'), import('./execute.ts')]);
    const begun = await beginRun(parts, found);
    if (begun !== null) await executeRun(parts, begun.run, begun.snapshot);
  });
}

/** A run that an earlier process left. */
export function toUnfinishedTask(
  load: LoadRunParts,
  left: { readonly unfinished: UnfinishedRun; readonly platform: ConfiguredPlatform },
): PendingTask {
  return toTask(load, ofRun(left.platform, left.unfinished.metadata), async (parts) => {
    const { resumeRun } = await import('./recover.ts');
    await resumeRun(parts, left);
  });
}

/** A pause that a crash cut short. */
export function toPausingTask(
  load: LoadRunParts,
  left: { readonly pausing: PausedRun; readonly platform: ConfiguredPlatform },
): PendingTask {
  return toTask(load, ofRun(left.platform, left.pausing.metadata), async (parts) => {
    const { finishPause } = await import('./recover.ts');
    await finishPause(parts, left);
  });
}

/** A paused run that may go on. */
export function toPausedTask(load: LoadRunParts, left: PausedTask): PendingTask {
  return toTask(load, ofRun(left.platform, left.paused.metadata), async (parts) => {
    const { resumePausedRun } = await import('./resume.ts');
    await resumePausedRun(parts, left);
  });
}

/** A run that failed and is to be gone on from. */
export function toRetriedTask(
  load: LoadRunParts,
  failed: RetriedRun & { readonly taskKeyText: string },
): PendingTask {
  const { platform, taskKeyText } = failed;
  return toTask(load, { key: nameThread(platform, taskKeyText), platform }, async (parts) => {
    const { retryRun } = await import('./retry-run.ts');
    await retryRun(parts, failed);
  });
}

function toTask(
  load: LoadRunParts,
  thread: Omit<PendingTask, 'run'>,
  run: (parts: RunParts) => Promise<void>,
): PendingTask {
  return {
    ...thread,
    run: async () => {
      const parts = await load();
      if (!parts.shutdown.aborted) await run(parts);
    },
  };
}

function ofRun(platform: ConfiguredPlatform, metadata: RunMetadata): Omit<PendingTask, 'run'> {
  return { key: nameThread(platform, metadata.taskKeyText), platform };
}

/** One name for one thread, whatever found it; never two runs of it at the same time. */
function nameThread({ platform }: ConfiguredPlatform, key: string): string {
  return `${platform.host} ${key}`;
}
