import { ErrorEpisodes } from '@agent/text';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNumber,
  expectOptions,
} from '@agent/text/options';
import type {
  EntryRules,
  KeyedEntry,
  QueueLimits,
  QueueWorkOptions,
  TaskQueue,
  TaskQueueOptions,
  WorkOnEntry,
} from '../../task-queue.ts';
import type { Database } from '../database.ts';
import { expectDatabase } from '../database.ts';
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
  type Verdict,
} from './job-claims.ts';
import { JobsAtWork } from './jobs-at-work.ts';
import { endJobQueue, type JobQueue, openJobQueue } from './open-boss.ts';
import { createRollCall, createWatch, takeFromDead } from './silent-jobs.ts';

/** Options of a queue in PostgreSQL. */
export interface PostgresQueueOptions<Entry extends KeyedEntry> extends TaskQueueOptions<Entry> {
  readonly database: Database;
  /** Schema for the queue's tables alone. Default `agent_queue`. */
  readonly schema?: string | undefined;
}

const required = ['database', 'parseEntry', 'rules', 'concurrency'] as const;

const expectations: ExpectationsOf<PostgresQueueOptions<never>> = {
  database: expectDatabase,
  schema: expected.text,
  parseEntry: expected.function,
  rules: expectOptions(
    {
      toGroup: expected.function,
      toPriority: expected.function,
      takesUp: expected.function,
      holdMs: expected.function,
    } satisfies ExpectationsOf<EntryRules<never>>,
    ['toGroup'],
  ),
  concurrency: {
    isMet: (value) => expected.function.isMet(value) || (typeof value === 'number' && value >= 0),
    text: 'a number of at least 0, or a function that returns one',
  },
  limits: expectOptions({
    all: expectNumber(1),
    perGroup: expectNumber(1),
  } satisfies ExpectationsOf<QueueLimits>),
  isPaused: expected.function,
  now: expected.function,
  sleep: expected.function,
  random: expected.function,
  logger: expected.logger,
};

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
): TaskQueue<Entry> {
  checkOptions('PostgresQueueOptions', options, expectations, required);
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
  const beginMore = async (workOn: WorkOnEntry<Entry>, ended: AbortSignal): Promise<number> => {
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
    workOn: WorkOnEntry<Entry>,
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
