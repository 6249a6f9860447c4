import { z } from 'zod';

/** Longest time that a change request is watched for, in days: a run that waits longer is not resumed any more. */
const longestDays = 28;

const untilSchema = z.union([
  z.enum(['green', 'merged']),
  z.string().regex(/^([1-9]|1\d|2[0-8])d$/u, 'must be green, merged, or 1d to 28d'),
]);

/** Reads the end of the wait as it was written; null for anything else. */
export function parseUntil(written: string): FollowUpSettings['until'] | null {
  return untilSchema.safeParse(written.normalize('NFKC').trim().toLowerCase()).data ?? null;
}

/**
 * Section `follow_up` of a configuration: how a run stays with the change request that it opened.
 *
 * @see docs/decisions/0067-a-delivered-run-waits-for-its-change-request.md
 */
export const followUpSchema = z.strictObject({
  /** True to wait for reviews and checks of the change request; false to keep only what comments after the end begin. */
  watch: z.boolean().default(true),
  /** Comments of trusted users after the end of a run that begin another one: all, those that mention the agent, or none. */
  on_comment: z.enum(['always', 'mention', 'never']).default('always'),
  /** Runs that comments begin on one issue, pull or merge request, at most. */
  comment_rounds: z.number().int().min(1).max(1_000).default(5),
  /** Days after the end of a run in which a comment begins another one, at most 90. */
  comment_days: z.number().int().min(1).max(90).default(14),
  /** True where comments of trusted reviewers begin a round. */
  reviews: z.boolean().default(true),
  /** True where a check that fails begins a round. */
  checks: z.boolean().default(true),
  /** End of the wait: all checks have passed, the request is merged, or a number of days, at most 28, is over. */
  until: untilSchema.default('green'),
  max_rounds_per_head: z.number().int().min(1).max(100).default(3),
  max_rounds: z.number().int().min(1).max(1_000).default(10),
});

/** Section of a configuration, as the schema gives it. */
export type FollowUpSettings = z.infer<typeof followUpSchema>;

/** Picks the settings of a run that waits for its change request; null where none does unless a user comments `/watch`. */
export function toWatchSettings(section: FollowUpSettings | null): FollowUpSettings | null {
  return section?.watch === true ? section : null;
}

/** Milliseconds for which a change request is watched at most. */
export function toWatchMs({ until }: Pick<FollowUpSettings, 'until'>): number {
  const days = /^\d+/u.exec(until)?.[0];
  return Number(days ?? longestDays) * 86_400_000;
}
