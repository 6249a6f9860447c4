import type { RunStore, UnfinishedRun } from '@agent/context-inheritance';
import { formatTaskKey, type TaskSummary } from '@agent/platforms';
import type { ModelMessage } from 'ai';
import type { DaemonLogger } from '../log/logger.ts';
import type { PendingTask } from '../pending-task.ts';
import type { ConfiguredPlatform, RunParts } from './run-parts.ts';

/** Parts that cost time to load: made when the first task needs them. */
export type LoadRunParts = () => Promise<RunParts>;

/** A task found by its label, ready for the queue. */
export function toNewTask(
  load: LoadRunParts,
  found: { readonly summary: TaskSummary; readonly platform: ConfiguredPlatform },
): PendingTask {
  return {
    key: taskName(found.platform, formatTaskKey(found.summary.key)),
    run: async () => {
      const parts = await load();
      const [{ beginRun }, { carryOutRun }] = await Promise.all([
        import('./begin-run.ts'),
        import('./carry-out-run.ts'),
      ]);
      const begun = parts.shutdown.aborted ? null : await beginRun(parts, found);
      if (begun !== null) await carryOutRun(parts, begun.run, begun.snapshot);
    },
  };
}

export interface UnfinishedSource {
  readonly store: RunStore<ModelMessage>;
  readonly platforms: readonly ConfiguredPlatform[];
  readonly logger: DaemonLogger;
}

/** The runs that an earlier process left, ready for the queue. What cannot be read or has no platform is said and left. */
export async function listUnfinishedTasks(
  load: LoadRunParts,
  { store, platforms, logger }: UnfinishedSource,
): Promise<readonly PendingTask[]> {
  const { runs, damaged } = await store.listUnfinished();
  for (const { name, reason } of damaged) logger.error({ name, reason }, 'a run in running/ cannot be read');
  return runs.flatMap((unfinished) => {
    const platform = platforms.find((one) => one.platform.host === unfinished.metadata.host);
    if (platform !== undefined) return [toUnfinishedTask(load, { unfinished, platform })];
    const { uuid, metadata } = unfinished;
    logger.error({ uuid, host: metadata.host }, 'a run belongs to a platform that is not configured');
    return [];
  });
}

function toUnfinishedTask(
  load: LoadRunParts,
  left: { readonly unfinished: UnfinishedRun; readonly platform: ConfiguredPlatform },
): PendingTask {
  return {
    key: taskName(left.platform, left.unfinished.metadata.taskKeyText),
    run: async () => {
      const parts = await load();
      const { resumeRun } = await import('./resume-run.ts');
      if (!parts.shutdown.aborted) await resumeRun(parts, left);
    },
  };
}

/** One name for one thread, whatever found it; never two runs of it at the same time. */
function taskName({ platform }: ConfiguredPlatform, key: string): string {
  return `${platform.host} ${key}`;
}
