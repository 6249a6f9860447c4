import type { Platform, TaskSummary } from '@agent/platforms';
import type { DaemonLogger } from './log/logger.ts';
import type { TaskQueue } from './task-queue.ts';

/** A task to run: a new one found on a platform, or one that an earlier process left unfinished. */
export interface PendingTask {
  readonly key: string;
  readonly run: () => Promise<void>;
}

export interface DaemonParts {
  readonly platforms: readonly { readonly platform: Platform; readonly label: string }[];
  readonly queue: TaskQueue;
  readonly toTask: (found: TaskSummary, platform: Platform) => PendingTask;
  /** What an earlier process left in running/. */
  readonly listUnfinished: () => Promise<readonly PendingTask[]>;
  readonly logger: DaemonLogger;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface DaemonOptions {
  /** Ends when the queue is empty instead of looking for work for ever. */
  readonly once: boolean;
  readonly pollIntervalMs: number;
  /** Ends the search for work; tasks that run end at their next step. */
  readonly signal: AbortSignal;
}

/**
 * Finds tasks and runs them. Unfinished runs come first, so that what a crash interrupted is not begun anew.
 *
 * @returns whether the last look at every platform worked
 */
export async function runDaemon(parts: DaemonParts, options: DaemonOptions): Promise<boolean> {
  for (const task of await parts.listUnfinished()) {
    parts.logger.info({ task: task.key }, 'resuming an unfinished run');
    parts.queue.add(task.key, task.run);
  }
  let looked = true;
  while (!options.signal.aborted) {
    const found = await enqueueNewTasks(parts, options);
    looked = found !== null;
    if (options.once) {
      await parts.queue.whenIdle();
      if (found === null || found === 0) break;
    } else {
      await parts.sleep(options.pollIntervalMs, options.signal);
    }
  }
  parts.queue.clear();
  await parts.queue.whenIdle();
  return looked;
}

/** How many tasks were new; null when a platform could not be asked (it is asked again at the next poll). */
async function enqueueNewTasks(parts: DaemonParts, options: DaemonOptions): Promise<number | null> {
  let added: number | null = 0;
  for (const { platform, label } of parts.platforms) {
    const query = { label, assignee: null, state: 'open' as const, signal: options.signal };
    try {
      const summaries = await platform.tasks.listTasks(query);
      const tasks = summaries.map((summary) => parts.toTask(summary, platform));
      const fresh = tasks.filter((task) => parts.queue.add(task.key, task.run)).length;
      parts.logger.debug(
        { platform: platform.name, found: summaries.length, new: fresh },
        'looked for tasks',
      );
      if (added !== null) added += fresh;
    } catch (error) {
      if (options.signal.aborted) return added;
      parts.logger.error({ platform: platform.name, err: error }, 'looking for tasks failed');
      added = null;
    }
  }
  return added;
}
