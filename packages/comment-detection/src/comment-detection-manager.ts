import { AuthorFilter } from './author-filter.ts';
import {
  type AddResult,
  type CheckResult,
  type CommentChange,
  type CommentChanges,
  type ContextSink,
  type DeliveryReceipt,
  groupChanges,
  type InitializeResult,
  toChangeList,
} from './changes.ts';
import type { CallOptions, Comment, CommentListing, CommentSource } from './comment.ts';
import {
  type CommentDetectionOptions,
  type DetectionSettings,
  readDetectionOptions,
  sleepFor,
} from './comment-detection-options.ts';
import { applyReceipt, listPendingChanges, toKnownReceipt } from './comment-ledger.ts';
import {
  appendShortened,
  askAuthorities,
  type ComposedDelivery,
  cleanChanges,
  cleanComment,
  composeDelivery,
} from './compose-delivery.ts';
import { createDetectionLog, type DetectionLog, type Safeguard } from './detection-log.ts';
import { countUp, type DetectionStatistics, withOwnComment } from './detection-memory.ts';
import { type CommentDetectionState, restoreMemory, toDetectionState } from './detection-state.ts';
import { formatCommentMessage } from './format-changes-message.ts';
import { ThreadWatcher } from './thread-watcher.ts';

/** Input of a message for the model. */
export interface ComposeRequest extends CallOptions {
  /** Default: all that is undelivered and not held back. */
  readonly changes?: readonly CommentChange[] | undefined;
  readonly maxBodyChars?: number | undefined;
}

/**
 * Finds what people said on a thread since the agent last looked, and remembers what it was told of. A change is
 * detected once and delivered once; until it is delivered, it is kept. Made without a source, it throws a `TypeError`.
 *
 * @example
 * const manager = new CommentDetectionManager(source, { botUsername: 'my-agent', authorityOf, cleanText });
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
  /** Revisions that checks returned, so that each is returned once unless its delivery failed. */
  readonly #offered = new Map<string, string>();

  constructor(source: CommentSource, options: CommentDetectionOptions = {}) {
    const { settings, log, authors, watcher } = createDetectionParts(source, options);
    this.#options = options;
    this.#settings = settings;
    this.#log = log;
    this.#authors = authors;
    this.#watcher = watcher;
  }

  get enabled(): boolean {
    return this.#settings.enabled;
  }
  get botUsername(): string | null {
    return this.#settings.botUsername;
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
  async initialize(snapshot?: CommentListing): Promise<InitializeResult> {
    if (!this.enabled) return { status: 'skipped' };
    const { status, error } = await this.#watcher.initialize(snapshot);
    return { status, ...(error === undefined ? {} : { error }) };
  }

  /** New comments, in the order of the thread; empty also when it could not ask. @see checkForChanges */
  async checkForNewComments(options: CallOptions = {}): Promise<readonly Comment[]> {
    return (await this.checkForChanges(options)).added;
  }

  /**
   * Lists comments said, edited and deleted since the last check, and what a context refused since. At the barrier it
   * looks whatever the interval, waits out the spacing, and looks for deletions. Never rejects.
   */
  async checkForChanges(options: { readonly barrier?: boolean } & CallOptions = {}): Promise<CheckResult> {
    const { barrier = false, signal } = options;
    if (!this.enabled) return { status: 'skipped', complete: false, ...groupChanges([]) };
    const { status, found, complete, error } = await this.#watcher.check({ barrier, signal });
    this.#authors.recordArrivals(found);
    const changes = status === 'checked' ? this.#offer() : [];
    return { status, complete, ...groupChanges(changes), ...(error === undefined ? {} : { error }) };
  }

  /** Everything that was detected and not delivered: for the run's final report. */
  listUndelivered(): readonly CommentChange[] {
    return listPendingChanges(this.#watcher.memory.ledger);
  }

  /** @see seed 001 §2.2.3 */
  async formatCommentMessage(comments: readonly Comment[]): Promise<string> {
    const { prepareBody, cleanText } = this.#options;
    const { maxBodyChars } = this.#settings;
    const clean = await Promise.all(comments.map((comment) => cleanComment(comment, cleanText)));
    return formatCommentMessage(clean, { prepareBody, maxBodyChars });
  }

  /** One message for these changes, by default for all that is undelivered and not held back; null for none. */
  async composeDelivery(options: ComposeRequest = {}): Promise<ComposedDelivery | null> {
    const { changes = this.#deliverable(), maxBodyChars = this.#settings.maxBodyChars, signal } = options;
    if (changes.length === 0) return null;
    const { authorityOf, prepareBody, cleanText } = this.#options;
    const onUnknown = this.#log.authorityUnknown;
    const authorities = await askAuthorities(changes, { authorityOf, onUnknown, signal });
    const { maxMessageChars } = this.#settings;
    const clean = await cleanChanges(changes, cleanText);
    return composeDelivery(clean, { authorities, maxBodyChars, maxMessageChars, prepareBody });
  }

  /**
   * Puts the changes into a context, as one message. What the context refuses is shortened and tried twice more,
   * to 2,000 and to 500 characters a body; then it stays undelivered. Never rejects.
   */
  async addToContext(
    sink: ContextSink,
    comments: readonly Comment[] | Partial<CommentChanges>,
  ): Promise<AddResult> {
    const changes = toChangeList(comments);
    if (changes.length === 0) return { status: 'nothing' };
    const result = await appendShortened(sink, {
      maxBodyChars: this.#settings.maxBodyChars,
      compose: (maxBodyChars) => this.composeDelivery({ changes, maxBodyChars }),
      onRefused: this.#log.deliveryFailed,
    });
    if (result.receipt) {
      this.markDelivered(result.receipt);
      return { status: 'added' };
    }
    this.#watcher.update((memory) => countUp(memory, { errors: 1 }));
    for (const { comment } of changes) this.#offered.delete(comment.id);
    return { status: 'failed', error: 'error' in result ? result.error : undefined };
  }

  /**
   * Receipt of all that the first prompt told of: to be journalled with it, so that a lost state can be rebuilt to the letter.
   * Without it, comments of before the task are known only as such.
   */
  toOpeningReceipt(): DeliveryReceipt {
    return toKnownReceipt(this.#watcher.memory.ledger);
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
  isBotComment(comment: Comment): boolean {
    return this.#authors.isOwn(comment, this.#watcher.memory.ownIds);
  }

  getStatistics(): DetectionStatistics {
    return this.#watcher.memory.statistics;
  }

  /** Memory of the manager, as JSON. `appliedSeq`: the last line of the journal whose deliveries are in it. */
  toState({ appliedSeq = 0 }: { readonly appliedSeq?: number } = {}): CommentDetectionState {
    return toDetectionState(this.#watcher.memory, appliedSeq);
  }

  /**
   * Goes on where an earlier process ended: from its state (null when it is lost) and the receipts of every
   * delivery that the run's journal holds, in their order. Give `startedAt`, so that a lost state can be rebuilt.
   */
  restore(state: unknown, delivered: readonly DeliveryReceipt[]): void {
    const { memory, damaged } = restoreMemory(state, delivered);
    if (damaged) this.#log.damagedState();
    this.#watcher.restore(memory);
  }

  #deliverable(): readonly CommentChange[] {
    return this.listUndelivered().filter(({ comment }) => !this.#authors.isHeldBack(comment));
  }

  #offer(): readonly CommentChange[] {
    const keyOf = ({ kind, revision }: CommentChange) => `${kind} ${revision}`;
    const fresh = this.#deliverable().filter(
      (change) => this.#offered.get(change.comment.id) !== keyOf(change),
    );
    for (const change of fresh) this.#offered.set(change.comment.id, keyOf(change));
    return fresh;
  }
}

/** Parts of a manager. */
interface DetectionParts {
  readonly settings: DetectionSettings;
  readonly log: DetectionLog;
  readonly authors: AuthorFilter;
  readonly watcher: ThreadWatcher;
}

function createDetectionParts(source: CommentSource, options: CommentDetectionOptions): DetectionParts {
  if (typeof source?.listComments !== 'function') {
    throw new TypeError('CommentDetectionManager needs a source: an object with the function listComments.');
  }
  const { settings, startedAt, problems } = readDetectionOptions(options);
  const log = createDetectionLog(options.logger, { settings, cleanText: options.cleanText });
  for (const problem of problems) log.invalidOption(problem);
  const { monotonicNow = () => performance.now(), now = () => new Date(), isOwnComment } = options;
  const authors = new AuthorFilter({ settings, isOwnComment, monotonicNow, onNoisyBot: log.noisyBot });
  const watcher: ThreadWatcher = new ThreadWatcher(source, {
    settings,
    log,
    isExcluded: (comment) => authors.isOwn(comment, watcher.memory.ownIds) || authors.isIgnored(comment),
    startedAt,
    now,
    monotonicNow,
    sleep: options.sleep ?? sleepFor,
    timeoutSignal: options.timeoutSignal ?? ((milliseconds) => AbortSignal.timeout(milliseconds)),
  });
  if (settings.enabled) for (const name of findMissingSafeguards(options)) log.missingSafeguard(name);
  return { settings, log, authors, watcher };
}

/** Names the safeguards that the options leave out. */
function findMissingSafeguards(options: CommentDetectionOptions): readonly Safeguard[] {
  const { botUsername, botId, isOwnComment, authorityOf, cleanText } = options;
  const isNameless = (botUsername ?? null) === null && (botId ?? null) === null;
  const missing: readonly (readonly [Safeguard, boolean])[] = [
    ['botUsername', isNameless && isOwnComment === undefined],
    ['authorityOf', authorityOf === undefined],
    ['cleanText', cleanText === undefined],
  ];
  return missing.flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}
