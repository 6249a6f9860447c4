import {
  type CommentChange,
  commentSubjectSchema,
  type DeliveryReceipt,
  type HeardEvent,
  hashBody,
  isObservedPoll,
  type Observation,
  type ObservedPoll,
  parseSubjectJson,
  toSubjectJson,
} from '@agent/comment-detection';
import type { CommentListing, Thread } from '@agent/platforms';
import type { FactEvent, Json, RunState } from '@agent/run-store';
import type { Logger } from '@agent/text';
import { z } from 'zod';
import { toTextComment } from './thread-text.ts';

/** A delivery that the journal holds. */
export interface JournaledDelivery extends DeliveryReceipt {
  /** True where the first prompt made it, and not a comment that came. */
  readonly opening: boolean;
  /** True where a model has answered since: it stood in that request. */
  readonly told: boolean;
}

/** An entry of a journal, as far as what was heard goes. */
export type DeliveringEntry =
  | { readonly type: 'summary' | 'tool' }
  | { readonly type: 'fact'; readonly name: string; readonly data: Json }
  | ({
      readonly type: 'message';
      readonly seq: number;
      /** Number of messages that open the conversation; on the first of them. */
      readonly opens?: number | undefined;
      /** Null where no model call led to it. */
      readonly usage?: unknown;
    } & DeliveryReceipt);

/** All that a journal says of a thread, in its order. */
export type Hearing = readonly (ObservedPoll | JournaledDelivery)[];

/**
 * Reads what a journal says of a thread: what was found there, and what the model was told. `hasBodies`: false to leave the
 * bodies empty, which are nearly all of it. Default true.
 */
export async function readHearing(
  entries: AsyncIterable<DeliveringEntry>,
  { hasBodies = true }: { readonly hasBodies?: boolean } = {},
): Promise<Hearing> {
  const heard: (ObservedPoll | (JournaledDelivery & { readonly line: number }))[] = [];
  let openUntil = 0;
  let answeredAt = 0;
  let isContinued = false;
  for await (const entry of entries) {
    if (entry.type === 'fact' && entry.name === 'observed') {
      const { poll: whole, isContinued: goesOn } = parseObserved(entry.data);
      const poll = hasBodies ? whole : withoutBodies(whole);
      if (isContinued) joinLast(heard, poll);
      else heard.push(poll);
      isContinued = goesOn;
    }
    if (entry.type !== 'message') continue;
    if (entry.opens !== undefined) openUntil = entry.seq + entry.opens;
    const { delivers, seq: line } = entry;
    if (delivers.length > 0) heard.push({ delivers, opening: line < openUntil, told: false, line });
    if ((entry.usage ?? null) !== null) answeredAt = line;
  }
  return heard.map((event) => {
    if (isObservedPoll(event)) return event;
    const { line, ...delivery } = event;
    return { ...delivery, told: line < answeredAt };
  });
}

function withoutBodies(poll: ObservedPoll): ObservedPoll {
  return { ...poll, observations: poll.observations.map((one) => ({ ...one, body: '' })) };
}

/** Lists the ids of the comments that came while the run was under way, by its journal. */
export async function listNews({
  read,
}: Pick<RecordedHearing['journal'], 'read'>): Promise<readonly string[]> {
  const polls = (await readHearing(read(), { hasBodies: false }))
    .filter(isObservedPoll)
    .filter(({ opening }) => opening === null);
  return polls.flatMap(({ observations }) =>
    observations.flatMap(({ id, kind }) => (kind === 'added' ? [id] : [])),
  );
}

const observationSchema = z.object({
  id: z.string(),
  revision: z.string(),
  kind: z.enum(['added', 'edited', 'deleted']),
  body: z.string(),
  author: z
    .object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']).optional() })
    .nullable(),
  authority: z.enum(['trusted', 'untrusted', 'unknown']),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  visibility: z.string().optional(),
  part: z.literal('thread').optional(),
  url: z.string().optional(),
  subject: commentSubjectSchema.optional(),
});
const observedSchema = z.object({
  opening: z.object({ history_until: z.string().nullable() }).nullable(),
  observations: z.array(observationSchema),
  continued: z.boolean().optional(),
});

/** A line of the record is written and read in one piece, and holds up everything else meanwhile: characters of the bodies in it. */
const lineChars = 262_144;

/** Formats what a look found as the data of facts: of one, unless there is much of it. */
function formatObserved({ opening, observations }: ObservedPoll): readonly Json[] {
  const lines = splitBy(observations, { size: ({ body }) => body.length, most: lineChars });
  return lines.map((some, index) =>
    formatLine({ opening, observations: some }, { isContinued: index < lines.length - 1 }),
  );
}

/** Splits into parts of no more than so much each, or of a single item; there is at least one part. */
function splitBy<Item>(
  items: readonly Item[],
  { size, most }: { readonly size: (item: Item) => number; readonly most: number },
): readonly (readonly Item[])[] {
  const parts: Item[][] = [[]];
  let taken = 0;
  for (const item of items) {
    taken += size(item);
    if (taken > most && parts.at(-1)?.length !== 0) {
      parts.push([]);
      taken = size(item);
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}

function formatLine(
  { opening, observations }: ObservedPoll,
  { isContinued }: { readonly isContinued: boolean },
): Json {
  return {
    ...(isContinued ? { continued: true } : {}),
    opening: opening && { history_until: opening.historyUntil },
    observations: observations.map(
      ({ createdAt, updatedAt, author, url, visibility, part, subject, ...rest }) => ({
        ...rest,
        author: author && {
          id: author.id,
          login: author.login,
          ...(author.kind ? { kind: author.kind } : {}),
        },
        created_at: createdAt,
        updated_at: updatedAt,
        ...(visibility ? { visibility } : {}),
        ...(part ? { part } : {}),
        ...(url ? { url } : {}),
        ...(subject ? { subject: toSubjectJson(subject) } : {}),
      }),
    ),
  };
}

/** Reads a line back, and whether the next one continues it. */
export function parseObserved(data: unknown): { readonly poll: ObservedPoll; readonly isContinued: boolean } {
  const { opening, observations, continued: isContinued = false } = observedSchema.parse(data);
  const poll = {
    opening: opening && { historyUntil: opening.history_until },
    observations: observations.map(
      ({ created_at: createdAt, updated_at: updatedAt, subject, ...rest }): Observation => {
        return { ...rest, createdAt, updatedAt, ...(subject ? { subject: parseSubjectJson(subject) } : {}) };
      },
    ),
  };
  return { poll, isContinued };
}

/** Something else may have been written between the lines of one look. */
function joinLast(heard: (ObservedPoll | JournaledDelivery)[], { observations }: ObservedPoll): void {
  const at = heard.findLastIndex(isObservedPoll);
  const begun = heard[at];
  if (begun !== undefined && isObservedPoll(begun))
    heard[at] = { ...begun, observations: [...begun.observations, ...observations] };
}

/** Record of a run's thread: its journal, which is all that is read. */
export interface DetectionRecord {
  /** ISO 8601, by the platform's clock: what is older is no news when nothing else is known. */
  readonly startedAt: string;
  /** All that earlier processes heard. */
  readonly read: () => Promise<readonly HeardEvent[]>;
  /** Keeps what a look found, before it has any effect; undefined for one who only listens. */
  readonly observe: ((poll: ObservedPoll) => Promise<void>) | undefined;
  /** Shows the newest state of detection in `comment_detection_state.json`, which nothing reads. */
  readonly save: (state: unknown) => void;
}

/** A run, as far as its record of the thread goes. */
export interface RecordedHearing {
  readonly journal: {
    readonly read: () => AsyncIterable<DeliveringEntry>;
    /** Left out by one who only listens. */
    readonly append?: ((event: FactEvent) => Promise<unknown>) | undefined;
  };
  readonly state: RunState;
  /** ISO 8601, by the platform's clock. */
  readonly startedAt: string;
  readonly logger: Logger;
}

const stateName = 'comment_detection_state.json';

/** Creates the record of a run's thread. @see docs/requirements.md X14, NX-87 */
export function createDetectionRecord(run: RecordedHearing): DetectionRecord {
  const { journal, state, startedAt, logger } = run;
  const { append } = journal;
  return {
    startedAt: secondBefore(startedAt),
    read: () => readHearing(journal.read()),
    observe:
      append &&
      (async (poll) => {
        for (const data of formatObserved(poll)) await append({ type: 'fact', name: 'observed', data });
      }),
    save: (newest) => {
      state.write(stateName, newest, { sync: false }).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to save comment detection state');
      });
    },
  };
}

/** Goes back a second: what shares the second of the snapshot is told apart by what the journal says of the snapshot, or the facts of the run. */
function secondBefore(time: string): string {
  return new Date(Date.parse(time) - 1_000).toISOString();
}

const saidSchema = z.object({
  id: z.string(),
  /** Hash of its body. */
  hash: z.string(),
});

/** A comment that stood on the thread when its run was begun. */
export type SaidBefore = Readonly<z.infer<typeof saidSchema>>;

export const saidBeforeSchema = z.array(saidSchema);

/**
 * Lists what of a snapshot its times do not tell from what came after it: whoever takes the run up before its first prompt is kept
 * listens from a second before the thread's last change.
 */
export function listSaidBefore({
  thread,
  listing,
}: {
  readonly thread: Thread;
  readonly listing: Pick<CommentListing, 'comments'>;
}): readonly SaidBefore[] {
  const from = Date.parse(secondBefore(thread.updatedAt));
  return [toTextComment(thread), ...listing.comments]
    .filter(({ createdAt, updatedAt }) => Date.parse(updatedAt ?? createdAt) > from)
    .map(({ id, body }) => ({ id, hash: hashBody(body) }));
}

/** Tells whether this was said before, in these words. */
export function wasSaidBefore(
  said: readonly SaidBefore[],
  { kind, comment: { id, body } }: Pick<CommentChange, 'kind' | 'comment'>,
): boolean {
  return kind !== 'deleted' && said.some((one) => one.id === id && one.hash === hashBody(body));
}
