import type { TaskSummary } from '@agent/platforms';
import type { ObserveBoard } from './board/board-event.ts';
import type { KeptPause, KeptRuns } from './list-kept-runs.ts';
import type { DaemonLogger } from './log/logger.ts';
import type { PendingTask } from './pending-task.ts';
import type { ConfiguredPlatform } from './task/run-parts.ts';
import type { TaskQueue } from './task-queue.ts';

export interface DaemonParts {
  readonly platforms: readonly ConfiguredPlatform[];
  readonly queue: TaskQueue;
  readonly toTask: (found: { summary: TaskSummary; platform: ConfiguredPlatform }) => PendingTask;
  readonly kept: KeptRuns;
  /** Whether everything on this host is to pause: then nothing is begun or resumed. */
  readonly isPaused: () => Promise<boolean>;
  readonly logger: DaemonLogger;
  readonly observe: ObserveBoard;
  /** Called after each look, for what is done beside the work; never throws. */
  readonly keepUp: () => void;
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
 * Finds tasks and runs them. Unfinished and paused runs come first, so that what was interrupted is not begun anew.
 *
 * @returns whether the last look at every platform worked, and no run was left for later
 */
export async function runDaemon(parts: DaemonParts, options: DaemonOptions): Promise<boolean> {
  let looked = true;
  // A round under the pause signal begins nothing, so it is not the first one.
  let first = true;
  while (!options.signal.aborted) {
    const paused = await parts.isPaused();
    const found = paused ? sayPaused(parts) : await enqueueWork(parts, { ...options, first });
    looked = found !== null;
    if (!paused) first = false;
    parts.keepUp();
    if (options.once) {
      await parts.queue.whenIdle();
      if (found === null || found === 0) break;
    } else {
      await parts.sleep(options.pollIntervalMs, options.signal);
    }
  }
  parts.queue.clear();
  await parts.queue.whenIdle();
  return looked && parts.queue.countLater() === 0;
}

function sayPaused({ logger }: DaemonParts): number {
  logger.info({}, 'the pause signal is set: nothing is begun or resumed');
  return 0;
}

/** How many tasks were added; null when a platform could not be asked. */
async function enqueueWork(
  parts: DaemonParts,
  options: DaemonOptions & { readonly first: boolean },
): Promise<number | null> {
  const paused = await parts.kept.listPaused();
  // With --once what is kept is tried one time: what cannot be finished now is left for the next start.
  if (!options.once) parts.queue.retryLater();
  const { first, once } = options;
  const kept = first || !once ? await listKeptTasks(parts, { paused, first }) : [];
  const added = kept.filter((task) => parts.queue.add(task)).length;
  const found = await enqueueNewTasks(parts, { ...options, paused });
  return found === null ? null : added + found;
}

async function listKeptTasks(
  { kept }: DaemonParts,
  { paused, first }: { readonly paused: readonly KeptPause[]; readonly first: boolean },
): Promise<readonly PendingTask[]> {
  // Looking at running/ tidies up there, which must not happen while a run is being begun.
  const unfinished = first ? await kept.listUnfinished() : [];
  return [...unfinished, ...paused.filter(({ held }) => !held).map(({ task }) => task)];
}

async function enqueueNewTasks(
  parts: DaemonParts,
  options: DaemonOptions & { readonly paused: readonly KeptPause[] },
): Promise<number | null> {
  let added: number | null = 0;
  for (const configured of parts.platforms) {
    const { platform, labels } = configured;
    const query = { label: labels.waiting, assignee: null, state: 'open' as const, signal: options.signal };
    try {
      const summaries = await platform.tasks.listTasks(query);
      const tasks = summaries.map((summary) => {
        const task = parts.toTask({ summary, platform: configured });
        // Labelled again while its run is paused: the run goes on, whoever held it.
        return options.paused.find((one) => one.task.key === task.key)?.task ?? task;
      });
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
