import type { CallOptions, CommentListing } from '@agent/platforms';
import { checkValue, expectPort } from '@agent/text/options';
import type { AuthorFilter } from './author-filter.ts';
import {
  type AddResult,
  type CheckResult,
  type CommentChange,
  type CommentChanges,
  type ContextSink,
  type DeliveryReceipt,
  type DeliveryRequest,
  groupChanges,
  type InitializeResult,
  OfferedChanges,
  sortChanges,
  type TakenDelivery,
  toChangeList,
} from './changes.ts';
import type { CommentSource, SourceComment } from './comment.ts';
import {
  type CommentDetectionOptions,
  checkCall,
  type DetectionSettings,
} from './comment-detection-options.ts';
import { listOpenEntries, listPendingChanges, toChange } from './comment-ledger.ts';
import {
  appendShortened,
  type ComposedDelivery,
  cleanChanges,
  cleanComment,
  composeDelivery,
  composeFitted,
} from './compose-delivery.ts';
import type { DetectionLog } from './detection-log.ts';
import { countUp, type DetectionStatistics, withOwnComment } from './detection-memory.ts';
import { type ChangeObserver, createDetectionParts } from './detection-parts.ts';
import {
  type CommentDetectionState,
  type DetectionStateOptions,
  restoreMemory,
  toDetectionState,
} from './detection-state.ts';
import { formatCommentMessage } from './format-changes-message.ts';
import { type HeardEvent, listOpeningObservations, type ObservedPoll } from './observation.ts';
import { applyReceipt, toKnownReceipt } from './replay-hearing.ts';
import type { ThreadWatcher } from './thread-watcher.ts';

/** Input of a message for the model. */
export interface ComposeRequest extends CallOptions {
  /** Default: all that is undelivered and not held back. */
  readonly changes?: readonly CommentChange[] | undefined;
  /** True before the end: what waits until it is known whether its author may steer is told as not known yet. Default false. */
  readonly barrier?: boolean | undefined;
  readonly maxBodyChars?: number | undefined;
}

/**
 * Finds what people said on a thread since the agent last looked, and remembers what it was told of. A change is
 * detected once and delivered once; until it is delivered, it is kept. Made without a source, it throws a `TypeError`.
 *
 * @example
 * const manager = new CommentDetectionManager(source, { botUsername: 'my-agent', authorityOf });
 * await manager.initialize(); // what stands there now is known
 * const { added, edited, deleted } = await manager.checkForChanges();
 * await manager.addToContext({ append: async ({ content }) => void messages.push(content) }, { added, edited, deleted });
 *
 * @see seed 001 §3.1
 */
export class CommentDetectionManager {
  readonly #options: CommentDetectionOptions;
  readonly #settings: DetectionSettings;
  readonly #log: DetectionLog;
  readonly #authors: AuthorFilter;
  readonly #watcher: ThreadWatcher;
  readonly #observer: ChangeObserver;
  readonly #offered = new OfferedChanges();

  constructor(source: CommentSource, options: CommentDetectionOptions = {}) {
    const { settings, log, authors, watcher, observer } = createDetectionParts(source, options);
    this.#options = options;
    this.#settings = settings;
    this.#log = log;
    this.#authors = authors;
    this.#watcher = watcher;
    this.#observer = observer;
  }

  get enabled(): boolean {
    return this.#settings.enabled;
  }
  get botUsername(): string | null {
    return this.#authors.login;
  }
  /** Ids of every comment ever seen. */
  get lastCommentIds(): ReadonlySet<string> {
    return new Set(this.#watcher.memory.ledger.entries.keys());
  }
  /** When a look last succeeded; null before. */
  get lastCheckTime(): Date | null {
    const { lastCheckTime } = this.#watcher.memory;
    return lastCheckTime === null ? null : new Date(lastCheckTime);
  }
  get detectedCount(): number {
    return this.#watcher.memory.statistics.detected_comments;
  }
  /** False until a look or a snapshot has said what is history. */
  get initialized(): boolean {
    return this.#watcher.memory.initialized;
  }

  /**
   * Takes what is on the thread for known: the snapshot that the first prompt was made from, or else what a look
   * shows now. When the look fails, it says why, and a later check catches up without reporting history as news.
   */
  async initialize(snapshot?: CommentListing<SourceComment>): Promise<InitializeResult> {
    if (!this.enabled) return { status: 'skipped' };
    const { status, error } = await this.#watcher.initialize(snapshot);
    await this.#observer.observe(undefined);
    return { status, ...(error === undefined ? {} : { error }) };
  }

  /** New comments, in the order of the thread; empty also when it could not ask. @see checkForChanges */
  async checkForNewComments(options: CallOptions = {}): Promise<readonly SourceComment[]> {
    return (await this.checkForChanges(options)).added;
  }

  /**
   * Lists comments said, edited and deleted since the last check, and what a context refused since. At the barrier it
   * looks whatever the interval, waits out the spacing, and looks for deletions. Rejects for wrong options alone.
   */
  async checkForChanges(options: { readonly barrier?: boolean } & CallOptions = {}): Promise<CheckResult> {
    checkCall('checkForChanges', options, ['barrier', 'signal']);
    const { barrier = false, signal } = options;
    if (!this.enabled) return { status: 'skipped', complete: false, ...groupChanges([]) };
    const polled = await this.#watcher.check({ barrier, signal });
    this.#authors.recordArrivals(polled.found);
    const failure = await this.#observer.observe(signal);
    const { status, complete, error } =
      failure === null ? polled : { ...polled, status: 'failed' as const, error: failure.error };
    const changes = status === 'checked' ? this.#offered.takeNew(this.listDeliverable({ barrier })) : [];
    return { status, complete, ...groupChanges(changes), ...(error === undefined ? {} : { error }) };
  }

  /**
   * Polls the thread and composes one message of what is undelivered: the port that a runner calls at its checkpoints.
   * A delivery is repeated until `markDelivered` is called with its receipt.
   */
  async takeDelivery(options: Partial<DeliveryRequest> = {}): Promise<TakenDelivery> {
    checkCall('takeDelivery', options, ['barrier', 'signal', 'runCommands']);
    const { barrier = false, signal, runCommands } = options;
    // Switched off is not "could not ask", which a barrier would wait for.
    if (!this.enabled) return { status: 'checked', delivery: null };
    const { status, error } = await this.checkForChanges({ barrier, signal });
    const polled = { status, ...(error === undefined ? {} : { error }) };
    const changes = this.listDeliverable({ barrier });
    const hasCommands = (await runCommands?.(changes)) ?? true;
    const composed = await this.composeDelivery({ changes, signal });
    if (composed === null || (barrier && !composed.fromTrusted)) return { ...polled, delivery: null };
    const { text, receipt, hasMore } = composed;
    return { ...polled, delivery: { text, receipt, hasCommands, hasMore } };
  }

  /** Everything that was detected and not delivered: for the run's final report. */
  listUndelivered(): readonly CommentChange[] {
    return listPendingChanges(this.#watcher.memory.ledger);
  }

  /** The same as far as it may be told now: kept, not held back, and of authors of whom it is known whether they may steer. */
  listDeliverable(options: { readonly barrier?: boolean } = {}): readonly CommentChange[] {
    checkCall('listDeliverable', options, ['barrier']);
    const { barrier = false } = options;
    const { ledger } = this.#watcher.memory;
    const observed = listOpenEntries(ledger).filter((entry) => this.#observer.isRipe(entry, { barrier }));
    return sortChanges(observed.flatMap((entry) => toChange(entry) ?? [])).filter(
      ({ comment }) => !this.#authors.isHeldBack(comment),
    );
  }

  /** @see seed 001 §2.2.3 */
  async formatCommentMessage(comments: readonly SourceComment[]): Promise<string> {
    const { prepareBody, cleanText } = this.#options;
    const { maxBodyChars } = this.#settings;
    const authorities = await this.#observer.readAuthorities(
      comments.map((comment) => ({ comment })),
      undefined,
    );
    const clean = await Promise.all(comments.map((comment) => cleanComment(comment, cleanText)));
    const authorityOf = ({ id }: SourceComment) => authorities.get(id) ?? 'unknown';
    return formatCommentMessage(clean, { prepareBody, authorityOf, maxBodyChars });
  }

  /** One message for these changes, by default for all that is undelivered and not held back; null for none. */
  async composeDelivery(options: ComposeRequest = {}): Promise<ComposedDelivery | null> {
    checkCall('composeDelivery', options, ['changes', 'barrier', 'maxBodyChars', 'signal']);
    const { barrier, maxBodyChars = this.#settings.maxBodyChars, signal } = options;
    const { changes = this.listDeliverable({ barrier: barrier ?? false }) } = options;
    if (changes.length === 0) return null;
    const { prepareBody, cleanText, fitDelivery: fit } = this.#options;
    const authorities = await this.#observer.readAuthorities(changes, signal);
    const { maxMessageChars } = this.#settings;
    const clean = await cleanChanges(changes, cleanText);
    if (fit !== undefined && maxBodyChars === this.#settings.maxBodyChars)
      return composeFitted(clean, { authorities, prepareBody, fit });
    return composeDelivery(clean, { authorities, maxBodyChars, maxMessageChars, prepareBody });
  }

  /**
   * Puts the changes into a context, in one message or, where they are long, in several. What the context refuses is
   * shortened and tried twice more, to 2,000 and to 500 characters a body; then it stays undelivered. Rejects only for a
   * programming error, such as a context without `append`.
   */
  async addToContext(
    sink: ContextSink,
    comments: readonly SourceComment[] | Partial<CommentChanges>,
  ): Promise<AddResult> {
    checkValue('The context of addToContext', sink, expectPort('append'));
    let changes = this.#withAuthorities(toChangeList(comments));
    if (changes.length === 0) return { status: 'nothing' };
    while (changes.length > 0) {
      const left = changes;
      const result = await appendShortened(sink, {
        maxBodyChars: this.#settings.maxBodyChars,
        compose: (maxBodyChars) => this.composeDelivery({ changes: left, maxBodyChars }),
        onRefused: this.#log.deliveryFailed,
      });
      if (!result.receipt) {
        this.#watcher.update((memory) => countUp(memory, { errors: 1 }));
        this.#offered.forget(left);
        return { status: 'failed', error: 'error' in result ? result.error : undefined };
      }
      this.markDelivered(result.receipt);
      changes = left.slice(result.receipt.delivers.length);
    }
    return { status: 'added' };
  }

  /**
   * Receipt of all that the first prompt told of: to be journalled with it, so that a lost state can be rebuilt to the letter.
   * Without it, comments of before the task are known only as such.
   */
  toOpeningReceipt(): DeliveryReceipt {
    return toKnownReceipt(this.#watcher.memory.ledger);
  }

  /** Tells in words of all that the first prompt told of: to be kept before it, so that the journal alone says what was deleted later. */
  toOpeningObservations(): ObservedPoll {
    const { ledger, historyUntil } = this.#watcher.memory;
    return { observations: listOpeningObservations(ledger), opening: { historyUntil } };
  }

  /** To be called once a message that delivers changes is kept for good. */
  markDelivered(receipt: DeliveryReceipt): void {
    const count = receipt.delivers.length;
    this.#watcher.update((memory) =>
      countUp({ ...memory, ledger: applyReceipt(memory.ledger, receipt) }, { added_comments: count }),
    );
    this.#log.added(count);
  }

  /** Tells of a comment that the agent itself posted, so that it is never taken for news. */
  recordPosted(comment: { readonly id: string; readonly body: string }): void {
    this.#authors.recordPosted(comment);
    this.#watcher.update((memory) => withOwnComment(memory, comment.id));
  }

  /** Tells whether the agent itself wrote the comment. */
  isBotComment(comment: SourceComment): boolean {
    return this.#authors.isOwn(comment, this.#watcher.memory.ownIds);
  }
  getStatistics(): DetectionStatistics {
    return this.#watcher.memory.statistics;
  }

  /** Memory of the manager, as JSON. */
  toState(options: DetectionStateOptions = {}): CommentDetectionState {
    return toDetectionState(this.#watcher.memory, options);
  }

  /**
   * Resumes after an earlier process: with observations, from them in their order; else from its state (null if it is lost) and
   * the receipts. Give `startedAt`, so that a lost state can be rebuilt. @throws TypeError for a state of another version
   */
  restore(state: unknown, heard: readonly HeardEvent[]): void {
    const { memory, damaged } = restoreMemory(state, heard);
    if (damaged) this.#log.damagedState();
    this.#watcher.restore(memory);
  }

  /** The same changes as they were detected, where they were. */
  #withAuthorities(changes: readonly CommentChange[]): readonly CommentChange[] {
    const pending = new Map(this.listUndelivered().map((change) => [keyOf(change), change]));
    return changes.map((change) => pending.get(keyOf(change)) ?? change);
  }
}

function keyOf({ kind, revision, comment: { id } }: CommentChange): string {
  return `${kind} ${id} ${revision}`;
}
