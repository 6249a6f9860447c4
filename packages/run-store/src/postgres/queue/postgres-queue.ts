import { ErrorEpisodes, type Logger } from '@agent/text';
import type { Database } from '../database.ts';
import { createBell, sleepUntil, spreadRings } from './bell.ts';
import {
  addJob,
  begunFirst,
  claimJobs,
  type HeldGroup,
  type JobOnTrial,
  knowsKey,
  listWaiting,
  lookAround,
  type QueueLimits,
  type Verdict,
} from './job-claims.ts';
import { JobsAtWork, type WorkOn } from './jobs-at-work.ts';
import { endJobQueue, type JobQueue, openJobQueue } from './open-boss.ts';
import { createRollCall, createWatch, takeFromDead } from './silent-jobs.ts';

/** Something that waits for its turn: data, of which one with the same key is in the queue at a time. */
export interface KeyedEntry {
  readonly key: string;
}

/** Rules by which entries wait for each other. */
export interface EntryRules<Entry> {
  /** The part of the work that an entry belongs to, such as its repository: a free place goes to the part with the least at work. */
  readonly toGroup: (entry: Entry) => string;
  /** A higher one goes first, below 1,000; what has begun goes before all that has not. Default 0 for all. */
  readonly toPriority?: ((entry: Entry) => number) | undefined;
  /** True for an entry that takes up at once what of its key was left for later. Default for none. */
  readonly takesUp?: ((entry: Entry) => boolean) | undefined;
  /**
   * Called before an entry begins in this process. Returns the milliseconds after which it is called again; 0 if the entry may begin.
   * Others that may begin go first; another process may take it. It may be called twice, and changes nothing.
   */
  readonly holdMs?: ((entry: Entry, beside: BesideEntry<Entry>) => number) | undefined;
}

/** Circumstances of an entry that is about to begin. */
export interface BesideEntry<Entry> {
  /** Entries under way in this process. */
  readonly running: readonly Entry[];
  /** True for one that a process has had before, which died or gave it back: it is no more work than there was. */
  readonly hasBegun: boolean;
}

/** Time of a queue, for tests. */
export interface QueueClock {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Resolves after this long, or as soon as the signal is aborted; at once where it was before. Default a timer. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** From 0 to less than 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options of a queue in PostgreSQL. */
export interface PostgresQueueOptions<Entry> extends QueueClock {
  readonly database: Database;
  /** Schema for the queue's tables alone. Default `agent_queue`. */
  readonly schema?: string | undefined;
  /** Checks an entry that comes back; throws for what is none. */
  readonly parseEntry: (json: unknown) => Entry;
  readonly rules: EntryRules<Entry>;
  /** Entries that this process carries out at the same time; a function is asked before each begins. */
  readonly concurrency: number | (() => number);
  /** Entries at work at the same time in all processes. Default any number. */
  readonly limits?: QueueLimits | undefined;
  /** Asked before something begins: true while nothing is to. Default never. */
  readonly isPaused?: (() => Promise<boolean>) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/** Options of `PostgresQueue.work`. */
export interface QueueWorkOptions {
  /** Ends the work: nothing more begins. */
  readonly signal: AbortSignal;
  /**
   * Ends it as well when nothing waits that this process may begin, nothing runs here, and whoever was at work elsewhere has shown that
   * it lives: what a dead process left is taken before. Default false.
   */
  readonly untilEmpty?: boolean | undefined;
}

/** Entries that wait in a database, for any number of processes. */
export interface PostgresQueue<Entry> {
  /** Answers `known` while an entry of this key waits, runs or is left for later, in any process. */
  readonly add: (entry: Entry) => Promise<'added' | 'known'>;
  /** Tells whether an entry of this key waits, runs or is left for later, in any process. */
  readonly knows: (key: string) => Promise<boolean>;
  /**
   * Has entries carried out; one whose `workOn` rejects is left for later. Resolves when the work has ended and nothing runs here
   * any more.
   */
  readonly work: (workOn: WorkOn<Entry>, options: QueueWorkOptions) => Promise<void>;
  /** Lists what has not begun and may, in the order in which it will; `since` in milliseconds since 1970. */
  readonly waiting: () => Promise<readonly (Entry & { readonly since: number })[]>;
  /** Ends the work of this process; resolves when nothing runs here and nothing is open for it. What waits stays, and is told about as before. */
  readonly close: () => Promise<void>;
  /** Begins what may. To be called when a reason to hold entries back has gone. */
  readonly beginWaiting: () => void;
}

/** Between two looks for what nobody notifies: an entry whose pause is over, a process that died. */
const lookMs = 3_000;

/**
 * Creates a queue on pg-boss. Of each key one entry is in it; what a process has that dies or is cut off, another one begins 10 to 16
 * seconds later. What the server does not answer meanwhile is waited for.
 *
 * @example
 * const queue = createPostgresQueue({
 *   database: await connectPostgres({ url: 'postgres://agent@127.0.0.1/agent' }),
 *   parseEntry: (json) => json as { key: string },
 *   rules: { toGroup: ({ key }) => key.split('#')[0] ?? '' },
 *   concurrency: 2,
 * });
 * await queue.add({ key: 'octo/cat#42' });
 */
export function createPostgresQueue<Entry extends KeyedEntry>(
  options: PostgresQueueOptions<Entry>,
): PostgresQueue<Entry> {
  const { database, schema = 'agent_queue', parseEntry, rules, limits = {} } = options;
  const { now = Date.now, sleep = sleepUntil, random = Math.random } = options;
  const { isPaused = async () => false, logger, concurrency } = options;
  const readConcurrency = typeof concurrency === 'function' ? concurrency : () => concurrency;
  const { toGroup, toPriority = () => 0, takesUp = () => false, holdMs = () => 0 } = rules;
  const bell = createBell(sleep);
  const holds = new Map<string, HeldGroup & { readonly endsAt: number }>();
  const closing = new AbortController();
  const works = new Set<Promise<void>>();
  const onArrival = spreadRings(bell.ring, { random, sleep, signal: closing.signal });
  let opened: Promise<JobQueue> | null = null;
  const open = () => {
    opened ??= openJobQueue({ database, schema, name: 'tasks', onArrival, logger })
      .then(async (queue) => {
        // Opened for an answer after the end, or while it came: nothing of it goes on.
        if (closing.signal.aborted) await endJobQueue(queue);
        return queue;
      })
      .catch((error: unknown) => {
        opened = null;
        throw error;
      });
    return opened;
  };
  const toBegunPriority = (data: object): number => {
    try {
      return begunFirst + toPriority(parseEntry(data));
    } catch {
      // It is put away when it is to begin.
      return begunFirst;
    }
  };
  const jobs = new JobsAtWork<Entry>({
    ...{ open, now, sleep, logger },
    onRoom: bell.ring,
    toPriority: toBegunPriority,
  });
  const watch = createWatch(now);
  const mayBeLeft = createRollCall(jobs.has);
  let lookedAt = Number.NEGATIVE_INFINITY;

  const judge = ({ job, hasBegun, claimed }: JobOnTrial): Verdict => {
    try {
      const entry = parseEntry(job.data);
      const running = [...jobs.entries(), ...claimed.map(({ data }) => parseEntry(data))];
      const waitMs = holdMs(entry, { running, hasBegun });
      if (waitMs === 0) return 'begin';
      const group = job.groupId ?? '';
      holds.set(`${hasBegun} ${group}`, { group, hasBegun, endsAt: now() + waitMs });
      return 'hold';
    } catch (error) {
      logger?.error({ job: job.id, err: error }, 'archived unreadable queue entry');
      return { unreadable: String(error) };
    }
  };

  /** Looks for what waits, and has begin anew what the dead left. @returns whether something waits */
  const look = async (queue: JobQueue): Promise<boolean> => {
    const { waits, silent } = await lookAround(queue);
    lookedAt = now();
    const dead = watch(silent.filter(({ id }) => !jobs.has(id)));
    const taken = await takeFromDead(queue, { dead, toPriority: toBegunPriority });
    if (taken > 0) logger?.warn({ entries: taken }, 'restarting queue entries of unresponsive process');
    return waits || taken > 0;
  };

  /** @returns how many began */
  const beginMore = async (workOn: WorkOn<Entry>, ended: AbortSignal): Promise<number> => {
    for (const [name, { endsAt }] of holds) if (endsAt <= now()) holds.delete(name);
    const room = readConcurrency() - jobs.count;
    if (room <= 0 && now() - lookedAt < lookMs) return 0;
    const queue = await open();
    if (!(await look(queue)) || room <= 0 || (await isPaused()) || ended.aborted) return 0;
    const claimed = await claimJobs(queue, { room, limits, held: [...holds.values()], judge });
    for (const job of claimed) jobs.begin(job, { entry: parseEntry(job.data), workOn });
    return claimed.length;
  };

  const episodes = new ErrorEpisodes({ now });
  const noteFailure = (key: string, error: unknown): void => {
    if (logger) episodes.fail(key, error, { logger, message: 'failed to check queue; retrying' });
  };

  /** Looks for the dead while a claim waits for those of others: a process that is frozen in the midst of one must not hide that it is. */
  const watchBeside = async (ended: AbortSignal): Promise<void> => {
    while (!ended.aborted) {
      await sleep(lookMs, ended);
      if (ended.aborted || now() - lookedAt < lookMs * 1.5) continue;
      await open()
        .then(look)
        .then(
          () => episodes.end('beside'),
          (error: unknown) => noteFailure('beside', error),
        );
    }
  };

  const workUntilEnd = async (
    workOn: WorkOn<Entry>,
    { signal, untilEmpty = false }: QueueWorkOptions,
  ): Promise<void> => {
    const ended = AbortSignal.any([signal, closing.signal]);
    const tending = jobs.tend();
    const isOver = new AbortController();
    const watching = watchBeside(AbortSignal.any([ended, isOver.signal]));
    const isEmpty = async (): Promise<boolean> => {
      const before = jobs.count;
      if (before + (await beginMore(workOn, ended)) + holds.size > 0) return false;
      return !untilEmpty || !(await mayBeLeft(await open()));
    };
    while (!ended.aborted) {
      const wasEmpty = await isEmpty().then(
        (empty) => {
          episodes.end('work');
          return empty;
        },
        (error: unknown) => {
          noteFailure('work', error);
          return false;
        },
      );
      if (untilEmpty && wasEmpty) break;
      await bell.wait(lookMs, ended);
    }
    isOver.abort();
    await Promise.all([jobs.whenIdle(), watching]);
    await tending.end();
  };

  return {
    add: async (entry) => {
      const { key } = entry;
      const job = { key, group: toGroup(entry), priority: toPriority(entry), takesUp: takesUp(entry) };
      const added = await addJob(await open(), { ...job, data: entry });
      // Whoever works in this process need not wait for the server's word.
      if (added === 'added') bell.ring();
      return added;
    },
    knows: async (key) => knowsKey(await open(), key),
    work: (workOn, options) => {
      const worked = workUntilEnd(workOn, options).finally(() => works.delete(worked));
      works.add(worked);
      return worked;
    },
    waiting: async () =>
      (await listWaiting(await open())).map(({ data, since }) => ({ ...parseEntry(data), since })),
    close: async () => {
      closing.abort();
      // With what was being fetched when the end came.
      await Promise.all(works);
      // What could not be opened needs no end.
      const queue = await opened?.catch(() => null);
      if (queue != null) await endJobQueue(queue);
    },
    beginWaiting: () => {
      holds.clear();
      bell.ring();
    },
  };
}
