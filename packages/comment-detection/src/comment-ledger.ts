import type { ChangeKind, CommentChange } from './changes.ts';
import type { Comment } from './model.ts';
import { formatRevision } from './revision.ts';

/** The revision of a comment that the model was told of. */
export interface KnownRevision {
  readonly hash: string;
  readonly updatedAt: string | null;
  /** Null when only its hash is known. */
  readonly body: string | null;
}

/** Knowledge of one comment. */
export interface LedgerEntry {
  /** Its newest revision. */
  readonly comment: Comment;
  /** Of the newest revision's body. */
  readonly hash: string;
  /** False for an entry read back from a state or a journal, until a listing shows the comment again. */
  readonly bodyKnown: boolean;
  /** Null while the model has been told nothing. The first prompt counts as told. */
  readonly known: KnownRevision | null;
  /** Known to be deleted. */
  readonly gone: boolean;
  /** The model was told of the deletion. */
  readonly closed: boolean;
  /** Our own, or by somebody who is ignored: never news. */
  readonly excluded: boolean;
}

/** Every comment of a thread that was ever seen, and which of them the model has yet to be told of. */
export interface CommentLedger {
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** Ids of the entries that have a change to deliver, so that a quiet check costs nothing on a long thread. */
  readonly open: ReadonlySet<string>;
}

export const emptyLedger: CommentLedger = { entries: new Map(), open: new Set() };

/** The ledger with these entries put in. The one it came from stays as it is. */
export function withEntries(ledger: CommentLedger, changed: readonly LedgerEntry[]): CommentLedger {
  if (changed.length === 0) return ledger;
  const entries = new Map(ledger.entries);
  const open = new Set(ledger.open);
  for (const entry of changed) {
    entries.set(entry.comment.id, entry);
    if (changeKindOf(entry) === null) open.delete(entry.comment.id);
    else open.add(entry.comment.id);
  }
  return { entries, open };
}

/**
 * Finds the change of a comment that the model has yet to be told of; null when nothing. Of a comment that it never heard of, only
 * the newest body is news, and a deletion is none.
 */
function changeKindOf(entry: LedgerEntry): ChangeKind | null {
  if (entry.excluded || entry.closed) return null;
  if (entry.gone) return entry.known === null ? null : 'deleted';
  if (!entry.bodyKnown) return null;
  if (entry.known === null) return 'added';
  return entry.known.hash === entry.hash ? null : 'edited';
}

/** The change that an entry has to deliver, or null. */
export function toChange(entry: LedgerEntry): CommentChange | null {
  const kind = changeKindOf(entry);
  if (kind === null) return null;
  return {
    kind,
    comment: entry.comment,
    previousBody: entry.known?.body ?? null,
    revision: formatRevision({ hash: entry.hash, updatedAt: entry.comment.updatedAt }),
  };
}

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
