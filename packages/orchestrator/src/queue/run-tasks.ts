import type { PlaceFailure, TaskSummary } from '@agent/platforms';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../ports.ts';
import type { ConfiguredPlatform } from '../run/run.ts';
import type { KeptPause, KeptRuns } from './list-kept-runs.ts';
import type { PendingTask } from './pending-task.ts';
import type { TaskQueue } from './task-queue.ts';

export interface DaemonParts {
  readonly platforms: readonly ConfiguredPlatform[];
  readonly queue: TaskQueue;
  readonly toTask: (found: { summary: TaskSummary; platform: ConfiguredPlatform }) => PendingTask;
  readonly kept: KeptRuns;
  /** Whether everything on this host is to pause: then nothing is begun or resumed. */
  readonly isPaused: () => Promise<boolean>;
  readonly logger: RunLogger;
  readonly observe: ObserveBoard;
  /** Told at each look which repositories of a platform could not be asked. */
  readonly reportPlaces: (platform: string, failures: readonly PlaceFailure[]) => void;
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
 * @returns whether the last look reached every repository of every platform, and no run was left for later
 */
export async function runDaemon(parts: DaemonParts, options: DaemonOptions): Promise<boolean> {
  let looked = true;
  // A round under the pause signal begins nothing, so it is not the first one.
  let first = true;
  while (!options.signal.aborted) {
    const paused = await parts.isPaused();
    const found = paused ? sayPaused(parts) : await enqueueWork(parts, { ...options, first });
    looked = found.everywhere;
    if (!paused) first = false;
    parts.keepUp();
    if (options.once) {
      await parts.queue.whenIdle();
      if (found.added === 0) break;
    } else {
      await parts.sleep(options.pollIntervalMs, options.signal);
    }
  }
  parts.queue.clear();
  await parts.queue.whenIdle();
  return looked && parts.queue.countLater() === 0;
}

/** What a look for work came to. */
interface Look {
  /** How many tasks were added. */
  readonly added: number;
  /** Whether every repository of every platform could be asked. */
  readonly everywhere: boolean;
}

function sayPaused({ logger }: DaemonParts): Look {
  logger.info({}, 'the pause signal is set: nothing is begun or resumed');
  return { added: 0, everywhere: true };
}

async function enqueueWork(
  parts: DaemonParts,
  options: DaemonOptions & { readonly first: boolean },
): Promise<Look> {
  const paused = await parts.kept.listPaused();
  // With --once what is kept is tried one time: what cannot be finished now is left for the next start.
  if (!options.once) parts.queue.retryLater();
  const { first, once } = options;
  const kept = first || !once ? await listKeptTasks(parts, { paused, first }) : [];
  const added = kept.filter((task) => parts.queue.add(task)).length;
  const found = await enqueueNewTasks(parts, { ...options, paused });
  return { ...found, added: added + found.added };
}

async function listKeptTasks(
  { kept }: DaemonParts,
  { paused, first }: { readonly paused: readonly KeptPause[]; readonly first: boolean },
): Promise<readonly PendingTask[]> {
  // Looking at running/ tidies up there, which must not happen while a run is being begun.
  const unfinished = first ? await kept.listUnfinished() : [];
  const resumed = paused.filter(({ held }) => !held).map(({ task }) => task);
  return [...unfinished, ...resumed, ...(await kept.listRetries())];
}

async function enqueueNewTasks(
  parts: DaemonParts,
  options: DaemonOptions & { readonly paused: readonly KeptPause[] },
): Promise<Look> {
  let look: Look = { added: 0, everywhere: true };
  for (const configured of parts.platforms) {
    const { platform, trigger } = configured;
    try {
      const { tasks: summaries, failures } = await trigger.listWaiting({ signal: options.signal });
      const tasks = summaries.map((summary) => {
        const task = parts.toTask({ summary, platform: configured });
        // Labelled again while its run is paused: the run goes on, whoever held it.
        return options.paused.find((one) => one.task.key === task.key)?.task ?? task;
      });
      const fresh = tasks.filter((task) => parts.queue.add(task)).length;
      parts.logger.debug(
        { platform: platform.name, found: summaries.length, new: fresh, failed: failures.length },
        'looked for tasks',
      );
      parts.reportPlaces(platform.name, failures);
      parts.observe({ type: 'look', platform: platform.name, error: null });
      look = { added: look.added + fresh, everywhere: look.everywhere && failures.length === 0 };
    } catch (error) {
      if (options.signal.aborted) return look;
      parts.logger.error({ platform: platform.name, err: error }, 'looking for tasks failed');
      parts.observe({ type: 'look', platform: platform.name, error: (error as Error).message });
      look = { ...look, everywhere: false };
    }
  }
  return look;
}
