import { hashBody, parseRevision } from './changes.ts';
import type { Comment } from './comment.ts';
import { type CommentLedger, emptyLedger, type LedgerEntry, toKnown, withEntries } from './comment-ledger.ts';
import { toDelivered, toUnseenEntry } from './delivered-receipts.ts';
import {
  formatMark,
  type HeardEvent,
  isObservedPoll,
  type Observation,
  type ObservedPoll,
} from './observation.ts';

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

function toComment({ id, author, body, createdAt, updatedAt, visibility, part, url }: Observation): Comment {
  return {
    id,
    author,
    body,
    createdAt,
    updatedAt,
    ...(visibility === undefined ? {} : { visibility }),
    ...(part === undefined ? {} : { part }),
    ...(url === undefined ? {} : { url }),
  };
}
