import { type CommentChange, hashBody } from './changes.ts';
import type { SourceComment } from './comment.ts';
import { timeOf } from './comment.ts';
import {
  type CommentLedger,
  emptyLedger,
  type KnownRevision,
  type LedgerEntry,
  listPendingChanges,
  markGone,
  newEntry,
  reopen,
  toKnown,
  withEntries,
} from './comment-ledger.ts';
import type { PollResult } from './poll-thread.ts';

/** Counters for the final report. @see seed 001 §6.2 */
export interface DetectionStatistics {
  /** Looks that found something. */
  readonly detection_events: number;
  /** Changes that were found: new comments, edits and deletions. */
  readonly detected_comments: number;
  /** Changes that reached the context. */
  readonly added_comments: number;
  /** Looks and deliveries that failed, and comments that could not be read. */
  readonly errors: number;
}

/** All that a manager remembers of a thread between two checks, and over a restart. */
export interface DetectionMemory {
  readonly ledger: CommentLedger;
  /** Place where the next look begins. */
  readonly cursor: string | null;
  /** False until a listing has said what is history. */
  readonly initialized: boolean;
  /** Time until which everything is history: before the first listing when the task began; null when every comment of it is in the ledger. */
  readonly historyUntil: string | null;
  /** When the last look succeeded; ISO 8601, by our own clock. */
  readonly lastCheckTime: string | null;
  /** Ids of comments that the agent posted. */
  readonly ownIds: ReadonlySet<string>;
  readonly statistics: DetectionStatistics;
}

export const emptyMemory: DetectionMemory = {
  ledger: emptyLedger,
  cursor: null,
  initialized: false,
  historyUntil: null,
  lastCheckTime: null,
  ownIds: new Set(),
  statistics: { detection_events: 0, detected_comments: 0, added_comments: 0, errors: 0 },
};

/** The memory with some of its counters raised. */
export function countUp(memory: DetectionMemory, by: Partial<DetectionStatistics>): DetectionMemory {
  const { statistics } = memory;
  const raised = Object.fromEntries(
    Object.entries(statistics).map(([name, count]) => [
      name,
      count + (by[name as keyof DetectionStatistics] ?? 0),
    ]),
  );
  return { ...memory, statistics: { ...statistics, ...raised } };
}

/** The memory in which this comment is the agent's own. */
export function withOwnComment(memory: DetectionMemory, id: string): DetectionMemory {
  const entry = memory.ledger.entries.get(id);
  const ledger = withEntries(memory.ledger, entry === undefined ? [] : [{ ...entry, excluded: true }]);
  return { ...memory, ledger, ownIds: new Set([...memory.ownIds, id]) };
}

export interface MergeRules {
  readonly isExcluded: (comment: SourceComment) => boolean;
  readonly detectEdits: boolean;
  /** When the look was made, by our own clock. */
  readonly checkedAt: string;
}

/**
 * The memory after a look. The first look of a manager that had no snapshot settles what is history: what was
 * created until the task began. @see decision B8
 */
export function mergePoll(memory: DetectionMemory, { poll, rules }: PollAndRules): DetectionMemory {
  const { historyUntil } = memory;
  const listingRules: ListingRules = { ...rules, baseline: { historyUntil } };
  const shown = applyListing(memory.ledger, { comments: poll.comments, rules: listingRules });
  const proven = { comments: poll.proven, rules: { ...listingRules, isProven: true } };
  const listed = applyListing(reopen(shown, poll.proven), proven);
  return {
    ...memory,
    ledger: rules.detectEdits ? markGone(listed, poll.absent) : listed,
    cursor: poll.cursor,
    initialized: true,
    historyUntil: poll.complete ? null : historyUntil,
    lastCheckTime: rules.checkedAt,
  };
}

interface PollAndRules {
  readonly poll: PollResult;
  readonly rules: MergeRules;
}

/** The memory after the snapshot that the first prompt was made from. */
export function mergeSnapshot(memory: DetectionMemory, { poll, rules }: PollAndRules): DetectionMemory {
  return {
    ...memory,
    ledger: toBaselineLedger(poll.comments, rules.isExcluded),
    cursor: poll.cursor,
    initialized: true,
    historyUntil: poll.complete ? null : (justBeforeNewest(poll.comments) ?? memory.historyUntil),
    lastCheckTime: rules.checkedAt,
  };
}

/** Gives the server's time by the newest comment of a part of the thread; what shares its second may be news. */
function justBeforeNewest(comments: readonly SourceComment[]): string | null {
  const newest = Math.max(0, ...comments.map(({ createdAt }) => timeOf(createdAt)));
  return newest === 0 ? null : new Date(newest - 1).toISOString();
}

/** Changes that the newer ledger has to deliver and the older one had not. */
export function findNewChanges(before: CommentLedger, after: CommentLedger): readonly CommentChange[] {
  if (before === after) return [];
  const keyOf = ({ kind, comment }: CommentChange) => `${kind} ${comment.id}`;
  const known = new Set(listPendingChanges(before).map(keyOf));
  return listPendingChanges(after).filter((change) => !known.has(keyOf(change)));
}

/** Material that the first prompt was made from, so that history is not taken for news. */
export interface Baseline {
  /**
   * By the server's clock (ISO 8601): what was created until then is history, even if it is seen only later.
   * Null when the baseline is the whole thread, and everything else is news.
   */
  readonly historyUntil: string | null;
}

interface ListingRules {
  readonly baseline: Baseline;
  /** Our own comments, and those of accounts that are ignored. */
  readonly isExcluded: (comment: SourceComment) => boolean;
  /** When false, edits are taken for known. */
  readonly detectEdits: boolean;
  /** True for what stands for certain, whatever its time. Default false. */
  readonly isProven?: boolean;
}

/**
 * Takes in a listing. Comments are only ever put in, never taken out, whatever the listing leaves out. A revision that
 * is older than the one that stands is passed over where nothing proves it: it may come from an old copy of the thread.
 */
function applyListing(
  ledger: CommentLedger,
  { comments, rules }: { readonly comments: readonly SourceComment[]; readonly rules: ListingRules },
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
function toBaselineLedger(
  comments: readonly SourceComment[],
  isExcluded: ListingRules['isExcluded'],
): CommentLedger {
  const rules = { baseline: { historyUntil: null }, isExcluded, detectEdits: true };
  const { entries } = applyListing({ entries: new Map(), open: new Set() }, { comments, rules });
  const known = [...entries.values()].map((entry) => ({ ...entry, known: toKnown(entry) }));
  return withEntries({ entries: new Map(), open: new Set() }, known);
}

function toNewEntry(comment: SourceComment, { baseline, isExcluded }: ListingRules): LedgerEntry {
  const hash = hashBody(comment.body);
  const entry: LedgerEntry = { ...newEntry(comment, hash), excluded: isExcluded(comment) };
  // What the thread itself says was there before anybody listened.
  if (comment.part === 'thread') return { ...entry, known: toKnown(entry) };
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
  { comment, rules }: { readonly comment: SourceComment; readonly rules: ListingRules },
): LedgerEntry | null {
  // What shows it without a proof that it is there again is an old copy of the thread.
  if (entry.closed) return null;
  const sameBody = entry.bodyKnown && comment.body === entry.comment.body;
  const hash = sameBody ? entry.hash : hashBody(comment.body);
  const isOlder = timeOf(comment.updatedAt) < timeOf(entry.comment.updatedAt);
  if (isOlder && comment.updatedAt !== null && rules.isProven !== true) return null;
  if (sameBody && !entry.gone && comment.updatedAt === entry.comment.updatedAt) return null;
  const excluded = entry.excluded || rules.isExcluded(comment);
  const next = { ...entry, comment, hash, bodyKnown: true, gone: false, excluded };
  const takenForKnown = entry.known !== null && (!rules.detectEdits || entry.known.hash === hash);
  return takenForKnown ? { ...next, known: toKnown(next) } : next;
}
