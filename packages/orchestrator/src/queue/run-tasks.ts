import { formatTaskKey } from '@agent/platforms';
import { ContextStoreError, type TaskQueue, type WorkOnEntry } from '@agent/run-store';
import { ErrorEpisodes } from '@agent/text';
import type { ObserveBoard } from '../board/board-event.ts';
import type { RunLogger } from '../host/ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { WaitingThreads } from '../triggers/task-trigger.ts';
import type { TaskWorker } from './create-task-worker.ts';
import { findPriority, type LabelPriorities, type QueueEntry, toThreadKey } from './queue-entry.ts';
import type { PausedEntry, RunRecovery } from './run-recovery.ts';
import { createPlaceReports } from './tell-failures.ts';

export interface RunTasksParts {
  readonly platforms: readonly Pick<ConfiguredPlatform, 'platform' | 'trigger' | 'listPlaces'>[];
  readonly queue: TaskQueue<QueueEntry>;
  readonly worker: TaskWorker;
  readonly recovery: RunRecovery;
  /** Tells whether everything on this host is to pause: then nothing is begun or resumed. */
  readonly isPaused: () => Promise<boolean>;
  /** Order of waiting tasks by their labels. Default: the order in which they are found. */
  readonly priorities?: LabelPriorities | undefined;
  readonly logger: RunLogger;
  readonly observe: ObserveBoard;
  /** Called after each poll, for what is done beside the work; never throws. */
  readonly keepUp: () => void;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Part of a process in work that is shared. */
interface SharedPart {
  /** Tells whether this process is the one that looks for tasks now. */
  readonly isLooking: () => Promise<boolean>;
  /** False for a process that only looks. */
  readonly works: boolean;
}

export interface RunTasksOptions {
  /** Ends when the queue is empty instead of polling for ever. */
  readonly once: boolean;
  /** Milliseconds between two polls, as it stands now. */
  readonly readPollIntervalMs: () => number;
  /** Part of this process, where others share the queue. Default: it has the queue for itself. */
  readonly shared?: SharedPart | undefined;
  /** Ends the search for work, and waits for the tasks that run. */
  readonly signal: AbortSignal;
}

/**
 * Finds tasks and runs them. Unfinished and paused runs come first, so that what was interrupted is not begun anew.
 *
 * @returns whether the last poll reached every repository of every platform, and no run was left for later
 */
export async function runTasks(parts: RunTasksParts, options: RunTasksOptions): Promise<boolean> {
  const { queue, worker, now } = parts;
  const { once, shared, signal } = options;
  const episodes = new ErrorEpisodes({ now });
  const poll = createPoll(parts, { ...options, episodes });
  const workOn: WorkOnEntry<QueueEntry> = (entry, { waitedMs }) => {
    parts.observe({ type: 'queue-begin', kind: entry.kind, waitedMs });
    return worker.workOn(entry);
  };
  const working = once || shared?.works === false ? null : queue.work(workOn, { signal });
  let everywhere = true;
  try {
    while (!signal.aborted) {
      const found =
        ((await shared?.isLooking()) ?? true)
          ? await poll().catch((error: unknown) => deferPoll(error, parts, { ...options, episodes }))
          : await listenOnly(parts);
      everywhere = found.everywhere;
      parts.keepUp();
      if (once) {
        await queue.work(workOn, { signal, untilEmpty: true });
        if (found.added === 0) break;
      } else {
        await parts.sleep(options.readPollIntervalMs(), signal);
      }
    }
  } finally {
    await queue.close();
  }
  await working;
  return everywhere && worker.listDeferred().length === 0;
}

/** Another process looks; what people command the runs that this one left it hears itself. */
async function listenOnly({
  recovery,
  worker,
}: Pick<RunTasksParts, 'recovery' | 'worker'>): Promise<PollResult> {
  await recovery.listenToLeft(worker.listResting());
  await worker.hurryFreed();
  return { added: 0, everywhere: true };
}

/** Left for the next poll: what the disk refuses for a moment is no reason to leave the runs that are at work. @throws with `once` */
function deferPoll(
  error: unknown,
  { logger }: Pick<RunTasksParts, 'logger'>,
  { once, signal, episodes }: PollOptions,
): PollResult {
  const isOwned = ContextStoreError.isInstance(error) && error.code === 'owned';
  if (once || isOwned || signal.aborted) throw error;
  const message = 'failed to read pending work; retrying at next poll';
  episodes.fail(pendingWork, error, { logger, level: 'error', message });
  return { added: 0, everywhere: false };
}

/** Result of a poll. */
interface PollResult {
  /** Number of tasks that were added. */
  readonly added: number;
  /** True when every repository of every platform could be asked. */
  readonly everywhere: boolean;
}

/** Key of the episode in which pending work cannot be read. */
const pendingWork = 'pending work';

interface PollOptions extends RunTasksOptions {
  readonly episodes: ErrorEpisodes;
}

function createPoll(parts: RunTasksParts, options: PollOptions): () => Promise<PollResult> {
  const reportPlaces = createPlaceReports(parts);
  // A poll under the pause signal begins nothing, so it is not the first one.
  let first = true;
  let wasPaused = false;
  const retried = new Set<string>();
  const takeFound = options.once ? createBound(parts.logger) : (found: readonly QueueEntry[]) => found;
  return async () => {
    if (await parts.isPaused()) {
      if (!wasPaused) parts.logger.info({}, 'skipping polls: pause signal is set');
      wasPaused = true;
      return { added: 0, everywhere: true };
    }
    if (wasPaused) parts.logger.info({}, 'polling again: pause signal is no longer set');
    wasPaused = false;
    const paused = await parts.recovery.listPaused(parts.worker.listResting());
    const held = await listHeldEntries(parts, { ...options, paused, first });
    first = false;
    const added =
      (await addAll(parts.queue, held)) + (await addRetries(parts, { retried, once: options.once }));
    await parts.recovery.listenToEnded({ signal: options.signal });
    const found = await addNewTasks(parts, {
      paused,
      reportPlaces,
      takeFound,
      episodes: options.episodes,
      signal: options.signal,
    });
    options.episodes.end(pendingWork);
    return { ...found, added: added + found.added };
  };
}

/** Times that one thread is begun with `once`. A run may give its thread back to itself, but hardly as often. */
const maxBegins = 10;

/** Leaves out what is found again and again, so that `once` ends though a finder lists what does not wait. */
function createBound(logger: Pick<RunLogger, 'error'>) {
  const begins = new Map<string, number>();
  return (found: readonly QueueEntry[]): readonly QueueEntry[] =>
    found.filter(({ key }) => {
      const times = (begins.get(key) ?? 0) + 1;
      begins.set(key, times);
      if (times === maxBegins + 1)
        logger.error(
          { task: key, times: maxBegins },
          'skipped task: still listed after repeated runs; check that `listTasks` filters by label, assignee and state',
        );
      return times <= maxBegins;
    });
}

/** With `once` what is held is tried one time: what cannot be finished now is left for the next start. */
async function listHeldEntries(
  { recovery, worker, queue }: Pick<RunTasksParts, 'recovery' | 'worker' | 'queue'>,
  at: { readonly paused: readonly PausedEntry[]; readonly first: boolean } & Pick<
    RunTasksOptions,
    'once' | 'shared'
  >,
): Promise<readonly QueueEntry[]> {
  if (at.once && !at.first) return [];
  // A queue that others share offers again by itself what was left for later; what is unfinished is offered at each poll, because its process may have died.
  if (!at.once && at.shared === undefined) await addAll(queue, await worker.listDue());
  // Listing the files of running/ tidies up there, which must not happen while a run is being begun.
  const unfinished = at.first || at.shared !== undefined ? await recovery.listUnfinished() : [];
  const resumed = at.paused.filter(({ held }) => !held).map(({ entry }) => entry);
  return [...unfinished, ...resumed];
}

/** With `once` each is offered one time, though perhaps not by the first poll: the end of its run may have to be shown before. */
async function addRetries(
  { recovery, queue }: Pick<RunTasksParts, 'recovery' | 'queue'>,
  { retried, once }: { readonly retried: Set<string>; readonly once: boolean },
): Promise<number> {
  let added = 0;
  for (const entry of await recovery.listRetries()) {
    if ((once && retried.has(entry.key)) || (await queue.add(entry)) === 'known') continue;
    retried.add(entry.key);
    added += 1;
  }
  return added;
}

async function addAll(queue: TaskQueue<QueueEntry>, entries: readonly QueueEntry[]): Promise<number> {
  let added = 0;
  for (const entry of entries) if ((await queue.add(entry)) === 'added') added += 1;
  return added;
}

async function addNewTasks(
  parts: RunTasksParts,
  {
    paused,
    reportPlaces,
    takeFound,
    episodes,
    signal,
  }: {
    readonly paused: readonly PausedEntry[];
    readonly episodes: ErrorEpisodes;
    readonly reportPlaces: ReturnType<typeof createPlaceReports>;
    readonly takeFound: (found: readonly QueueEntry[]) => readonly QueueEntry[];
    readonly signal: AbortSignal;
  },
): Promise<PollResult> {
  let result: PollResult = { added: 0, everywhere: true };
  for (const configured of parts.platforms) {
    const { name } = configured.platform;
    try {
      const { tasks, failures } = await configured.trigger.listWaiting({ signal });
      const entries = toEntries(tasks, { ...configured, paused, priorities: parts.priorities ?? {} });
      const taken = takeFound(entries);
      const added = await addAll(parts.queue, taken);
      const fields = { platform: name, found: tasks.length, new: added, failed: failures.length };
      parts.logger.debug(fields, 'polled for tasks');
      reportPlaces(name, failures);
      episodes.end(`platform ${name}`);
      const isWhole = failures.length === 0 && taken.length === entries.length;
      const places = (configured.listPlaces?.() ?? []).map((place) => ({
        name: place,
        answered: !failures.some((failure) => failure.place === place),
      }));
      parts.observe({ type: 'look', platform: name, error: null, places });
      result = { added: result.added + added, everywhere: result.everywhere && isWhole };
    } catch (error) {
      if (signal.aborted) return result;
      const line = { logger: parts.logger, level: 'error', message: 'failed to poll for tasks' } as const;
      episodes.fail(`platform ${name}`, error, { ...line, fields: { platform: name } });
      parts.observe({ type: 'look', platform: name, error: (error as Error).message });
      result = { ...result, everywhere: false };
    }
  }
  return result;
}

/** A thread that is given again while its run is paused resumes that run, whoever held it. */
function toEntries(
  tasks: WaitingThreads['tasks'],
  {
    platform,
    trigger,
    paused,
    priorities,
  }: Pick<ConfiguredPlatform, 'platform' | 'trigger'> & {
    readonly paused: readonly PausedEntry[];
    readonly priorities: LabelPriorities;
  },
): readonly QueueEntry[] {
  const { host } = platform;
  const found = tasks.flatMap((summary): QueueEntry | readonly QueueEntry[] => {
    const key = toThreadKey(host, formatTaskKey(summary.key));
    const resumed = paused.find(({ entry }) => entry.key === key)?.entry;
    if (resumed === undefined) {
      const priority = findPriority(summary.labels ?? [], priorities);
      const { url = null, title = null, author } = summary;
      const about = { url, title, user: author?.login ?? null };
      return {
        ...{ key, kind: 'new', platform: host, runId: null, ...about },
        ...(priority === 0 ? {} : { priority }),
      };
    }
    return trigger.listsPaused ? [] : resumed;
  });
  // What is added first begins first where there is room.
  return found.toSorted((one, other) => (other.priority ?? 0) - (one.priority ?? 0));
}
