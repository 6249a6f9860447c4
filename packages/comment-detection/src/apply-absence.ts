import { type CommentLedger, withEntries } from './comment-ledger.ts';
import type { Comment } from './model.ts';

/** Ids of the ledger's living comments that a complete listing does not show. */
export function findAbsentIds(ledger: CommentLedger, listed: readonly Comment[]): readonly string[] {
  const shown = new Set(listed.map(({ id }) => id));
  return [...ledger.entries.values()].flatMap(({ comment, gone }) =>
    gone || shown.has(comment.id) ? [] : [comment.id],
  );
}

/** The ledger in which these comments are gone. */
export function markGone(ledger: CommentLedger, ids: readonly string[]): CommentLedger {
  const gone = ids.flatMap((id) => {
    const entry = ledger.entries.get(id);
    return entry === undefined ? [] : [{ ...entry, gone: true }];
  });
  return withEntries(ledger, gone);
}
