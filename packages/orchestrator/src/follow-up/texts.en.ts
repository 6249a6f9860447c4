import type { FollowUpEnd } from './follow-up-record.ts';

/** Texts of runs that stay with their change request, in English. */
export const en = {
  /** `until`: with its time zone. */
  watching: (until: string) =>
    `👀 I stay with this change until ${until}: I answer reviews and repair checks that fail. \`/unwatch\` ends that.`,
  ends: {
    green: 'All checks have passed, and nothing is left to answer.',
    merged: 'The change is merged.',
    closed: 'The change was closed without being merged.',
    deadline: 'The time for which I stay with this change is over.',
    rounds:
      'I have used up my rounds on this change, and something still needs work. Somebody has to look at it.',
    conflict:
      'This change conflicts with its base, and I could not merge the two. Somebody has to resolve the conflict.',
    asked: 'I was asked to leave this change alone.',
  } satisfies Readonly<Record<FollowUpEnd, string>>,
  /** `commit`: short; null where nothing was changed. */
  answer: (commit: string | null) => (commit === null ? 'I changed nothing.' : `Done in ${commit}.`),
  /** Behind an answer to one review thread. */
  pushed: (commit: string) => `(pushed in ${commit})`,
};
