import { type CommentLedger, type LedgerEntry, withEntries } from './comment-ledger.ts';
import { timeOf } from './compare-comments.ts';
import type { DeliveryReceipt } from './model.ts';
import { formatRevision, parseRevision } from './revision.ts';

type DeliveredItem = DeliveryReceipt['delivers'][number];

/**
 * The ledger after a delivery is known to be kept. Applying the receipts of a journal in their order gives what
 * the model was told, whatever the ledger held of it; a comment that it did not hold gets an entry.
 */
export function applyReceipt(ledger: CommentLedger, { delivers }: DeliveryReceipt): CommentLedger {
  const changed = new Map<string, LedgerEntry>();
  for (const item of delivers) {
    const entry = changed.get(item.id) ?? ledger.entries.get(item.id) ?? toUnseenEntry(item);
    changed.set(item.id, toDelivered(entry, item));
  }
  return withEntries(ledger, [...changed.values()]);
}

function toDelivered(entry: LedgerEntry, { kind, revision }: DeliveredItem): LedgerEntry {
  if (kind === 'deleted') return { ...entry, gone: true, closed: true };
  const { hash, updatedAt } = parseRevision(revision);
  const isSeen = entry.bodyKnown && entry.hash === hash;
  const body = isSeen ? entry.comment.body : entry.known?.hash === hash ? entry.known.body : null;
  const told = { ...entry, known: { hash, updatedAt, body }, closed: false };
  // The journal can be ahead of a state: what is older than the delivered revision is not to be taken for an edit.
  if (timeOf(updatedAt) <= timeOf(entry.comment.updatedAt)) return told;
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
