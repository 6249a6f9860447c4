import type { TaskSummary } from '@agent/platforms';
import type { ObserveBoard } from './board/board-event.ts';
import type { DaemonLogger } from './log/logger.ts';
import type { PendingTask } from './pending-task.ts';
import type { ConfiguredPlatform } from './task/run-parts.ts';
import type { TaskQueue } from './task-queue.ts';

export interface DaemonParts {
  readonly platforms: readonly ConfiguredPlatform[];
  readonly queue: TaskQueue;
  readonly toTask: (found: { summary: TaskSummary; platform: ConfiguredPlatform }) => PendingTask;
  /** What stands in running/: left by an earlier process, or by this one when a platform could not be reached. */
  readonly listUnfinished: () => Promise<readonly PendingTask[]>;
  readonly logger: DaemonLogger;
  readonly observe: ObserveBoard;
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
  let looked = true;
  for (let round = 0; !options.signal.aborted; round += 1) {
    // With --once a run that cannot be finished now is left for the next start, not tried for ever.
    if (round === 0 || !options.once) await enqueueUnfinished(parts);
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

async function enqueueUnfinished(parts: DaemonParts): Promise<void> {
  for (const task of await parts.listUnfinished()) parts.queue.add(task);
}

/** How many tasks were new; null when a platform could not be asked (it is asked again at the next poll). */
async function enqueueNewTasks(parts: DaemonParts, options: DaemonOptions): Promise<number | null> {
  let added: number | null = 0;
  for (const configured of parts.platforms) {
    const { platform, labels } = configured;
    const query = { label: labels.waiting, assignee: null, state: 'open' as const, signal: options.signal };
    try {
      const summaries = await platform.tasks.listTasks(query);
      const tasks = summaries.map((summary) => parts.toTask({ summary, platform: configured }));
      const fresh = tasks.filter((task) => parts.queue.add(task)).length;
      parts.logger.debug(
        { platform: platform.name, found: summaries.length, new: fresh },
        'looked for tasks',
      );
      parts.observe({ type: 'look', platform: platform.name, error: null });
      if (added !== null) added += fresh;
    } catch (error) {
      if (options.signal.aborted) return added;
      parts.logger.error({ platform: platform.name, err: error }, 'looking for tasks failed');
      parts.observe({ type: 'look', platform: platform.name, error: (error as Error).message });
      added = null;
    }
  }
  return added;
}
