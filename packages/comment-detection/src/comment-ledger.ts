import type { ObservedAuthority } from '@agent/platforms';
import { type ChangeKind, type CommentChange, formatRevision, sortChanges } from './changes.ts';
import type { SourceComment } from './comment.ts';

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
  readonly comment: SourceComment;
  /** Hash of the newest revision's body. */
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
  /** Authority of its author as it was last found; null while nobody asked. */
  readonly authority: ObservedAuthority | null;
  /** The model was told of it while nobody could say whether its author may steer: it is corrected once that is known. */
  readonly toldUnknown: boolean;
  /** Mark of the last observation of it that was kept; null for none. */
  readonly observed: string | null;
}

/** Every comment of a thread that was ever seen, and which of them the model has yet to be told of. */
export interface CommentLedger {
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** Ids of the entries that have a change to deliver, so that a quiet check costs nothing on a long thread. */
  readonly open: ReadonlySet<string>;
}

export const emptyLedger: CommentLedger = { entries: new Map(), open: new Set() };

/** An entry of which nothing is known but what is given. */
export function newEntry(comment: SourceComment, hash: string): LedgerEntry {
  return {
    comment,
    hash,
    bodyKnown: true,
    known: null,
    gone: false,
    closed: false,
    excluded: false,
    authority: null,
    toldUnknown: false,
    observed: null,
  };
}

/** The ledger with these entries put in. The one it came from stays as it is. */
export function withEntries(ledger: CommentLedger, changed: readonly LedgerEntry[]): CommentLedger {
  if (changed.length === 0) return ledger;
  const entries = new Map(ledger.entries);
  const open = new Set(ledger.open);
  for (const entry of changed) {
    entries.set(entry.comment.id, entry);
    if (isOpen(entry)) open.add(entry.comment.id);
    else open.delete(entry.comment.id);
  }
  return { entries, open };
}

/** Tells whether something is left to be told, to be asked or to be written down. */
function isOpen(entry: LedgerEntry): boolean {
  if (entry.excluded || entry.closed) return false;
  const isTakenBack = entry.gone && entry.observed !== null && !entry.observed.startsWith('deleted ');
  return isTakenBack || entry.toldUnknown || changeKindOf(entry) !== null;
}

/**
 * Finds the change of a comment that the model has yet to be told of; null when nothing. Of a comment that it never heard of, only
 * the newest body is news, and a deletion is none.
 */
export function changeKindOf(entry: LedgerEntry): ChangeKind | null {
  if (entry.excluded || entry.closed) return null;
  if (entry.gone) return entry.known === null ? null : 'deleted';
  if (!entry.bodyKnown) return null;
  if (entry.known === null) return 'added';
  if (entry.known.hash !== entry.hash) return 'edited';
  return isCorrection(entry) ? 'added' : null;
}

/** Told as "not known yet", and known by now. */
function isCorrection({ toldUnknown, authority, known, hash }: LedgerEntry): boolean {
  return toldUnknown && authority !== null && authority !== 'unknown' && known?.hash === hash;
}

/** Everything that is undelivered: additions, then edits, then deletions, each in the order of the thread. */
export function listPendingChanges(ledger: CommentLedger): readonly CommentChange[] {
  return sortChanges(listOpenEntries(ledger).flatMap((entry) => toChange(entry) ?? []));
}

/** The change that an entry has to deliver, or null. */
export function toChange(entry: LedgerEntry): CommentChange | null {
  const kind = changeKindOf(entry);
  if (kind === null) return null;
  return {
    kind,
    comment: entry.comment,
    previousBody: kind === 'added' ? null : (entry.known?.body ?? null),
    revision: formatRevision({ hash: entry.hash, updatedAt: entry.comment.updatedAt }),
    authority: entry.authority,
    corrects: isCorrection(entry),
  };
}

/** Entries of which something is left to be told, to be asked or to be written down. */
export function listOpenEntries({ entries, open }: CommentLedger): readonly LedgerEntry[] {
  return [...open].flatMap((id) => entries.get(id) ?? []);
}

/** Ids of the ledger's living comments that a complete listing does not show. */
export function findAbsentIds(ledger: CommentLedger, listed: readonly SourceComment[]): readonly string[] {
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

/** Forgets that these were deleted: the platform shows them again, and nobody was told of what they say now. */
export function reopen(ledger: CommentLedger, comments: readonly SourceComment[]): CommentLedger {
  const returned = comments.flatMap(({ id }) => {
    const entry = ledger.entries.get(id);
    return entry?.closed === true
      ? [{ ...entry, gone: false, closed: false, known: null, observed: null }]
      : [];
  });
  return withEntries(ledger, returned);
}

/** The revision that stands, as one that the model was told of. */
export function toKnown({ hash, comment }: LedgerEntry): KnownRevision {
  return { hash, updatedAt: comment.updatedAt, body: comment.body };
}
