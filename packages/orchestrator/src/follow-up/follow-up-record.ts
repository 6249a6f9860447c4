import type { JsonObject, RunState } from '@agent/run-store';
import { z } from 'zod';
import type { Delivery } from '../report/final-comment.ts';
import { formatEndDetails, parseEndDetails } from '../run/run-ending.ts';

/** Reason for which a change request is watched no more. */
export type FollowUpEnd = 'green' | 'merged' | 'closed' | 'deadline' | 'rounds' | 'conflict' | 'asked';

/** State of a run that stays with its change request. A value of its state, and so a line of its record. */
export interface FollowUpRecord {
  /** Number of the change request. */
  readonly number: number;
  /** True while the run waits, false while it works on a round. */
  readonly isWaiting: boolean;
  /** ISO 8601: when it waits no longer. */
  readonly deadline: string;
  /** Rounds that began so far. */
  readonly rounds: number;
  /** Rounds that began on a head, by its commit. */
  readonly roundsOfHead: Readonly<Record<string, number>>;
  /** Checks that were run again, each as `head name`: once for each head. */
  readonly reruns: readonly string[];
  /** Conflict with the base that the last round was told of; null where it was told of none. */
  readonly conflict: ToldConflict | null;
  readonly delivery: Delivery;
  /** The comment that tells people of it, to the letter. */
  readonly comment: string;
  /** Set once the watch is over. */
  readonly end: FollowUpEnd | null;
}

/** Conflict of a change request with its base. */
export interface ToldConflict {
  /** Commit that conflicted. */
  readonly head: string;
  /** True where the round that was told of it ended without pushing anything. */
  readonly isLeft: boolean;
}

const recordName = 'follow-up.json';
const wishName = 'watch.json';

const schema = z.object({
  version: z.literal(1),
  number: z.number(),
  is_waiting: z.boolean(),
  deadline: z.string(),
  rounds: z.number(),
  rounds_of_head: z.record(z.string(), z.number()),
  reruns: z.array(z.string()),
  conflict: z.object({ head: z.string(), is_left: z.boolean() }).nullable().default(null),
  delivered: z.unknown(),
  end: z.enum(['green', 'merged', 'closed', 'deadline', 'rounds', 'conflict', 'asked']).nullable(),
});

/** Reads how a run stays with its change request; null where it does not. */
export async function readFollowUp(state: Pick<RunState, 'read'>): Promise<FollowUpRecord | null> {
  const value = await state.read(recordName);
  if (value === null) return null;
  const read = schema.parse(value);
  const { delivery, finalComment: comment } = parseEndDetails(read.delivered);
  return {
    number: read.number,
    isWaiting: read.is_waiting,
    deadline: read.deadline,
    rounds: read.rounds,
    roundsOfHead: read.rounds_of_head,
    reruns: read.reruns,
    conflict: read.conflict && { head: read.conflict.head, isLeft: read.conflict.is_left },
    delivery,
    comment,
    end: read.end,
  };
}

/** Keeps it. */
export function writeFollowUp(state: Pick<RunState, 'write'>, record: FollowUpRecord): Promise<void> {
  const { delivery, comment: finalComment } = record;
  const json: JsonObject = {
    version: 1,
    number: record.number,
    is_waiting: record.isWaiting,
    deadline: record.deadline,
    rounds: record.rounds,
    rounds_of_head: { ...record.roundsOfHead },
    reruns: [...record.reruns],
    conflict: record.conflict && { head: record.conflict.head, is_left: record.conflict.isLeft },
    delivered: formatEndDetails({ finalComment, delivery, detection: null, plan: null }),
    end: record.end,
  };
  return state.write(recordName, json);
}

/** Reads what somebody wished by `/watch` or `/unwatch`; null where nobody did. */
export async function readWatchWish(state: Pick<RunState, 'read'>): Promise<'watch' | 'unwatch' | null> {
  return z
    .enum(['watch', 'unwatch'])
    .nullable()
    .parse(await state.read(wishName));
}

/** Keeps the wish; the last one holds. */
export function writeWatchWish(state: Pick<RunState, 'write'>, wish: 'watch' | 'unwatch'): Promise<void> {
  return state.write(wishName, wish);
}
