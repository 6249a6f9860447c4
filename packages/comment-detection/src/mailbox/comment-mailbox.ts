import { randomUUID } from 'node:crypto';
import type { CallOptions } from '@agent/platforms';
import { estimateTokens } from '@agent/text';
import { checkOptions, checkValue, expectList } from '@agent/text/options';
import { createTurns } from '@agent/text/waiting';
import type { CommentChange } from '../changes.ts';
import type { CommentSource } from '../comment.ts';
import { CommentDetectionManager } from '../comment-detection-manager.ts';
import { sleepFor } from '../comment-detection-options.ts';
import {
  type CommentMailboxOptions,
  mailboxExpectations,
  type TakeOptions,
  takeExpectations,
} from './mailbox-options.ts';
import {
  listReceipts,
  type MailboxLine,
  MailboxRecord,
  parseMailboxLine,
  toObservationsJson,
} from './mailbox-record.ts';

/** A change that waits to be acknowledged. */
export interface MailboxItem {
  /** Names this change of this comment until it is acknowledged, over restarts. */
  readonly id: string;
  readonly change: CommentChange;
  /** Words for the model, cut where they are longer than the limit. */
  readonly text: string;
}

/** All that waits, as far as it fits. */
export interface MailboxContents {
  /** `checked`: the thread was polled. `skipped`: no poll was allowed. `failed`: it could not be read. The last two are not "nothing new". */
  readonly status: 'checked' | 'skipped' | 'failed';
  readonly items: readonly MailboxItem[];
  /** True where more waits than fits: acknowledge these, and take the rest. */
  readonly hasMore: boolean;
  /** Why it failed; if no poll was allowed, why the last one failed. */
  readonly error?: unknown;
}

/** Result of an acknowledgement. */
export interface Acknowledgement {
  /** Those that were acknowledged now or before. */
  readonly acknowledged: readonly string[];
  /** Those that were never handed out. */
  readonly unknown: readonly string[];
}

/** Port of somebody else's agent: takes what was said, and says what it has taken in. */
export interface CommentMailbox {
  /** Polls, and lists all that was not acknowledged, each with the id that it had before. */
  readonly take: (options?: TakeOptions) => Promise<MailboxContents>;
  /** Resolves once it is kept: from then on these are never listed again. Repeating it is safe. */
  readonly acknowledge: (ids: readonly string[]) => Promise<Acknowledgement>;
  /** Remembers what stands on the thread at the first call of all; later ones and other functions do it by themselves. False where the thread could not be read. */
  readonly open: (options?: CallOptions) => Promise<boolean>;
}

/** An id that no mailbox gives, such as an empty one, is unknown and no error. */
const anyText = { isMet: (value: unknown) => typeof value === 'string', text: 'a text' };

const spacingMs = 1_000;
const defaultMaxTokens = 7_000;

/**
 * Creates the mailbox of a thread for an agent that fetches its comments itself, such as a client of MCP or a hook. What is
 * taken and not acknowledged is listed again with the same id, also by another process; what was acknowledged never is.
 *
 * @example
 * const mailbox = createCommentMailbox(source, { journal: createFileJournal('octo-hello-7.jsonl'), botUsername: 'my-agent' });
 * const { status, items } = await mailbox.take();
 * for (const { id, text } of items) console.log(id, text);
 * await mailbox.acknowledge(items.map(({ id }) => id));
 */
export function createCommentMailbox(source: CommentSource, options: CommentMailboxOptions): CommentMailbox {
  checkOptions('CommentMailboxOptions', options, mailboxExpectations, ['journal']);
  const mailbox = new Mailbox(source, options);
  return {
    take: async (call = {}) => {
      checkOptions('TakeOptions', call, takeExpectations);
      return mailbox.alone(() => mailbox.take(call));
    },
    acknowledge: async (ids) => {
      checkValue('The ids of acknowledge', ids, expectList(anyText));
      return mailbox.alone(() => mailbox.acknowledge(ids));
    },
    open: (call = {}) => mailbox.alone(async () => (await mailbox.open(call)).status === 'open'),
  };
}

type Opened =
  | { readonly status: 'open' }
  | { readonly status: 'failed' | 'skipped'; readonly error?: unknown };

/** One process at one thread; its functions are called one after the other. */
class Mailbox {
  readonly #source: CommentSource;
  readonly #options: CommentMailboxOptions;
  readonly #writer: string;
  readonly #startedAt: string;
  #record = new MailboxRecord();
  #position = 0;
  /** True where a line may stand in the journal although it was refused. */
  #isUncertain = false;
  #manager: CommentDetectionManager;
  /** Error of the last poll. */
  #failure: unknown;
  readonly alone = createTurns();

  constructor(source: CommentSource, options: CommentMailboxOptions) {
    const { writer = randomUUID(), now = () => new Date() } = options;
    this.#source = source;
    this.#options = options;
    this.#writer = writer;
    this.#startedAt = now().toISOString();
    this.#manager = this.#createManager(this.#startedAt);
  }

  /** Reads what other processes wrote; the first of all writes down what is history. */
  async open(call: CallOptions): Promise<Opened> {
    await this.#sync();
    if (this.#record.opening !== null) return { status: 'open' };
    const { status, error } = this.#withFailure(await this.#manager.initialize());
    if (status !== 'checked') return { status, error };
    const opening = this.#manager.toOpeningObservations();
    call.signal?.throwIfAborted();
    await this.#append({
      type: 'opening',
      writer: this.#writer,
      started_at: this.#startedAt,
      history_until: opening.opening?.historyUntil ?? null,
      observations: toObservationsJson(opening, { withBodies: false }),
    });
    await this.#sync();
    return { status: 'open' };
  }

  async take({
    barrier = false,
    maxTokens = defaultMaxTokens,
    signal,
  }: TakeOptions): Promise<MailboxContents> {
    const opened = await this.open({ signal });
    if (opened.status !== 'open') return { ...opened, items: [], hasMore: false };
    const { status, error } = this.#withFailure(await this.#poll({ barrier, signal }));
    const changes = this.#manager.listDeliverable({ barrier });
    const items = await this.#compose(changes, maxTokens);
    const handed = items.filter(({ id }) => !this.#record.has(id));
    if (handed.length > 0) {
      await this.#append({
        type: 'handed',
        writer: this.#writer,
        items: handed.map(({ id, change: { comment, revision, kind } }) => ({
          id,
          comment_id: comment.id,
          revision,
          kind,
        })),
      });
    }
    const hasMore = items.length < changes.length;
    return { status, items, hasMore, ...(error === undefined ? {} : { error }) };
  }

  async acknowledge(ids: readonly string[]): Promise<Acknowledgement> {
    await this.#sync();
    const acknowledged = ids.filter((id) => this.#record.has(id));
    if (acknowledged.length > 0)
      await this.#append({ type: 'acknowledged', writer: this.#writer, ids: acknowledged });
    return { acknowledged, unknown: ids.filter((id) => !this.#record.has(id)) };
  }

  /** A check that comes within a second of the last one waits: otherwise it would say nothing of now. */
  async #poll(options: { readonly barrier: boolean } & CallOptions) {
    const first = await this.#manager.checkForChanges(options);
    if (first.status !== 'skipped') return first;
    await (this.#options.sleep ?? sleepFor)(spacingMs, options);
    return this.#manager.checkForChanges(options);
  }

  /** A poll that is not allowed yet has the error of the one that failed. */
  #withFailure<Polled extends { readonly status: string; readonly error?: unknown }>(polled: Polled): Polled {
    if (polled.status === 'skipped') return { ...polled, error: this.#failure };
    this.#failure = polled.error;
    return polled;
  }

  /** As many as fit, the oldest change first; the first is cut where it does not fit alone. */
  async #compose(changes: readonly CommentChange[], maxTokens: number): Promise<readonly MailboxItem[]> {
    const items: MailboxItem[] = [];
    let left = maxTokens;
    for (const change of changes) {
      const text = await this.#composeOne(change, { maxTokens: left, mayCut: items.length === 0 });
      if (text === null) break;
      left -= this.#count(text);
      items.push({ id: this.#record.toId(change), change, text });
    }
    return items;
  }

  async #composeOne(
    change: CommentChange,
    { maxTokens, mayCut }: { readonly maxTokens: number; readonly mayCut: boolean },
  ): Promise<string | null> {
    const most = this.#options.maxBodyChars;
    const lengths = mayCut
      ? [most, ...[4, 2, 1, 0.5, 0.25].map((share) => Math.ceil(maxTokens * share))]
      : [most];
    let shortest: string | null = null;
    for (const maxBodyChars of lengths) {
      const composed = await this.#manager.composeDelivery({ changes: [change], maxBodyChars });
      shortest = composed?.text ?? null;
      if (shortest === null || this.#count(shortest) <= maxTokens) return shortest;
    }
    return mayCut ? shortest : null;
  }

  #count(text: string): number {
    return (this.#options.countTokens ?? estimateTokens)(text);
  }

  async #append(line: MailboxLine): Promise<void> {
    try {
      await this.#options.journal.append(line);
    } catch (error) {
      this.#isUncertain = true;
      throw error;
    }
    this.#hear(this.#record.add(line));
  }

  #hear(events: ReturnType<MailboxRecord['add']>): void {
    for (const receipt of listReceipts(events)) this.#manager.markDelivered(receipt);
  }

  /**
   * Reads on in the journal. Lines of our own are known. Where somebody else wrote, or a write failed, all is read anew, so that the order of the
   * lines alone decides; the next poll is then one of the whole thread.
   */
  async #sync(): Promise<void> {
    const { journal } = this.#options;
    const { lines, position } = await journal.readAfter(this.#position);
    const parsed = lines.flatMap((line) => parseMailboxLine(line) ?? []);
    const isForeign = parsed.some(({ writer }) => writer !== this.#writer);
    if (!isForeign && !this.#isUncertain) {
      this.#position = position;
      return;
    }
    const all = await journal.readAfter(0);
    const record = new MailboxRecord();
    for (const line of all.lines) {
      const read = parseMailboxLine(line);
      if (read !== null) record.add(read);
    }
    this.#record = record;
    this.#position = all.position;
    this.#isUncertain = false;
    if (record.opening === null) return;
    this.#manager = this.#createManager(record.opening.startedAt);
    this.#manager.restore(null, record.events);
  }

  #createManager(startedAt: string): CommentDetectionManager {
    const { journal: _, countTokens: _count, writer: _writer, ...detection } = this.#options;
    return new CommentDetectionManager(this.#source, {
      ...detection,
      startedAt,
      onObserved: async (poll) => {
        const observations = toObservationsJson(poll, { withBodies: true });
        await this.#append({ type: 'observed', writer: this.#writer, observations });
      },
    });
  }
}
