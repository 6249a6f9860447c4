import { type CommentLedger, type KnownRevision, type LedgerEntry, withEntries } from './comment-ledger.ts';
import { timeOf } from './compare-comments.ts';
import type { Comment } from './model.ts';
import { hashBody } from './revision.ts';

/** Material that the first prompt was made from, so that history is not taken for news. */
export interface Baseline {
  /**
   * By the server's clock (ISO 8601): what was created until then is history, even if it is seen only later.
   * Null when the baseline is the whole thread, and everything else is news.
   */
  readonly historyUntil: string | null;
}

export interface ListingRules {
  readonly baseline: Baseline;
  /** Our own comments, and those of accounts that are ignored. */
  readonly isExcluded: (comment: Comment) => boolean;
  /** When false, edits are taken for known. */
  readonly detectEdits: boolean;
}

/**
 * Takes in a listing. Comments are only ever put in, never taken out, whatever the listing leaves out; an
 * older revision than the one that was seen is passed over.
 */
export function applyListing(
  ledger: CommentLedger,
  { comments, rules }: { readonly comments: readonly Comment[]; readonly rules: ListingRules },
): CommentLedger {
  const changed = new Map<string, LedgerEntry>();
  for (const comment of comments) {
    const entry = changed.get(comment.id) ?? ledger.entries.get(comment.id);
    const next = entry === undefined ? toNewEntry(comment, rules) : toSeenEntry(entry, { comment, rules });
    if (next !== null) changed.set(comment.id, next);
  }
  return withEntries(ledger, [...changed.values()]);
}

/** The ledger after a snapshot that the first prompt was made from: all of it is known. */
export function toBaselineLedger(
  comments: readonly Comment[],
  isExcluded: ListingRules['isExcluded'],
): CommentLedger {
  const rules = { baseline: { historyUntil: null }, isExcluded, detectEdits: true };
  const { entries } = applyListing({ entries: new Map(), open: new Set() }, { comments, rules });
  const known = [...entries.values()].map((entry) => ({ ...entry, known: toKnown(entry) }));
  return withEntries({ entries: new Map(), open: new Set() }, known);
}

function toNewEntry(comment: Comment, { baseline, isExcluded }: ListingRules): LedgerEntry {
  const hash = hashBody(comment.body);
  const entry: LedgerEntry = {
    comment,
    hash,
    bodyKnown: true,
    known: null,
    gone: false,
    closed: false,
    excluded: isExcluded(comment),
  };
  if (!isHistory(comment.createdAt, baseline)) return entry;
  const editedSince = comment.updatedAt !== null && !isHistory(comment.updatedAt, baseline);
  return { ...entry, known: editedSince ? unknownRevision : toKnown(entry) };
}

/** The past of a comment that was edited before it was first seen. */
const unknownRevision: KnownRevision = { hash: '', updatedAt: null, body: null };

/** Anything that cannot be dated is news: hearing something twice is better than not at all. */
function isHistory(time: string, { historyUntil }: Baseline): boolean {
  return historyUntil !== null && timeOf(time) > 0 && timeOf(time) <= timeOf(historyUntil);
}

/** Null when the sighting changes nothing. */
function toSeenEntry(
  entry: LedgerEntry,
  { comment, rules }: { readonly comment: Comment; readonly rules: ListingRules },
): LedgerEntry | null {
  // An id that was deleted never comes back; what shows it is an old copy of the thread.
  if (entry.closed) return null;
  const isOlder = timeOf(comment.updatedAt) < timeOf(entry.comment.updatedAt);
  if (isOlder && comment.updatedAt !== null) return null;
  const sameBody = entry.bodyKnown && comment.body === entry.comment.body;
  const hash = sameBody ? entry.hash : hashBody(comment.body);
  if (sameBody && !entry.gone && comment.updatedAt === entry.comment.updatedAt) return null;
  const excluded = entry.excluded || rules.isExcluded(comment);
  const next = { ...entry, comment, hash, bodyKnown: true, gone: false, excluded };
  const takenForKnown = entry.known !== null && (!rules.detectEdits || entry.known.hash === hash);
  return takenForKnown ? { ...next, known: toKnown(next) } : next;
}

function toKnown({ hash, comment }: LedgerEntry): KnownRevision {
  return { hash, updatedAt: comment.updatedAt, body: comment.body };
}
