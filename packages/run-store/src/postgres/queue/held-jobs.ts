import { randomInt } from 'node:crypto';
import type { JobWithMetadata } from 'pg-boss';
import { z } from 'zod';
import type { Queryable } from '../database.ts';
import { type JobQueue, toExecutor } from './open-boss.ts';

/** A job that this process has: its number, the attempt that it was fetched for, and the time since which it could begin. */
export type ClaimedJob = Pick<
  JobWithMetadata<object>,
  'id' | 'data' | 'retryCount' | 'groupId' | 'startAfter'
>;

/** Answer to what settles or refreshes jobs: those that it found as they were fetched. */
const settledSchema = z.object({ affected: z.number(), settled: z.array(z.string()) });

/** Shows that the workers of jobs are alive. @returns ids of those that are theirs no more */
export async function touchJobs(
  { boss, name }: JobQueue,
  jobs: readonly ClaimedJob[],
): Promise<readonly string[]> {
  const { settled } = settledSchema.parse(await boss.touch(name, [...jobs]));
  return jobs.map(({ id }) => id).filter((id) => !settled.includes(id));
}

/** Priorities of jobs that are being renewed, above all others. */
const [lowestMark, highestMark] = [1_000_000_000, 2_000_000_000];

/**
 * Has a job begin anew while it is at work, so that it does not run out of the time that one attempt may take: it is completed, sent and
 * fetched again, all of it or nothing.
 *
 * @returns null where it is not this process's any more
 */
export function renewJob(queue: JobQueue, job: ClaimedJob, key: string): Promise<ClaimedJob | null> {
  const { boss, name, database } = queue;
  return database.transaction(async (transaction) => {
    const db = toExecutor(transaction);
    const settled = settledSchema.parse(await boss.complete(name, job, { renewed: true }, { db }));
    if (settled.affected === 0) return null;
    const priority = randomInt(lowestMark, highestMark);
    const group = { id: job.groupId ?? '' };
    const id = await boss.send(name, job.data, { db, singletonKey: key, group, priority });
    const asked = {
      ...{ db, batchSize: 1, minPriority: priority, maxPriority: priority },
      includeMetadata: true,
    } as const;
    const [renewed] = await boss.fetch<object>(name, asked);
    if (renewed === undefined || renewed.id !== id)
      throw new Error(`The job of ${key} could not be renewed: another claim was faster.`);
    return renewed;
  });
}

/** A job on its way back into the queue. */
export interface PutBack {
  readonly job: ClaimedJob;
  /** Milliseconds after which any process may take it. */
  readonly afterMs: number;
  readonly priority: number;
  /** In the words of a report. */
  readonly reason: string;
}

/** Puts a job back that its worker does not go on with, and tells all processes where it may begin at once; nothing where it is another attempt's. */
export async function putBack(
  { boss, name }: JobQueue,
  { job, afterMs, priority, reason }: PutBack,
  transaction: Queryable,
): Promise<void> {
  const db = toExecutor(transaction);
  const { affected } = settledSchema.parse(await boss.fail(name, job, { reason }, { db }));
  // Without this it would wait for longer the more often it began.
  if (affected > 0)
    await boss.update(name, job.data, { id: job.id, startAfter: afterMs / 1_000, priority, db });
}
