import type { RunControls, TaskQueue, WorkResult } from '@agent/run-store';
import { type EpisodeLine, ErrorEpisodes } from '@agent/text';
import { ThreadHeldError } from '../admission/thread-held.ts';
import type { RunLogger } from '../host/ports.ts';
import { DeferredError, isDiskFull, retryAfterMsOf } from '../intents/call-with-retry.ts';
import { OpenEndError, type UnsettledRuns } from '../outbox/unsettled-runs.ts';
import type { Runs } from '../parts/assemble-runs.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { listHurried } from './list-hurried.ts';
import { type QueueEntry, toEndKey } from './queue-entry.ts';
import { type Task, type WorkOnTaskOptions, workOnTask } from './work-on-task.ts';

/** The life of runs costs time to load: it is made when the first task needs it. */
export type LoadRuns = () => Promise<Runs>;

export interface TaskWorkerOptions extends Omit<WorkOnTaskOptions, 'shared'> {
  readonly load: LoadRuns;
  readonly platforms: readonly ConfiguredPlatform[];
  /** Requests of people to single runs. */
  readonly controls: Pick<RunControls, 'list'>;
  readonly tell: TellFailedTask;
  /** Tells whether a task that has not begun is left for the next start. Default for none. */
  readonly isLeft?: ((entry: QueueEntry) => boolean) | undefined;
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
export interface SharedQueue extends Pick<TaskQueue<QueueEntry>, 'add' | 'knows' | 'waiting'> {
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
  readonly workOn: (entry: QueueEntry) => Promise<WorkResult>;
  /** Lists what of this process an outage or a failure interrupted. */
  readonly listDeferred: () => readonly QueueEntry[];
  /** Lists those among them whose threads nobody else listens to: where processes share the queue, any may have them once their time has come. */
  readonly listResting: () => readonly QueueEntry[];
  /** Lists those among them whose time has come, or of which somebody gave something up or which they told to stop, to be added to the queue again. */
  readonly listDue: () => Promise<readonly QueueEntry[]>;
  /** Has a queue of several processes begin those now whose budget was raised or has reset: only this process knows that. Never rejects. */
  readonly hurryFreed: () => Promise<void>;
  /**
   * Milliseconds for which this process leaves a task that failed here to the other processes of a shared queue, from the time of its
   * next attempt; 0 for all other tasks. Without this pause a process that cannot run a task may begin it again and again before any
   * other process does.
   */
  readonly othersFirstMs: (entry: Pick<QueueEntry, 'key'>) => number;
  /** Forgets what another process has continued or finished since, and what was shown of it. Never rejects. */
  readonly forgetTaken: () => Promise<void>;
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
/** Milliseconds after which a task whose time has come is not in the queue any more because another process has it. */
const takenAfterMs = 10_000;
/** The same after which a task that failed here may begin here again: other processes that have room begin it within 3 seconds. */
const othersFirstForMs = 4_000;
/** Longest pause of a run that waits for room on the disk, and pause of a thread that another directory has. */
const [longestRoomPauseMs, heldPauseMs] = [60_000, 30_000];

/**
 * Creates what carries out the entries of a queue. The parts of runs are loaded with the first. What fails is tried again, after
 * pauses that grow to an hour: no thread is given up, and none is left alone until the next start.
 */
export function createTaskWorker(options: TaskWorkerOptions): TaskWorker {
  const { load, tell, now, logger, shared, listFreed = () => [], isLeft = () => false } = options;
  const deferred = new Map<string, Deferred>();
  /** Tasks whose last failure is shown, by key. */
  const shown = new Map<string, QueueEntry>();
  const showNothing = async (key: string): Promise<void> => {
    const entry = shown.get(key);
    shown.delete(key);
    if (entry !== undefined) await tell(entry, null);
  };
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
      await showNothing(entry.key);
      return { againAfterMs };
    }
    if (error instanceof DeferredError) {
      await showNothing(entry.key);
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
    // The run that has begun since is shown under its own id.
    if (shown.get(entry.key)?.runId !== runId) await showNothing(entry.key);
    shown.set(entry.key, interrupted);
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
  const leave = (error: ThreadHeldError, { entry, kind }: Task, before: Deferred | undefined): WorkResult => {
    if (before?.isElsewhere !== true)
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
    if (deferred.size === 0) return [];
    const asked = await listHurried(options);
    const hurried = [...asked.map(({ uuid }) => uuid), ...listFreed()];
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
    hurryFreed: async () => {
      const freed = deferred.size === 0 ? [] : listFreed();
      try {
        for (const entry of listLeft(({ entry: { runId } }) => runId !== null && freed.includes(runId)))
          if (await shared?.knows(entry.key)) await shared?.add(entry);
      } catch (err) {
        logger.warn({ err }, 'failed to resume tasks whose budget was raised; retrying at next poll');
      }
    },
    othersFirstMs: ({ key }) => {
      const left = deferred.get(key);
      if (shared === undefined || left === undefined || left.isElsewhere || left.attempts === 0) return 0;
      const lateMs = now() - left.dueAt;
      // A task that begins before its time does so at the request of a user.
      return lateMs < 0 ? 0 : Math.max(0, othersFirstForMs - lateMs);
    },
    forgetTaken: async () => {
      const due = [...deferred].filter(([, { dueAt }]) => dueAt + takenAfterMs <= now());
      if (shared === undefined || due.length === 0) return;
      try {
        const waiting = new Set((await shared.waiting()).map(({ key }) => key));
        for (const [key, left] of due) {
          if (waiting.has(key) || deferred.get(key) !== left) continue;
          deferred.delete(key);
          episodes.forget(key);
          await showNothing(key);
        }
      } catch (err) {
        logger.warn({ err }, 'failed to check tasks that other processes may have continued');
      }
    },
    workOn: async (entry) => {
      const { key } = entry;
      const left = deferred.get(key);
      const { attempts = 0, kind = entry.kind } = left ?? {};
      const again = shared === undefined ? left?.again : null;
      deferred.delete(key);
      if (isLeft(entry)) {
        const left = { kind: entry.kind, again: null, attempts: 0, isElsewhere: false } as const;
        deferred.set(key, { ...left, entry, dueAt: Number.POSITIVE_INFINITY });
        return 'later';
      }
      const task: Task = { entry, kind, platform: () => findPlatform(entry.platform), runId: entry.runId };
      try {
        const runs = await load();
        if (runs.shutdown.aborted) return atOnce;
        await (again?.() ?? workOnTask[kind](runs, task, options));
        await showNothing(key);
        episodes.end(key);
        // A shutdown may have cut it short: another process goes on with it.
        return runs.shutdown.aborted ? atOnce : 'done';
      } catch (error) {
        if (isTakenOver(error)) {
          // The process that has the run now carries it, and tells people of it.
          logger.info({ task: key, err: error }, 'lost run to another process');
          await showNothing(key);
          return 'later';
        }
        const isShownApart = error instanceof OpenEndError && shared !== undefined;
        if (!isShownApart && !(error instanceof ThreadHeldError)) return defer(error, task, attempts);
        await showNothing(key);
        return isShownApart
          ? showApart(shared, { run: error.run, entry, attempts: attempts + 1 })
          : leave(error, task, left);
      }
    },
  };
}
