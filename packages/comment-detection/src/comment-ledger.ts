import {
  type ChangeKind,
  type CommentChange,
  type DeliveryReceipt,
  formatRevision,
  parseRevision,
  sortChanges,
} from './changes.ts';
import { type Comment, timeOf } from './comment.ts';

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

/** Everything that is undelivered: additions, then edits, then deletions, each in the order of the thread. */
export function listPendingChanges(ledger: CommentLedger): readonly CommentChange[] {
  const changes = [...ledger.open].flatMap((id) => {
    const entry = ledger.entries.get(id);
    const change = entry === undefined ? null : toChange(entry);
    return change === null ? [] : [change];
  });
  return sortChanges(changes);
}

/** The change that an entry has to deliver, or null. */
function toChange(entry: LedgerEntry): CommentChange | null {
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

type DeliveredItem = DeliveryReceipt['delivers'][number];

/** The ledger after a delivery is known to be kept. */
export function applyReceipt(ledger: CommentLedger, { delivers }: DeliveryReceipt): CommentLedger {
  return withDelivered(ledger, { delivers, toDelivered });
}

/**
 * The ledger after a delivery that a journal tells of, in the order of the journal. The journal can be ahead of
 * the ledger: of a comment that the ledger does not hold it makes an entry, and what the ledger holds of a
 * comment is no news if it is not newer than what was delivered.
 */
export function replayReceipt(ledger: CommentLedger, { delivers }: DeliveryReceipt): CommentLedger {
  return withDelivered(ledger, { delivers, toDelivered: toReplayed });
}

interface Deliveries extends DeliveryReceipt {
  readonly toDelivered: (entry: LedgerEntry, item: DeliveredItem) => LedgerEntry;
}

function withDelivered(ledger: CommentLedger, { delivers, toDelivered: deliver }: Deliveries): CommentLedger {
  const changed = new Map<string, LedgerEntry>();
  for (const item of delivers) {
    const entry = changed.get(item.id) ?? ledger.entries.get(item.id) ?? toUnseenEntry(item);
    changed.set(item.id, deliver(entry, item));
  }
  return withEntries(ledger, [...changed.values()]);
}

function toDelivered(entry: LedgerEntry, { kind, revision }: DeliveredItem): LedgerEntry {
  if (kind === 'deleted') return { ...entry, gone: true, closed: true };
  const { hash, updatedAt } = parseRevision(revision);
  const isSeen = entry.bodyKnown && entry.hash === hash;
  const body = isSeen ? entry.comment.body : entry.known?.hash === hash ? entry.known.body : null;
  return { ...entry, known: { hash, updatedAt, body }, closed: false };
}

function toReplayed(entry: LedgerEntry, item: DeliveredItem): LedgerEntry {
  const told = toDelivered(entry, item);
  const { known } = told;
  if (item.kind === 'deleted' || known === null || known.hash === entry.known?.hash) return told;
  if (known.hash === entry.hash || timeOf(known.updatedAt) < timeOf(entry.comment.updatedAt)) return told;
  const { hash, updatedAt, body } = known;
  return {
    ...told,
    comment: { ...entry.comment, updatedAt, body: body ?? '' },
    hash,
    bodyKnown: body !== null,
  };
}

/** Stands for a comment that only the journal tells of, until a listing shows it. */
function toUnseenEntry({ id, revision }: DeliveredItem): LedgerEntry {
  const { hash, updatedAt } = parseRevision(revision);
  return {
    comment: { id, author: null, body: '', createdAt: '', updatedAt },
    hash,
    bodyKnown: false,
    known: null,
    gone: false,
    closed: false,
    excluded: false,
  };
}

/** A receipt for all that the model knows, whatever told it. */
export function toKnownReceipt({ entries }: CommentLedger): DeliveryReceipt {
  const delivers = [...entries.values()].flatMap(({ comment: { id }, known, closed }) =>
    known === null || closed ? [] : [{ id, revision: formatRevision(known), kind: 'added' as const }],
  );
  return { delivers };
}
