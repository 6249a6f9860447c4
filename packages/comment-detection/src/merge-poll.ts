import { applyListing, type ListingRules, toBaselineLedger } from './apply-listing.ts';
import type { CommentChange } from './changes.ts';
import type { CommentLedger } from './comment-ledger.ts';
import { markGone } from './comment-ledger.ts';
import { timeOf } from './compare-comments.ts';
import type { DetectionMemory } from './detection-memory.ts';
import type { Comment } from './model.ts';
import { listPendingChanges } from './pending-changes.ts';
import type { PollResult } from './poll-thread.ts';

export interface MergeRules {
  readonly isExcluded: (comment: Comment) => boolean;
  readonly detectEdits: boolean;
  /** When the task began, by the server's clock. */
  readonly startedAt: string;
  /** When the look was made, by our own clock. */
  readonly checkedAt: string;
}

/**
 * The memory after a look. The first look of a manager that had no snapshot settles what is history: what was
 * created until the task began. @see decision B8
 */
export function mergePoll(memory: DetectionMemory, { poll, rules }: PollAndRules): DetectionMemory {
  const historyUntil = memory.initialized ? memory.historyUntil : rules.startedAt;
  const listingRules: ListingRules = { ...rules, baseline: { historyUntil } };
  const listed = applyListing(memory.ledger, { comments: poll.comments, rules: listingRules });
  return {
    ...memory,
    ledger: rules.detectEdits ? markGone(listed, poll.absent) : listed,
    cursor: poll.cursor,
    initialized: true,
    historyUntil: poll.complete ? null : historyUntil,
    lastCheckTime: rules.checkedAt,
  };
}

interface PollAndRules {
  readonly poll: PollResult;
  readonly rules: MergeRules;
}

/** The memory after the snapshot that the first prompt was made from. */
export function mergeSnapshot(memory: DetectionMemory, { poll, rules }: PollAndRules): DetectionMemory {
  return {
    ...memory,
    ledger: toBaselineLedger(poll.comments, rules.isExcluded),
    cursor: poll.cursor,
    initialized: true,
    historyUntil: poll.complete ? null : (justBeforeNewest(poll.comments) ?? rules.startedAt),
    lastCheckTime: rules.checkedAt,
  };
}

/** Of a part of the thread the newest comment tells the server's time; what shares its second may be news. */
function justBeforeNewest(comments: readonly Comment[]): string | null {
  const newest = Math.max(0, ...comments.map(({ createdAt }) => timeOf(createdAt)));
  return newest === 0 ? null : new Date(newest - 1).toISOString();
}

/** Changes that the newer ledger has to deliver and the older one had not. */
export function findNewChanges(before: CommentLedger, after: CommentLedger): readonly CommentChange[] {
  if (before === after) return [];
  const keyOf = ({ kind, comment }: CommentChange) => `${kind} ${comment.id}`;
  const known = new Set(listPendingChanges(before).map(keyOf));
  return listPendingChanges(after).filter((change) => !known.has(keyOf(change)));
}
