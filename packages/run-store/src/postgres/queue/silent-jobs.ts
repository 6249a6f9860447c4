import { type ClaimedJob, putBack } from './held-jobs.ts';
import type { JobQueue } from './open-boss.ts';

/** A job at work whose worker has given no sign of life lately. */
export interface SilentJob {
  readonly id: string;
  /** When it gave the last one, as the database says it. */
  readonly sign: string;
}

/** Age of a sign of life in seconds from which on a worker is watched: one that lives gives the next one before. */
export const silentSeconds = 4;
/** Milliseconds for which a watched worker stays silent before it is taken for dead: at the second look after the first. */
const watchedMs = 5_500;
/** After so many milliseconds without a look this process was cut off, or the server was away. */
const blindMs = 10_000;
/** So many milliseconds all have then to show that they live: who waits for the server tries again after seconds. */
const calmMs = 15_000;
/** The same after the first look: nobody knows whether the server was away before, and who tries again does so within five seconds. */
const firstCalmMs = 9_000;

/**
 * Watches workers that are silent. One is taken for dead by whoever has seen it silent for a while; who could not look for a while
 * takes nobody for dead soon after, so that an outage is nobody's death.
 *
 * @param now milliseconds since 1970
 * @returns what takes in a look at the queue, and tells the jobs whose workers are taken for dead
 */
export function createWatch(now: () => number): (silent: readonly SilentJob[]) => readonly SilentJob[] {
  let seenAt: ReadonlyMap<string, number> = new Map();
  let lookedAt: number | null = null;
  let calmUntil = Number.NEGATIVE_INFINITY;
  const toName = ({ id, sign }: SilentJob) => `${id} ${sign}`;
  return (silent) => {
    const at = now();
    if (lookedAt === null) calmUntil = at + firstCalmMs;
    else if (at - lookedAt > blindMs) calmUntil = at + calmMs;
    lookedAt = at;
    seenAt = new Map(silent.map(toName).map((name) => [name, seenAt.get(name) ?? at]));
    const isDead = (job: SilentJob) => at - (seenAt.get(toName(job)) ?? at) >= watchedMs;
    return at < calmUntil ? [] : silent.filter(isDead);
  };
}

/**
 * Takes jobs from workers that are dead, for any process to begin at once, before all that has not begun yet.
 * @returns how many; one that has shown a sign of life meanwhile stays where it is
 */
export async function takeFromDead(
  queue: JobQueue,
  {
    dead,
    toPriority,
  }: { readonly dead: readonly SilentJob[]; readonly toPriority: (data: object) => number },
): Promise<number> {
  if (dead.length === 0) return 0;
  const { database, schema, name } = queue;
  return database.transaction(async (transaction) => {
    const jobs = await transaction.query<ClaimedJob>(
      `SELECT id, data, retry_count AS "retryCount", group_id AS "groupId"
       FROM ${schema}.job JOIN unnest($2::uuid[], $3::timestamptz[]) AS dead (id, sign) USING (id)
       WHERE name = $1 AND state = 'active' AND heartbeat_on = sign FOR UPDATE OF job SKIP LOCKED`,
      [name, dead.map(({ id }) => id), dead.map(({ sign }) => sign)],
    );
    for (const job of jobs) {
      const reason = 'its worker stopped responding';
      const back = { job, afterMs: 0, priority: toPriority(job.data), reason };
      await putBack(queue, back, transaction);
    }
    return jobs.length;
  });
}

/**
 * Asks, look after look, whether some job elsewhere may be that of a dead worker: one that was at work at the first look, and whose
 * worker has given no sign of life since. What it is asked for again and again ends, by a sign or because the job is taken.
 *
 * @param isOurs true for a job of this process
 */
export function createRollCall(isOurs: (id: string) => boolean): (queue: JobQueue) => Promise<boolean> {
  let first: ReadonlyMap<string, string> | null = null;
  return async ({ database, schema, name }) => {
    const atWork = await database.query<SilentJob>(
      `SELECT id, heartbeat_on::text AS sign FROM ${schema}.job
       WHERE name = $1 AND state = 'active' AND group_id IS NOT NULL`,
      [name],
    );
    const others = atWork.filter(({ id }) => !isOurs(id));
    first ??= new Map(others.map(({ id, sign }) => [id, sign]));
    return others.some(({ id, sign }) => first?.get(id) === sign);
  };
}
