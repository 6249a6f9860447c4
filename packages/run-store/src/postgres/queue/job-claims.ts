import type { QueueLimits } from '../../task-queue.ts';
import type { Queryable } from '../database.ts';
import type { ClaimedJob } from './held-jobs.ts';
import { type JobQueue, toDeadLetters, toExecutor } from './open-boss.ts';
import { type SilentJob, silentSeconds } from './silent-jobs.ts';

/** `begin`; `hold`: it is put back, and others go first; `unreadable`: it can never be carried out, and says why. */
export type Verdict = 'begin' | 'hold' | { readonly unreadable: string };

/** Added to the priority of what has begun. */
export const begunFirst = 1_000;

/** Part of a group that may not begin in this process now: all of it, or (`hasBegun` is false) what has not begun before. */
export interface HeldGroup {
  readonly group: string;
  readonly hasBegun: boolean;
}

/** A job, as it is judged. */
export interface JobOnTrial {
  readonly job: ClaimedJob;
  /** True for one that a process has had before, which died or gave it back. */
  readonly hasBegun: boolean;
  /** Those that this process takes beside it. */
  readonly claimed: readonly ClaimedJob[];
}

export interface ClaimOptions {
  /** Jobs that this process has room for. */
  readonly room: number;
  readonly limits: QueueLimits;
  readonly held: readonly HeldGroup[];
  /** Asked of each job in its turn. It may be asked again where a connection breaks, and changes nothing. */
  readonly judge: (trial: JobOnTrial) => Verdict;
}

/** Attempts at a claim of which something is held back: while nothing may begin, not all that waits is fetched. */
const maxHeld = 10;

/** Jobs that wait and that are at work, as far as a claim rests on them. */
interface QueueState {
  /** Priority of the first that may begin; null where none may. */
  readonly priority: number | null;
  /** Jobs at work, by their groups. */
  readonly running: Readonly<Record<string, number>>;
}

/** A look at a queue, as one process sees it. */
export interface QueueLook {
  /** True when a job waits whose time has come. */
  readonly waits: boolean;
  /** Jobs at work whose workers have given no sign of life lately. */
  readonly silent: readonly SilentJob[];
}

/** Looks for what waits, and for workers that are silent, by one statement. */
export async function lookAround({ database, schema, name }: JobQueue): Promise<QueueLook> {
  const [look] = await database.query<QueueLook>(
    `SELECT EXISTS (
       SELECT FROM ${schema}.job
       WHERE name = $1 AND state < 'active' AND NOT blocked AND start_after <= ${schema}.job_now()
     ) AS waits, (
       SELECT COALESCE(json_agg(json_build_object('id', id, 'sign', heartbeat_on)), '[]') FROM ${schema}.job
       WHERE name = $1 AND state = 'active' AND group_id IS NOT NULL
         AND heartbeat_on < ${schema}.job_now() - make_interval(secs => $2)
     ) AS silent`,
    [name, silentSeconds],
  );
  return look ?? { waits: false, silent: [] };
}

/** A job that waits. */
interface WaitingJob {
  readonly data: object;
  /** Milliseconds since 1970 since which it can begin. */
  readonly since: number;
}

/** Lists what waits and whose time has come, in the order in which it will begin. */
export function listWaiting({ database, schema, name }: JobQueue): Promise<readonly WaitingJob[]> {
  return database.query<WaitingJob>(
    `SELECT data, (EXTRACT(EPOCH FROM start_after) * 1000)::float8 AS since FROM ${schema}.job
     WHERE name = $1 AND state < 'active' AND NOT blocked AND start_after <= ${schema}.job_now()
     ORDER BY priority DESC, created_on, id`,
    [name],
  );
}

/** Undoes a claim of which one job is held back, so that nothing of it shows. */
class HeldBack extends Error {
  readonly held: HeldGroup;

  constructor({ job, hasBegun }: JobOnTrial) {
    const group = job.groupId ?? '';
    super(`The group ${group} is held back.`);
    this.held = { group, hasBegun };
  }
}

/**
 * Fetches jobs for this process: the highest priority first; among these, those of the groups of which the fewest are at work. Claims
 * are made one after the other, so that no two of them exceed a limit together.
 */
export async function claimJobs(queue: JobQueue, options: ClaimOptions): Promise<readonly ClaimedJob[]> {
  const { database, schema, name } = queue;
  const held = [...options.held];
  for (let rounds = 0; rounds < maxHeld; rounds += 1) {
    const claim = (transaction: Queryable) => claimInTurn(queue, { ...options, held }, transaction);
    try {
      return await database.transaction(claim, { alone: `${schema}.${name}`, settings: readInOrder });
    } catch (error) {
      if (!(error instanceof HeldBack)) throw error;
      held.push(error.held);
    }
  }
  return [];
}

// The planner guesses by far too few rows where groups are left out, and would sort all that waits instead of reading it in order.
const readInOrder = { enable_sort: 'off', enable_seqscan: 'off', enable_bitmapscan: 'off' };

async function claimInTurn(
  queue: JobQueue,
  { room, limits, held, judge }: ClaimOptions,
  transaction: Queryable,
): Promise<readonly ClaimedJob[]> {
  const { all = Number.POSITIVE_INFINITY, perGroup = null } = limits;
  const claimed: ClaimedJob[] = [];
  while (claimed.length < room) {
    const { priority, running } = await readState(queue, { perGroup, held }, transaction);
    const count = Object.values(running).reduce((sum, one) => sum + one, 0);
    if (priority === null || count >= all) break;
    const job = await fetchFairly(queue, { priority, running, perGroup, held }, transaction);
    if (job === null) break;
    const trial = { job, hasBegun: priority >= begunFirst, claimed };
    const verdict = judge(trial);
    if (verdict === 'hold') throw new HeldBack(trial);
    if (verdict === 'begin') claimed.push(job);
    else await bury(queue, { job, ...verdict }, transaction);
  }
  return claimed;
}

interface Bounds extends Pick<ClaimOptions, 'held'> {
  readonly perGroup: number | null;
}

/** Groups of which nothing may begin that has such a priority. */
function listHeld(held: readonly HeldGroup[], priority: number): readonly string[] {
  return held.flatMap(({ group, hasBegun }) => (hasBegun || priority < begunFirst ? [group] : []));
}

async function readState(
  { schema, name }: JobQueue,
  { perGroup, held }: Bounds,
  { query }: Queryable,
): Promise<QueueState> {
  const [state] = await query<QueueState>(
    `WITH running AS (
       SELECT group_id, COUNT(*)::int AS count FROM ${schema}.job
       WHERE name = $1 AND state = 'active' AND group_id IS NOT NULL GROUP BY group_id
     )
     SELECT (SELECT COALESCE(json_object_agg(group_id, count), '{}') FROM running) AS running,
       (SELECT j.priority FROM ${schema}.job j
        WHERE j.name = $1 AND j.state < 'active' AND NOT j.blocked AND j.start_after <= ${schema}.job_now()
          AND j.group_id <> ALL (CASE WHEN j.priority < ${begunFirst} THEN $2::text[] ELSE $4::text[] END)
          AND j.group_id <> ALL (ARRAY(SELECT group_id FROM running WHERE count >= $3::int))
        ORDER BY j.priority DESC, j.created_on LIMIT 1) AS priority`,
    [name, listHeld(held, 0), perGroup, listHeld(held, begunFirst)],
  );
  return state ?? { priority: null, running: {} };
}

/** Asks for a job of groups with nothing at work, then of those with more and more. */
async function fetchFairly(
  { boss, name }: JobQueue,
  { priority, running, perGroup, held }: Bounds & QueueState & { readonly priority: number },
  transaction: Queryable,
): Promise<ClaimedJob | null> {
  const counts = Object.entries(running);
  const full = counts.filter(([, count]) => perGroup !== null && count >= perGroup).map(([group]) => group);
  const levels = new Set([0, ...counts.map(([, count]) => count)]);
  for (const level of [...levels].sort((one, other) => one - other)) {
    const busier = counts.filter(([, count]) => count > level).map(([group]) => group);
    const ignoreGroups = [...new Set([...listHeld(held, priority), ...full, ...busier])];
    const asked = {
      ...{ db: toExecutor(transaction), batchSize: 1, minPriority: priority, ignoreGroups },
      includeMetadata: true,
    } as const;
    const [job] = await boss.fetch<object>(name, asked);
    if (job !== undefined) return job;
  }
  return null;
}

/** Puts away what can never be read, for somebody to look at. */
async function bury(
  { boss, name }: JobQueue,
  { job, unreadable }: { readonly job: ClaimedJob; readonly unreadable: string },
  transaction: Queryable,
): Promise<void> {
  const db = toExecutor(transaction);
  await boss.send(toDeadLetters(name), { data: job.data, reason: unreadable }, { db });
  await boss.complete(name, job, { reason: unreadable }, { db });
}

/** A job that is to wait in the queue. */
export interface NewJob {
  readonly data: object;
  readonly key: string;
  readonly group: string;
  readonly priority: number;
  /** True for one that takes up at once what was left for later. */
  readonly takesUp: boolean;
}

/** Adds a job, unless one of its key is there; then it may still be that its time comes now. */
export async function addJob(
  queue: JobQueue,
  { data, key, group, priority, takesUp }: NewJob,
): Promise<'added' | 'known'> {
  const { boss, name } = queue;
  const id = await boss.send(name, data, { singletonKey: key, group: { id: group }, priority });
  if (id !== null) return 'added';
  if (!takesUp) return 'known';
  const [left] = await findDeferred(queue, key);
  if (left === undefined) return 'known';
  const { updated } = await boss.update(name, data, { id: left.id, startAfter: 0, priority });
  return updated > 0 ? 'added' : 'known';
}

/** Tells whether a job of this key is not at its end. */
export async function knowsKey({ database, schema, name }: JobQueue, key: string): Promise<boolean> {
  const rows = await database.query(
    `SELECT FROM ${schema}.job
     WHERE name = $1 AND COALESCE(singleton_key, '') = $2 AND policy = 'exclusive' AND state <= 'active'`,
    [name, key],
  );
  return rows.length > 0;
}

/** Finds the job of a key that was left for later, by the index that keeps the keys apart. */
function findDeferred({ database, schema, name }: JobQueue, key: string): Promise<readonly { id: string }[]> {
  return database.query(
    `SELECT id FROM ${schema}.job
     WHERE name = $1 AND COALESCE(singleton_key, '') = $2 AND policy = 'exclusive'
       AND state = 'retry' AND start_after > ${schema}.job_now()`,
    [name, key],
  );
}
