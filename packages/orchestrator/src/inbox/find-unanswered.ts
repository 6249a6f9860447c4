import type { CommentChange, CommentDetectionState } from '@agent/comment-detection';

export interface UnansweredQuestion {
  readonly undelivered: readonly CommentChange[];
  /** Knows when our own comments were written, too. */
  readonly ledger: CommentDetectionState['ledger'];
  /** The comment that the run ended with. */
  readonly finalCommentId: string;
}

/**
 * What was said before the run's final comment stood there, so that whoever said it could not know that nobody
 * listened any more. What shares the comment's second may have come before it.
 */
export function findUnanswered({ undelivered, ledger, finalCommentId }: UnansweredQuestion): CommentChange[] {
  const final = ledger.find(({ id }) => id === finalCommentId);
  if (final === undefined) return [];
  const endedAt = Date.parse(final.created_at);
  return undelivered.filter(
    ({ kind, comment: { updatedAt, createdAt } }) =>
      kind !== 'deleted' && Date.parse(updatedAt ?? createdAt) <= endedAt,
  );
}
