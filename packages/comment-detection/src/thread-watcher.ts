import type { CommentChange } from './changes.ts';
import type { DetectionSettings } from './comment-detection-options.ts';
import { countUp, type DetectionMemory, emptyMemory } from './detection-memory.ts';
import type { DetectionVoice } from './detection-voice.ts';
import { findNewChanges, type LearningRules, learnFromLook, learnFromSnapshot } from './learn-from-look.ts';
import { listWithin, readListing } from './list-within.ts';
import { type Look, lookAtThread } from './look-at-thread.ts';
import {
  openGate,
  passGate,
  retryAfterOf,
  spacingLeft,
  toAskedGate,
  toClearGate,
  toFailedGate,
} from './look-gate.ts';
import type { Comment, CommentListing } from './model.ts';
import type { CallOptions, CommentLookOptions, CommentSource } from './ports.ts';

export interface WatcherOptions {
  readonly settings: DetectionSettings;
  readonly voice: DetectionVoice;
  readonly isExcluded: (comment: Comment) => boolean;
  /** By the server's clock; null: now, by our own. */
  readonly startedAt: string | null;
  readonly now: () => Date;
  readonly monotonicNow: () => number;
  readonly sleep: (milliseconds: number, options: CallOptions) => Promise<void>;
  readonly timeoutSignal: (milliseconds: number) => AbortSignal;
}

/** What a check came to. */
export interface WatchResult {
  readonly status: 'checked' | 'skipped' | 'failed';
  /** What this check found; what was found before and is undelivered is not in it. */
  readonly found: readonly CommentChange[];
  /** Whether the whole thread was seen. */
  readonly complete: boolean;
  readonly error?: unknown;
}

const skipped: WatchResult = { status: 'skipped', found: [], complete: false };

/** Looks at one thread, when it may, and remembers what it saw. One look at a time. */
export class ThreadWatcher {
  readonly #source: CommentSource;
  readonly #options: WatcherOptions;
  readonly #startedAt: string;
  #gate = openGate;
  #memory: DetectionMemory = emptyMemory;
  #begun = false;
  #restored = false;
  /** Comments that one complete listing did not show. */
  #missing: readonly string[] = [];
  readonly #malformed = new Set<string>();
  #looking: Promise<unknown> = Promise.resolve();

  constructor(source: CommentSource, options: WatcherOptions) {
    this.#source = source;
    this.#options = options;
    this.#startedAt = options.startedAt ?? options.now().toISOString();
  }

  get memory(): DetectionMemory {
    return this.#memory;
  }

  /** Changes the memory by a pure function of it. */
  update(change: (memory: DetectionMemory) => DetectionMemory): void {
    this.#memory = change(this.#memory);
  }

  /** Goes on from an earlier memory; the next look is at the whole thread, where it is short enough. */
  restore(memory: DetectionMemory): void {
    this.#memory = memory;
    this.#restored = true;
  }

  /**
   * The first look, or the snapshot that stands for it. After a restart, and where an earlier look failed, it is a
   * look like every other: what came since the task began is news.
   */
  initialize(snapshot?: CommentListing): Promise<WatchResult> {
    const isLate = this.#restored || this.#memory.initialized;
    if (snapshot === undefined && (isLate || this.#begun)) return this.check({ barrier: false });
    this.#begun = true;
    const learn = isLate ? learnFromLook : learnFromSnapshot;
    return this.#afterLooking(async () => {
      if (snapshot === undefined)
        return this.#look({ whole: true, barrier: false, signal: undefined, learn });
      const { comments, complete, cursor } = readListing(snapshot, this.#onMalformed);
      const look = { comments, absent: [], missing: [], failure: null, complete, cursor };
      return this.#learn(look, learn);
    });
  }

  check({ barrier, signal }: { readonly barrier: boolean } & CallOptions): Promise<WatchResult> {
    return this.#afterLooking(async () => {
      const { settings, monotonicNow } = this.#options;
      const question = { now: monotonicNow(), interval: settings.checkInterval, barrier };
      const { gate, look } = passGate(this.#gate, question);
      this.#gate = gate;
      if (!look) return skipped;
      return this.#look({ whole: barrier || this.#restored, barrier, signal, learn: learnFromLook });
    });
  }

  /** A look at the whole thread, where it is short enough, is one whose requests begin now. */
  async #look(options: {
    readonly whole: boolean;
    readonly barrier: boolean;
    readonly signal: AbortSignal | undefined;
    readonly learn: typeof learnFromLook;
  }): Promise<WatchResult> {
    const { whole, barrier, signal, learn } = options;
    const { ledger, cursor, initialized } = this.#memory;
    const list = (since: string | null) => this.#list({ since, fresh: whole, barrier, signal });
    const missing = this.#missing;
    let found: WatchResult['found'] = [];
    try {
      const look = await lookAtThread({ ledger, cursor, deletions: whole, initialized, missing, list });
      this.#missing = look.missing;
      const result = await this.#learn(look, learn);
      found = result.found;
      if (look.failure !== null) throw look.failure.error;
      this.#gate = toClearGate(this.#gate);
      this.#restored = false;
      return result;
    } catch (error) {
      if (!signal?.aborted) this.#fail(error);
      return { status: 'failed', found, complete: false, error };
    }
  }

  async #learn(look: Look, learn: typeof learnFromLook): Promise<WatchResult> {
    const before = this.#memory.ledger;
    this.#memory = learn(this.#memory, { look, rules: this.#rules() });
    const found = learn === learnFromSnapshot ? [] : findNewChanges(before, this.#memory.ledger);
    if (found.length > 0)
      this.update((memory) => countUp(memory, { detection_events: 1, detected_comments: found.length }));
    if (learn === learnFromLook) await this.#options.voice.detected(found);
    return { status: 'checked', found, complete: look.complete };
  }

  #rules(): LearningRules {
    const { isExcluded, settings, now } = this.#options;
    const checkedAt = now().toISOString();
    return { isExcluded, detectEdits: settings.detectEdits, startedAt: this.#startedAt, checkedAt };
  }

  /** Keeps the spacing between the requests of one look, too. */
  async #list(options: CommentLookOptions & { readonly barrier: boolean }): Promise<CommentListing> {
    const { signal, barrier, ...look } = options;
    const { monotonicNow, sleep, timeoutSignal, settings } = this.#options;
    const waitMs = spacingLeft(this.#gate, monotonicNow());
    if (waitMs > 0) await sleep(waitMs, { signal });
    this.#gate = toAskedGate(this.#gate, { now: monotonicNow(), barrier });
    const limit = timeoutSignal(settings.lookTimeoutMs);
    const ended = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    return listWithin(this.#source, { ...look, signal: ended, onMalformed: this.#onMalformed });
  }

  /** Said and counted once for each, however often it is listed. */
  readonly #onMalformed: DetectionVoice['malformed'] = (problem, id) => {
    const key = `${problem} ${id}`;
    if (this.#malformed.has(key)) return;
    this.#malformed.add(key);
    this.update((memory) => countUp(memory, { errors: 1 }));
    this.#options.voice.malformed(problem, id);
  };

  #fail(error: unknown): void {
    this.update((memory) => countUp(memory, { errors: 1 }));
    this.#gate = toFailedGate(this.#gate, {
      now: this.#options.monotonicNow(),
      retryAfterMs: retryAfterOf(error),
    });
    this.#options.voice.lookFailed(error);
  }

  #afterLooking(look: () => Promise<WatchResult>): Promise<WatchResult> {
    const result = this.#looking.then(look).catch((error: unknown): WatchResult => {
      return { status: 'failed', found: [], complete: false, error };
    });
    this.#looking = result;
    return result;
  }
}
