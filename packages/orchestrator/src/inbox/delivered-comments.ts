import type {
  CommentChange,
  CommentDetectionState,
  DeliveryReceipt,
  DetectionStatistics,
} from '@agent/comment-detection';
import type { RunState } from '@agent/run-store';
import type { Logger } from '@agent/text';
import type { HandledCommand } from './commands.ts';

/** Comments that a run heard, for its end. */
export interface CommentSummary {
  /** Every comment that came while the run was under way, and whether the model was told of it. */
  readonly comments: readonly DeliveredComment[];
  /** Null where nothing was listened to. */
  readonly statistics: DetectionStatistics | null;
  /** Up to when the thread was read (ISO 8601), where the look before the end could not be made; else null. */
  readonly readUntil: string | null;
}

/** The summary of a run that ended before it listened. */
export const noComments: CommentSummary = { comments: [], statistics: null, readUntil: null };

/** A comment that came while a run was under way, as its final report names it. */
export interface DeliveredComment {
  readonly kind: 'added' | 'edited' | 'deleted';
  /** Null when the account was deleted. */
  readonly author: string | null;
  readonly createdAt: string;
  /** Null where the platform gave none, or this process never listed it. */
  readonly url: string | null;
  /** Null where it gave none, or an earlier process heard it. */
  readonly command: HandledCommand | null;
  /** True where the model was told of it. */
  readonly delivered: boolean;
}

/** One revision of one comment that a message delivered. */
export type Delivered = DeliveryReceipt['delivers'][number];

export interface DeliveredSources {
  /** Deliveries of this process and those before it, as the journal tells them; without what the first prompt told. */
  readonly told: readonly Delivered[];
  readonly undelivered: readonly CommentChange[];
  /** Knows who wrote each comment, and when. */
  readonly ledger: CommentDetectionState['ledger'];
  /** Addresses of comments, by their ids. */
  readonly urls: ReadonlyMap<string, string>;
  /** Commands that comments gave, by their ids. */
  readonly commands: ReadonlyMap<string, HandledCommand>;
}

/** Every comment that came while a run was under way, oldest first: each once as a comment, an edit and a deletion. */
export function listDelivered({
  told,
  undelivered,
  ledger,
  ...known
}: DeliveredSources): readonly DeliveredComment[] {
  const entries = new Map(ledger.map((entry) => [entry.id, entry]));
  const heard = new Map<string, DeliveredComment>();
  const note = ({ id, kind }: Pick<Delivered, 'id' | 'kind'>, delivered: boolean): void => {
    const entry = entries.get(id);
    const author = entry?.author?.login ?? null;
    const isThere = kind !== 'deleted';
    const url = (isThere && known.urls.get(id)) || null;
    const command = (isThere && known.commands.get(id)) || null;
    const createdAt = entry?.created_at ?? '';
    heard.set(`${id} ${kind}`, { kind, author, createdAt, url, command, delivered });
  };
  for (const item of told) note(item, true);
  for (const { kind, comment } of undelivered) note({ id: comment.id, kind }, false);
  return [...heard.values()].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

export interface UnansweredQuestion {
  readonly undelivered: readonly CommentChange[];
  /** Knows when our own comments were written, too. */
  readonly ledger: CommentDetectionState['ledger'];
  /** The comment that the run ended with. */
  readonly finalCommentId: string;
}

/**
 * Finds what was said before the run's final comment stood there: whoever said it could not know that nobody listened
 * any more. What shares the comment's second may have come before it.
 */
export function findUnanswered({ undelivered, ledger, finalCommentId }: UnansweredQuestion): CommentChange[] {
  const final = ledger.find(({ id }) => id === finalCommentId);
  if (final === undefined) return [];
  const endedAt = Date.parse(final.created_at);
  return undelivered.filter(
    ({ kind, comment: { updatedAt, createdAt } }) =>
      kind !== 'deleted' && Date.parse(updatedAt ?? createdAt) <= endedAt,
  );
}

/** A delivery that the journal holds; `opening` when the first prompt made it, and not a comment that came. */
export interface JournaledDelivery extends DeliveryReceipt {
  readonly opening: boolean;
}

/** An entry of a journal, as far as deliveries go. */
export type DeliveringEntry =
  | { readonly type: 'summary' | 'tool' | 'fact' }
  | ({
      readonly type: 'message';
      readonly seq: number;
      /** Number of messages that open the conversation; on the first of them. */
      readonly opens?: number | undefined;
    } & DeliveryReceipt);

/** Every delivery that a journal holds, in its order. */
export async function readDeliveries(
  entries: AsyncIterable<DeliveringEntry>,
): Promise<readonly JournaledDelivery[]> {
  const deliveries: JournaledDelivery[] = [];
  let openUntil = 0;
  for await (const entry of entries) {
    if (entry.type !== 'message') continue;
    if (entry.opens !== undefined) openUntil = entry.seq + entry.opens;
    const { delivers } = entry;
    if (delivers.length > 0) deliveries.push({ delivers, opening: entry.seq < openUntil });
  }
  return deliveries;
}

/** Deliveries of earlier processes, as they were kept and journaled. */
export interface EarlierDeliveries {
  /** Null when there is none. */
  readonly state: unknown;
  readonly delivered: readonly JournaledDelivery[];
}

/** Record of a run's thread. */
export interface DetectionRecord {
  /** ISO 8601, by the platform's clock: what is older is no news when nothing else is known. */
  readonly startedAt: string;
  readonly earlier: EarlierDeliveries;
  /** Keeps the newest state of detection soon, for the next process. */
  readonly save: (state: unknown) => void;
}

/** A run, as far as its record of the thread goes. `startedAt`: ISO 8601, by the platform's clock. */
export interface RecordedHearing {
  readonly journal: { readonly read: () => AsyncIterable<DeliveringEntry> };
  readonly state: RunState;
  readonly startedAt: string;
  readonly logger: Logger;
}

/**
 * Opens the record of a run's thread: what its journal says was delivered, and `comment_detection_state.json` in its state,
 * a cache that costs nothing when it is lost.
 *
 * @see docs/requirements.md X14
 */
export async function openDetectionRecord({
  journal,
  state: runState,
  startedAt,
  logger,
}: RecordedHearing): Promise<DetectionRecord> {
  const name = 'comment_detection_state.json';
  const state = await runState.read(name).catch((error: unknown) => {
    logger.warn({ err: error }, 'the state of comment detection cannot be read');
    return null;
  });
  return {
    startedAt: secondBefore(startedAt),
    earlier: { state, delivered: await readDeliveries(journal.read()) },
    save: (newest) => {
      runState.write(name, newest, { sync: false }).catch((error: unknown) => {
        logger.warn({ err: error }, 'the state of comment detection was not kept');
      });
    },
  };
}

/** Goes back a second: what shares the second of the snapshot is told apart by what the journal says of the snapshot. */
function secondBefore(time: string): string {
  return new Date(Date.parse(time) - 1_000).toISOString();
}
