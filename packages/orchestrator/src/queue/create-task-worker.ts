import { formatTaskKey } from '@agent/platforms';
import type { RunControls, RunReader } from '@agent/run-store';
import { type EpisodeLine, ErrorEpisodes } from '@agent/text';
import type { Runs } from '../assemble-runs.ts';
import { OpenEndError, type UnsettledRuns } from '../outbox/unsettled-runs.ts';
import type { RunLogger } from '../ports.ts';
import type { BegunRun } from '../run/begin.ts';
import { DeferredError, isDiskFull, retryAfterMsOf } from '../run/call-with-retry.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { ThreadHeldError } from '../run/thread-held.ts';
import {
  type QueueEntry,
  readTaskKey,
  type TaskQueue,
  toEndKey,
  type WorkOnEntry,
  type WorkResult,
} from './task-queue.ts';

/** The life of runs costs time to load: it is made when the first task needs it. */
export type LoadRuns = () => Promise<Runs>;

export interface TaskWorkerOptions {
  readonly load: LoadRuns;
  readonly platforms: readonly ConfiguredPlatform[];
  /** Reads what is known of runs, wherever they lie and whichever process has them. */
  readonly reader: Pick<RunReader<unknown>, 'readRun' | 'listRunning'>;
  /** Hears of a paused run that cannot be restored, so that its thread may begin a new one. */
  readonly giveUp: (uuid: string) => void;
  /** Requests of people to single runs. */
  readonly controls: Pick<RunControls, 'list'>;
  readonly tell: TellFailedTask;
  /** Lists runs whose reason to wait has gone. */
  readonly listFreed?: (() => readonly string[]) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Pick<RunLogger, 'error' | 'warn' | 'info'>;
  /**
   * The queue, where other processes work on it as well: it keeps the pause of what was left, which may go on in any of them from its
   * record, and ends of runs that are not shown whole. Default: this process has it for itself.
   */
  readonly shared?: SharedQueue | undefined;
}

/** Queue of several processes, as a worker needs it. */
export interface SharedQueue extends Pick<TaskQueue, 'add' | 'knows'> {
  /** Shows what is open of a run that has ended. @returns milliseconds until it is to be tried again */
  readonly report: UnsettledRuns['report'];
}

/** Tells people of a task that could not be carried out, and that it is tried again; null when it was. Never rejects. */
export type TellFailedTask = (entry: QueueEntry, failure: TaskFailure | null) => Promise<void>;

/** Failure of a task. */
export interface TaskFailure {
  readonly error: unknown;
  /** Attempts in a row that failed. */
  readonly attempts: number;
  /** ISO 8601. */
  readonly nextAt: string;
}

/** Carries out the entries of a queue. */
export interface TaskWorker {
  readonly workOn: WorkOnEntry;
  /** Lists what of this process an outage or a failure interrupted. */
  readonly listDeferred: () => readonly QueueEntry[];
  /** Lists those among them whose threads nobody else listens to: where processes share the queue, any may have them once their time has come. */
  readonly listResting: () => readonly QueueEntry[];
  /** Lists those among them whose time has come, or of which somebody gave something up or which they told to stop, to be added to the queue again. */
  readonly listDue: () => Promise<readonly QueueEntry[]>;
}

interface Deferred {
  readonly entry: QueueEntry;
  /** Kind as which it is carried out: what has not begun a run yet is what it was. */
  readonly kind: QueueEntry['kind'];
  /** Null where the entry is carried out from its beginning. */
  readonly again: (() => Promise<void>) | null;
  readonly attempts: number;
  /** True where another directory has the thread: nothing of this process is left undone. */
  readonly isElsewhere: boolean;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/** Leaves work for others, as a process does that ends. */
const atOnce: WorkResult = { againAfterMs: 0 };
const [firstPauseMs, longestPauseMs] = [1_000, 3_600_000];
/** Longest pause of a run that waits for room on the disk, and pause of a thread that another directory has. */
const [longestRoomPauseMs, heldPauseMs] = [60_000, 30_000];

/**
 * Creates what carries out the entries of a queue. The parts of runs are loaded with the first. What fails is tried again, after
 * pauses that grow to an hour: no thread is given up, and none is left alone until the next start.
 */
export function createTaskWorker(options: TaskWorkerOptions): TaskWorker {
  const { load, tell, now, logger, shared, listFreed = () => [] } = options;
  const deferred = new Map<string, Deferred>();
  const episodes = new ErrorEpisodes({ now });
  const note = ({ key }: QueueEntry, error: unknown, line: Pick<EpisodeLine, 'level' | 'message'>): void =>
    episodes.fail(key, error, { ...line, logger, fields: { task: key } });
  const findPlatform = (host: string): ConfiguredPlatform => {
    const found = options.platforms.find(({ platform }) => platform.host === host);
    if (found === undefined) throw new Error(`No configured platform has the host ${host}.`);
    return found;
  };
  const defer = async (error: unknown, task: Task, before: number): Promise<WorkResult> => {
    const { entry, runId } = task;
    const interrupted = { ...entry, kind: 'interrupted', runId } as const;
    // The run of a retry has ended: until another continues it, there is nothing to recover.
    const kind = task.kind === 'retry' && runId === entry.runId ? 'retry' : 'interrupted';
    const [attempts, isElsewhere] = [before + 1, false];
    if (isDiskFull(error) || (error instanceof DeferredError && error.again === null)) {
      if (isDiskFull(error)) note(entry, error, { message: 'deferred task: disk is full' });
      const againAfterMs = Math.min(firstPauseMs * 2 ** Math.min(before, 20), longestRoomPauseMs);
      const dueAt = now() + againAfterMs;
      deferred.set(entry.key, { entry: interrupted, kind, again: null, attempts, isElsewhere, dueAt });
      return { againAfterMs };
    }
    if (error instanceof DeferredError) {
      // This process remembers where it stood; another one reads it from the run's record.
      const { again, waitMs } = error;
      const left = { entry: interrupted, kind, again, attempts: 0, isElsewhere } as const;
      deferred.set(entry.key, { ...left, dueAt: now() + waitMs });
      return error.waitMs > 0 ? { againAfterMs: error.waitMs } : 'later';
    }
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(before, 20), longestPauseMs);
    const againAfterMs = Math.max(pauseMs, retryAfterMsOf(error));
    const dueAt = now() + againAfterMs;
    deferred.set(entry.key, { entry: interrupted, kind, again: null, attempts, isElsewhere, dueAt });
    const nextAt = new Date(dueAt).toISOString();
    note(entry, error, { level: 'error', message: 'failed to run task' });
    await tell(interrupted, { error, attempts, nextAt });
    return { againAfterMs };
  };
  const showApart = async (
    { add, report }: SharedQueue,
    { run, entry, attempts }: Pick<OpenEndError, 'run'> & Pick<Deferred, 'entry' | 'attempts'>,
  ): Promise<WorkResult> => {
    const againAfterMs = report(run, attempts);
    if (entry.kind === 'ended') {
      const left = { entry, kind: 'ended', again: null, attempts, isElsewhere: true } as const;
      deferred.set(entry.key, { ...left, dueAt: now() + againAfterMs });
      return { againAfterMs };
    }
    // Its thread is free from here on.
    await add({ ...entry, kind: 'ended', key: toEndKey(entry.key, run.uuid), runId: run.uuid });
    return 'done';
  };
  const leave = (error: ThreadHeldError, { entry, kind }: Task): WorkResult => {
    logger.info({ task: entry.key, reason: error.message }, 'deferred task: another run holds it');
    // The request to retry stays, and is found again.
    if (kind === 'retry') return 'done';
    const interrupted = { ...entry, kind: 'interrupted' } as const;
    const dueAt = now() + heldPauseMs;
    const held = { kind: 'interrupted', again: null, attempts: 0, isElsewhere: true, dueAt } as const;
    deferred.set(entry.key, { entry: interrupted, ...held });
    return { againAfterMs: heldPauseMs };
  };
  const listDue = async (): Promise<readonly QueueEntry[]> => {
    const hurried = deferred.size === 0 ? [] : [...(await listHurried(options)), ...listFreed()];
    const isDue = ({ entry, dueAt }: Deferred) =>
      dueAt <= now() || (entry.runId !== null && hurried.includes(entry.runId));
    return [...deferred.values()].filter(isDue).map(({ entry }) => entry);
  };
  const listLeft = (isMeant: (left: Deferred) => boolean): readonly QueueEntry[] =>
    [...deferred.values()].filter((left) => !left.isElsewhere && isMeant(left)).map(({ entry }) => entry);
  return {
    listDeferred: () => listLeft(() => true),
    listResting: () => listLeft(({ dueAt }) => shared === undefined || dueAt > now()),
    listDue,
    workOn: async (entry) => {
      const { key } = entry;
      const left = deferred.get(key);
      const { attempts = 0, kind = entry.kind } = left ?? {};
      const again = shared === undefined ? left?.again : null;
      deferred.delete(key);
      const task: Task = { entry, kind, platform: () => findPlatform(entry.platform), runId: entry.runId };
      try {
        const runs = await load();
        if (runs.shutdown.aborted) return atOnce;
        await (again?.() ?? tasks[kind](runs, task, options));
        if (attempts > 0) await tell(entry, null);
        episodes.end(key);
        // A shutdown may have cut it short: another process goes on with it.
        return runs.shutdown.aborted ? atOnce : 'done';
      } catch (error) {
        if (isTakenOver(error)) {
          // The process that has the run now carries it, and tells people of it.
          logger.info({ task: key, err: error }, 'lost run to another process');
          return 'later';
        }
        if (error instanceof OpenEndError && shared !== undefined)
          return showApart(shared, { run: error.run, entry, attempts: attempts + 1 });
        return error instanceof ThreadHeldError ? leave(error, task) : defer(error, task, attempts);
      }
    },
  };
}

/** Lists the runs that are to be tried at once: somebody gave something of them up, or told them to stop. */
export async function listHurried({
  controls,
  logger,
}: Pick<TaskWorkerOptions, 'controls'> & { readonly logger: Pick<RunLogger, 'warn'> }): Promise<
  readonly string[]
> {
  try {
    const asked = await controls.list();
    return asked.flatMap(({ uuid, verb }) => (verb === 'settle' || verb === 'stop' ? [uuid] : []));
  } catch (error) {
    logger.warn({ err: error }, 'failed to read requested run controls');
    return [];
  }
}

/** A task while it is carried out. */
interface Task {
  readonly entry: QueueEntry;
  /** Kind as which it is carried out. */
  readonly kind: QueueEntry['kind'];
  /** Throws where it is not configured any more. */
  readonly platform: () => ConfiguredPlatform;
  /** The run that carries it, as soon as there is one. */
  runId: string | null;
}

type WorkOnTask = (
  runs: Runs,
  task: Task,
  options: Pick<TaskWorkerOptions, 'reader' | 'giveUp' | 'shared'>,
) => Promise<void>;

const tasks: Readonly<Record<QueueEntry['kind'], WorkOnTask>> = {
  new: async (runs, task, options) => {
    // What is to be done is what the record says: an attempt may have failed after it had begun a run, or, where processes share the
    // queue, the one that had the thread may have died after this entry was made.
    const mayBeBegun = options.shared !== undefined || task.entry.kind !== 'new';
    const left = mayBeBegun ? await findUnfinished(task.entry, options) : null;
    if (left !== null) {
      task.runId = left;
      return tasks.interrupted(runs, { ...task, entry: { ...task.entry, runId: left } }, options);
    }
    const summary = { key: readTaskKey(task.entry) };
    await execute(runs, task, await runs.begin({ summary, platform: task.platform() }));
  },
  retry: async (runs, task) => {
    const failed = { uuid: requireRunId(task.entry), platform: task.platform() };
    await execute(runs, task, await runs.beginRetry(failed));
  },
  // Interrupted before there was a run, perhaps.
  interrupted: (runs, task, options) =>
    task.entry.runId === null ? tasks.new(runs, task, options) : goOn(runs, task, options),
  ended: goOn,
  paused: goOn,
};

/** Goes on with a run from where its record says that it is: another process may have resumed or ended it since it was offered. */
async function goOn(
  { finishPause, recover, resume }: Runs,
  { entry, platform }: Task,
  { reader, giveUp, shared }: Pick<TaskWorkerOptions, 'reader' | 'giveUp' | 'shared'>,
): Promise<void> {
  const { uuid, place, metadata, outcome, pause } = await reader.readRun(requireRunId(entry));
  if (place === 'completed') return;
  // Whoever looks offers it as a paused one, once nobody keeps it so.
  if (place === 'paused' && shared !== undefined && entry.kind === 'interrupted') return;
  if (place === 'paused')
    return resume({ paused: { uuid, metadata }, platform: platform(), giveUp: () => giveUp(uuid) });
  const isGoingOn = outcome === null || outcome.status === 'needs_input';
  if (isGoingOn && pause?.status === 'paused')
    await finishPause({ pausing: { uuid, metadata, state: pause }, platform: platform() });
  else await recover({ unfinished: { uuid, metadata, outcome }, platform: platform() });
}

/** The run of a thread that has begun and not ended, or whose end nobody shows apart; null where there is none. */
async function findUnfinished(
  entry: QueueEntry,
  { reader, shared }: Pick<TaskWorkerOptions, 'reader' | 'shared'>,
): Promise<string | null> {
  const of = { host: entry.platform, taskKeyText: formatTaskKey(readTaskKey(entry)) };
  for (const { uuid, outcome } of await reader.listRunning({ of })) {
    if (outcome === null) return uuid;
    if (shared !== undefined && !(await shared.knows(toEndKey(entry.key, uuid)))) return uuid;
  }
  return null;
}

async function execute(runs: Runs, task: Task, begun: BegunRun | null): Promise<void> {
  if (begun === null) return;
  task.runId = begun.run.uuid;
  await runs.execute(begun, begun.snapshot);
}

function requireRunId({ key, kind, runId }: QueueEntry): string {
  if (runId === null) throw new Error(`The queue entry of ${key} has the kind ${kind} but no run.`);
  return runId;
}
