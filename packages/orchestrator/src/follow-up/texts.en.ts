import type { ChangeRequestKind } from '../run/run-facts.ts';
import type { FollowUpEnd } from './follow-up-record.ts';

/** Texts of runs that watch their pull or merge request, in English. */
export const en = {
  /** `until`: with its time zone. */
  watching: (kind: ChangeRequestKind, until: string) =>
    `👀 I'll watch this ${kind} until ${until}: I'll reply to reviews and fix failing checks. Comment \`/unwatch\` to end this.`,
  ends: {
    green: () => 'All checks have passed, and there are no open review comments.',
    merged: (kind) => `The ${kind} was merged.`,
    closed: (kind) => `The ${kind} was closed without being merged.`,
    deadline: (kind) => `I've stopped watching the ${kind} because the watch time has expired.`,
    rounds: (kind) =>
      `I've reached the maximum number of rounds on this ${kind}, and it still needs work. Please take a look.`,
    conflict: (kind) =>
      `The ${kind} conflicts with its base branch, and I couldn't merge the two. Please resolve the conflict.`,
    queued: (kind) => `The ${kind} is queued for merging, so I've stopped watching it.`,
    asked: (kind) => `I've stopped watching the ${kind}, as requested.`,
  } satisfies Readonly<Record<FollowUpEnd, (kind: ChangeRequestKind) => string>>,
  /** `again`: sentence about how to begin the task again. */
  commentRoundsUsed: (rounds: number, again: string) =>
    `I've reached the maximum number of runs that comments can begin here (${rounds}), so I'm not continuing. ${again} The limit is the setting \`follow_up.comment_rounds\`.`,
  /** `commit`: short; null if nothing was changed. */
  answer: (commit: string | null) => (commit === null ? 'No changes made.' : `Done in ${commit}.`),
  /** Follows the answer to a review thread. */
  pushed: (commit: string) => `(pushed in ${commit})`,
};
