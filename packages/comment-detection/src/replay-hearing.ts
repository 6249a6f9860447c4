import { type DeliveryReceipt, formatRevision, hashBody, parseRevision } from './changes.ts';
import type { SourceComment } from './comment.ts';
import { timeOf } from './comment.ts';
import {
  type CommentLedger,
  emptyLedger,
  type LedgerEntry,
  newEntry,
  toKnown,
  withEntries,
} from './comment-ledger.ts';
import {
  formatMark,
  type HeardEvent,
  isObservedPoll,
  type Observation,
  type ObservedPoll,
} from './observation.ts';

type DeliveredItem = DeliveryReceipt['delivers'][number];

/** The ledger after a delivery is known to be kept. */
export function applyReceipt(ledger: CommentLedger, { delivers }: DeliveryReceipt): CommentLedger {
  return withDelivered(ledger, { delivers, toDelivered });
}

/**
 * The ledger of a state after the deliveries of a journal, which can be ahead of it: of a comment that the ledger does not hold
 * it makes an entry, and what the ledger holds of a comment is no news if it is not newer than what was delivered
 * last. What was delivered before that says nothing of what is known now.
 */
export function replayReceipts(ledger: CommentLedger, receipts: readonly DeliveryReceipt[]): CommentLedger {
  const last = new Map(receipts.flatMap(({ delivers }) => delivers.map((item) => [item.id, item] as const)));
  return withDelivered(ledger, { delivers: [...last.values()], toDelivered: toReplayed });
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

/** The entry after the model was told this of it. */
function toDelivered(entry: LedgerEntry, { kind, revision }: DeliveredItem): LedgerEntry {
  if (kind === 'deleted') return { ...entry, gone: true, closed: true, toldUnknown: false };
  const { hash, updatedAt } = parseRevision(revision);
  const isSeen = entry.bodyKnown && entry.hash === hash;
  const body = isSeen ? entry.comment.body : entry.known?.hash === hash ? entry.known.body : null;
  const toldUnknown = entry.authority === 'unknown';
  return { ...entry, known: { hash, updatedAt, body }, closed: false, toldUnknown };
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
  return { ...newEntry({ id, author: null, body: '', createdAt: '', updatedAt }, hash), bodyKnown: false };
}

/** A receipt for all that the model knows, whatever told it. */
export function toKnownReceipt({ entries }: CommentLedger): DeliveryReceipt {
  const delivers = [...entries.values()].flatMap(({ comment: { id }, known, closed }) =>
    known === null || closed ? [] : [{ id, revision: formatRevision(known), kind: 'added' as const }],
  );
  return { delivers };
}

/** Ledger and counts that a journal's lines lead to, in their order. */
export interface ReplayedHearing {
  readonly ledger: CommentLedger;
  /** Null where no line says what the first prompt was made from. */
  readonly opening: ObservedPoll['opening'];
  readonly statistics: {
    readonly detection_events: number;
    readonly detected_comments: number;
    readonly added_comments: number;
  };
}

/** Rebuilds from a journal alone what a process knew of the thread. */
export function replayHearing(events: readonly HeardEvent[]): ReplayedHearing {
  const entries = new Map<string, LedgerEntry>();
  const counted = new Set<string>();
  const statistics = { detection_events: 0, detected_comments: 0, added_comments: 0 };
  let opening: ObservedPoll['opening'] = null;
  for (const event of events) {
    if (!isObservedPoll(event)) {
      for (const item of event.delivers)
        entries.set(item.id, toDelivered(entries.get(item.id) ?? toUnseenEntry(item), item));
      if (event.opening !== true) statistics.added_comments += event.delivers.length;
      continue;
    }
    opening = event.opening ?? opening;
    const isOpening = event.opening !== null;
    let news = 0;
    for (const observation of event.observations) {
      const { id, kind, revision } = observation;
      entries.set(id, toObserved(entries.get(id), { observation, isOpening }));
      if (isOpening || counted.has(`${id} ${kind} ${revision}`)) continue;
      counted.add(`${id} ${kind} ${revision}`);
      news += 1;
    }
    statistics.detection_events += Number(news > 0);
    statistics.detected_comments += news;
  }
  return { ledger: withEntries(emptyLedger, [...entries.values()]), opening, statistics };
}

function toObserved(
  before: LedgerEntry | undefined,
  { observation, isOpening }: { readonly observation: Observation; readonly isOpening: boolean },
): LedgerEntry {
  const { id, revision, kind, body, authority } = observation;
  const { hash } = parseRevision(revision);
  const base = before ?? toUnseenEntry({ id, revision, kind });
  const returned = base.closed && kind !== 'deleted';
  const entry = {
    ...base,
    comment: toComment(observation),
    hash,
    bodyKnown: hash === hashBody(body),
    gone: kind === 'deleted',
    closed: returned ? false : base.closed,
    known: returned ? null : base.known,
    authority: isOpening ? null : authority,
    observed: isOpening ? null : formatMark({ kind, revision, authority }),
  };
  return isOpening ? { ...entry, known: toKnown(entry) } : entry;
}

function toComment(observation: Observation): SourceComment {
  const { id, author, body, createdAt, updatedAt, visibility, part, url, subject } = observation;
  return {
    id,
    author,
    body,
    createdAt,
    updatedAt,
    ...(visibility === undefined ? {} : { visibility }),
    ...(part === undefined ? {} : { part }),
    ...(url === undefined ? {} : { url }),
    ...(subject === undefined ? {} : { subject }),
  };
}
