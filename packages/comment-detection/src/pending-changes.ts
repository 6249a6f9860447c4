import type { ChangeKind, CommentChange, CommentChanges } from './changes.ts';
import { type CommentLedger, toChange } from './comment-ledger.ts';
import { compareComments } from './compare-comments.ts';
import type { Comment } from './model.ts';
import { formatRevision, hashBody } from './revision.ts';

const kindOrder: Readonly<Record<ChangeKind, number>> = { added: 0, edited: 1, deleted: 2 };

/** Everything that is undelivered: additions, then edits, then deletions, each in the order of the thread. */
export function listPendingChanges(ledger: CommentLedger): readonly CommentChange[] {
  const changes = [...ledger.open].flatMap((id) => {
    const entry = ledger.entries.get(id);
    const change = entry === undefined ? null : toChange(entry);
    return change === null ? [] : [change];
  });
  return sortChanges(changes);
}

function sortChanges(changes: readonly CommentChange[]): readonly CommentChange[] {
  return changes.toSorted(
    (a, b) => kindOrder[a.kind] - kindOrder[b.kind] || compareComments(a.comment, b.comment),
  );
}

/** The same changes, by kind. */
export function groupChanges(changes: readonly CommentChange[]): CommentChanges {
  const ofKind = (kind: ChangeKind) => changes.filter((change) => change.kind === kind);
  return {
    added: ofKind('added').map(({ comment }) => comment),
    edited: ofKind('edited').map(({ comment, previousBody }) => ({ ...comment, previousBody })),
    deleted: ofKind('deleted').map(({ comment }) => comment),
  };
}

/** The inverse of `groupChanges`; a bare list of comments is taken for additions. */
export function toChangeList(
  changes: readonly Comment[] | Partial<CommentChanges>,
): readonly CommentChange[] {
  const { added = [], edited = [], deleted = [] } = isList(changes) ? { added: changes } : changes;
  const toItem = (kind: ChangeKind) => (comment: Comment) => ({
    kind,
    comment,
    previousBody: 'previousBody' in comment ? (comment.previousBody as string | null) : null,
    revision: formatRevision({ hash: hashBody(comment.body), updatedAt: comment.updatedAt }),
  });
  return sortChanges([
    ...added.map(toItem('added')),
    ...edited.map(toItem('edited')),
    ...deleted.map(toItem('deleted')),
  ]);
}

function isList(changes: readonly Comment[] | Partial<CommentChanges>): changes is readonly Comment[] {
  return Array.isArray(changes);
}
