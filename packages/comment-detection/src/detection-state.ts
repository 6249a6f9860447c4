import { findOtherVersion } from '@agent/text';
import { checkOptions, type Expectation, expected, expectNumber } from '@agent/text/options';
import * as z from 'zod';
import type { CommentAuthor } from './comment.ts';
import { type CommentLedger, type LedgerEntry, newEntry, withEntries } from './comment-ledger.ts';
import { commentSubjectSchema, parseSubjectJson, toSubjectJson } from './comment-subject.ts';
import { type DetectionMemory, emptyMemory } from './detection-memory.ts';
import { type HeardEvent, isObservedPoll } from './observation.ts';
import { replayHearing, replayReceipts } from './replay-hearing.ts';

const count = z.number().int().nonnegative();

const entrySchema = z.object({
  id: z.string().min(1),
  author: z
    .object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']).optional() })
    .nullable(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  hash: z.string(),
  body: z.string().optional(),
  known: z
    .object({ hash: z.string(), updated_at: z.string().nullable(), body: z.string().optional() })
    .nullable(),
  gone: z.literal(true).optional(),
  closed: z.literal(true).optional(),
  excluded: z.literal(true).optional(),
  told_unknown: z.literal(true).optional(),
  subject: commentSubjectSchema.optional(),
});

const stateVersion = 1;

const stateSchema = z.object({
  version: z.literal(stateVersion),
  last_comment_ids: z.array(z.string()),
  last_check_timestamp: z.string().nullable(),
  detected_comment_count: count,
  initialized: z.boolean(),
  history_until: z.string().nullable(),
  cursor: z.string().nullable(),
  applied_seq: count,
  own_comment_ids: z.array(z.string()),
  statistics: z.object({
    detection_events: count,
    detected_comments: count,
    added_comments: count,
    errors: count,
  }),
  ledger: z.array(entrySchema),
});

/** Memory of a manager, as JSON. A cache: the journal of the run is the truth. @see decision X14 */
export type CommentDetectionState = z.infer<typeof stateSchema>;

/** Options of a state. */
export interface DetectionStateOptions {
  /** The last line of the journal whose deliveries are in it. Default 0. */
  readonly appliedSeq?: number | undefined;
  /** False if a journal holds the observations, from which the texts are restored. Default true. */
  readonly hasBodies?: boolean | undefined;
}

const expectations = {
  appliedSeq: expectNumber(0, { isWhole: true }),
  hasBodies: expected.flag,
} as const satisfies Record<keyof DetectionStateOptions, Expectation>;

type StateEntry = z.infer<typeof entrySchema>;

/**
 * Bodies that the model has been told are written, newest first, until they come to this many characters; of older
 * ones only the hash. What is undelivered is written whole: no look needs to show it again.
 */
const bodyBudget = 262_144;

export function toDetectionState(
  memory: DetectionMemory,
  options: DetectionStateOptions,
): CommentDetectionState {
  checkOptions('DetectionStateOptions', options, expectations);
  const { appliedSeq = 0, hasBodies = true } = options;
  return {
    version: stateVersion,
    last_comment_ids: [...memory.ledger.entries.keys()],
    last_check_timestamp: memory.lastCheckTime,
    detected_comment_count: memory.statistics.detected_comments,
    initialized: memory.initialized,
    history_until: memory.historyUntil,
    cursor: memory.cursor,
    applied_seq: appliedSeq,
    own_comment_ids: [...memory.ownIds],
    statistics: memory.statistics,
    ledger: hasBodies ? fitBodies(memory.ledger) : listWithoutBodies(memory.ledger),
  };
}

/** The memory that a state describes; null when it is lost or damaged. */
function readDetectionState(state: unknown): DetectionMemory | null {
  const parsed = stateSchema.safeParse(state);
  if (!parsed.success) return null;
  const { ledger, ...fields } = parsed.data;
  return {
    ledger: withEntries(emptyMemory.ledger, ledger.map(toEntry)),
    cursor: fields.cursor,
    initialized: fields.initialized,
    historyUntil: fields.history_until,
    lastCheckTime: fields.last_check_timestamp,
    ownIds: new Set(fields.own_comment_ids),
    statistics: fields.statistics,
  };
}

function fitBodies({ entries, open }: CommentLedger): StateEntry[] {
  let left = bodyBudget;
  const keep = (body: string | null) => {
    if (body === null || body.length > left) return {};
    left -= body.length;
    return { body };
  };
  const keepWhole = (body: string | null) => (body === null ? {} : { body });
  return [...entries.values()]
    .toReversed()
    .map((entry) => toStateEntry(entry, open.has(entry.comment.id) ? keepWhole : keep))
    .toReversed();
}

function listWithoutBodies({ entries }: CommentLedger): StateEntry[] {
  return [...entries.values()].map((entry) => toStateEntry(entry, () => ({})));
}

type KeepBody = (body: string | null) => { body?: string };

function toStateEntry(entry: LedgerEntry, keep: KeepBody): StateEntry {
  const { comment, known } = entry;
  return {
    id: comment.id,
    author: comment.author && toStateAuthor(comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    hash: entry.hash,
    ...(entry.bodyKnown ? keep(comment.body) : {}),
    known: known && {
      hash: known.hash,
      updated_at: known.updatedAt,
      ...(known.hash === entry.hash ? {} : keep(known.body)),
    },
    ...(entry.gone ? { gone: true } : {}),
    ...(entry.closed ? { closed: true } : {}),
    ...(entry.excluded ? { excluded: true } : {}),
    ...(entry.toldUnknown ? { told_unknown: true } : {}),
    ...(comment.subject ? { subject: toSubjectJson(comment.subject) } : {}),
  };
}

function toStateAuthor({ id, login, kind }: CommentAuthor): StateEntry['author'] {
  return { id, login, ...(kind === undefined ? {} : { kind }) };
}

function toEntry(entry: StateEntry): LedgerEntry {
  const author: CommentAuthor | null = entry.author;
  const { known, body } = entry;
  const { id, created_at: createdAt, updated_at: updatedAt, hash } = entry;
  const subject = entry.subject && { subject: parseSubjectJson(entry.subject) };
  const made = newEntry({ id, author, body: body ?? '', createdAt, updatedAt, ...subject }, hash);
  return {
    ...made,
    bodyKnown: body !== undefined,
    known: known && {
      hash: known.hash,
      updatedAt: known.updated_at,
      body: known.body ?? (known.hash === entry.hash ? (body ?? null) : null),
    },
    gone: entry.gone ?? false,
    closed: entry.closed ?? false,
    excluded: entry.excluded ?? false,
    toldUnknown: entry.told_unknown ?? false,
  };
}

/** Memory after a restart. */
interface RestoredMemory {
  readonly memory: DetectionMemory;
  readonly damaged: boolean;
}

/**
 * The memory of a run that goes on. A journal that holds observations is all that it takes: the state is then not
 * read. Without them it is the state, and over it all deliveries of the journal, which are the truth. A state that
 * is lost or damaged is none; what is then neither delivered nor older than the task is news.
 *
 * @throws TypeError for a state of another version
 * @see decision X14
 */
export function restoreMemory(state: unknown, heard: readonly HeardEvent[]): RestoredMemory {
  if (heard.some(isObservedPoll)) return { memory: replayMemory(heard), damaged: false };
  requireVersion(state);
  const kept = readDetectionState(state);
  const memory = kept ?? emptyMemory;
  const receipts = heard.flatMap((event) => (isObservedPoll(event) ? [] : [event]));
  const ledger = replayReceipts(memory.ledger, receipts);
  const damaged = kept === null && state !== null && state !== undefined;
  return { memory: { ...memory, ledger }, damaged };
}

/** A state that says another version is not lost: to go on without it would replace it. */
function requireVersion(state: unknown): void {
  if ((state as { readonly version?: unknown } | null | undefined)?.version === undefined) return;
  const refusal = findOtherVersion(state, { version: stateVersion, place: 'The state of comment detection' });
  if (refusal !== null) throw new TypeError(refusal);
}

function replayMemory(heard: readonly HeardEvent[]): DetectionMemory {
  const { ledger, opening, statistics } = replayHearing(heard);
  return {
    ...emptyMemory,
    ledger,
    initialized: opening !== null,
    historyUntil: opening?.historyUntil ?? null,
    statistics: { ...emptyMemory.statistics, ...statistics },
  };
}
