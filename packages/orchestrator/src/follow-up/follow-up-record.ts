import { type JsonObject, type Outcome, outcomes, type RunState } from '@agent/run-store';
import { z } from 'zod';
import { type FollowUpSettings, followUpSchema, parseUntil } from '../config/follow-up-settings.ts';
import { type Delivery, formatEndDetails, parseEndDetails } from '../run/run-ending.ts';

/** Reason for which a change request is watched no more. */
export type FollowUpEnd =
  | 'green'
  | 'merged'
  | 'closed'
  | 'deadline'
  | 'rounds'
  | 'conflict'
  | 'asked'
  | 'queued';

/**
 * State of a run that stays with its change request. A value of its state, and so a line of its record. A round has begun once its words
 * are in the journal; what stands here of it before is an intention.
 */
export interface FollowUpRecord {
  /** Number of the change request. */
  readonly number: number;
  /** True from a delivery until the run is resumed, which makes its next round due. */
  readonly isWaiting: boolean;
  /** True where a change of the request woke it, which it then looks for itself; false where a person did. */
  readonly isWoken: boolean;
  /** Number of the round that is due or at work; of the last one while the run waits, 0 before the first. */
  readonly round: number;
  /** Rounds as they began, in their order; the one that is due may be among them. */
  readonly rounds: readonly BegunRound[];
  /** ISO 8601: when it waits no longer. */
  readonly deadline: string;
  /** Count of the wish that the deadline rests on. */
  readonly wish: number;
  readonly delivery: Delivery;
  /** Outcome of the run so far. */
  readonly outcome: Outcome;
  /** Why it is no better outcome, for people; null for no reason. */
  readonly reason: string | null;
  /** Class of its failure; null if it did not fail. */
  readonly errorClass: string | null;
  /** The comment that tells people of it, to the letter. */
  readonly comment: string;
  /** Set once the watch is over. */
  readonly end: FollowUpEnd | null;
}

/** Change request as a round found it. */
export interface BegunRound {
  readonly head: string;
  /** True where the round was told that the head conflicts with its base. */
  readonly conflicts: boolean;
  /** True once it ended without pushing anything. */
  readonly isLeft: boolean;
}

const recordName = 'follow-up.json';
const wishName = 'watch.json';

const schema = z.object({
  number: z.number(),
  is_waiting: z.boolean(),
  is_woken: z.boolean(),
  round: z.number(),
  rounds: z.array(z.object({ head: z.string(), conflicts: z.boolean(), is_left: z.boolean() })),
  deadline: z.string(),
  wish: z.number(),
  delivered: z.unknown(),
  outcome: z.enum(outcomes),
  reason: z.string().nullable(),
  error_class: z.string().nullable(),
  end: z.enum(['green', 'merged', 'closed', 'deadline', 'rounds', 'conflict', 'asked', 'queued']).nullable(),
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
    isWoken: read.is_woken,
    round: read.round,
    rounds: read.rounds.map(({ is_left: isLeft, ...round }) => ({ ...round, isLeft })),
    deadline: read.deadline,
    wish: read.wish,
    delivery,
    outcome: read.outcome,
    reason: read.reason,
    errorClass: read.error_class,
    comment,
    end: read.end,
  };
}

/** Keeps it. */
export function writeFollowUp(state: Pick<RunState, 'write'>, record: FollowUpRecord): Promise<void> {
  const { delivery, comment: finalComment } = record;
  const json: JsonObject = {
    number: record.number,
    is_waiting: record.isWaiting,
    is_woken: record.isWoken,
    round: record.round,
    rounds: record.rounds.map(({ isLeft, ...round }) => ({ ...round, is_left: isLeft })),
    deadline: record.deadline,
    wish: record.wish,
    delivered: formatEndDetails({ finalComment, delivery, detection: null, plan: null }),
    outcome: record.outcome,
    reason: record.reason,
    error_class: record.errorClass,
    end: record.end,
  };
  return state.write(recordName, json);
}

/** Lists the rounds that are over: one that is due counts only once it has begun. */
export function listOverRounds({
  isWaiting,
  round,
  rounds,
}: Pick<FollowUpRecord, 'isWaiting' | 'round' | 'rounds'>): readonly BegunRound[] {
  return rounds.slice(0, isWaiting ? round : round - 1);
}

/** Wish that somebody made by `/watch` or `/unwatch`. */
export interface WatchWish {
  readonly name: 'watch' | 'unwatch';
  /** End of the wait, as it stands behind `/watch`; null where nothing does. */
  readonly until: FollowUpSettings['until'] | null;
  /** Times that somebody has said how long. */
  readonly count: number;
}

const wishSchema = z.object({
  name: z.enum(['watch', 'unwatch']),
  until: followUpSchema.shape.until.unwrap().nullable(),
  count: z.number(),
});

/** Reads what somebody wished; null where nobody did. */
export async function readWatchWish(state: Pick<RunState, 'read'>): Promise<WatchWish | null> {
  return wishSchema.nullable().parse(await state.read(wishName));
}

/** Chooses how a run stays with its change request: as the operator says, until what the wish says. */
export function withWish(settings: FollowUpSettings | null, wish: WatchWish | null): FollowUpSettings {
  const chosen = settings ?? followUpSchema.parse({});
  return wish?.until == null ? chosen : { ...chosen, until: wish.until };
}

/** Tells whether somebody has said how long since a run set its deadline, which then counts no more. */
export function isRenewed({ wish: known }: Pick<FollowUpRecord, 'wish'>, wish: WatchWish | null): boolean {
  return wish !== null && wish.count > known;
}

/** Keeps the wish that a command makes; the last one holds. @returns false for words that are no end of a wait, or that come after its end */
export async function keepWatchWish(
  state: Pick<RunState, 'read' | 'write'>,
  { name, argument }: { readonly name: WatchWish['name']; readonly argument: string },
): Promise<boolean> {
  const isPlain = name === 'unwatch' || argument === '';
  const until = isPlain ? null : parseUntil(argument);
  if (!isPlain && (until === null || (await readFollowUp(state))?.end != null)) return false;
  const before = await readWatchWish(state);
  const said = name === 'unwatch' ? null : (until ?? before?.until ?? null);
  await state.write(wishName, { name, until: said, count: (before?.count ?? 0) + (until === null ? 0 : 1) });
  return true;
}
