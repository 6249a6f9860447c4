import type { CallOptions, CommentListing } from '@agent/platforms';
import type { CommentChange } from './changes.ts';
import type { CommentSource, SourceComment, SourcePollOptions } from './comment.ts';
import type { DetectionSettings } from './comment-detection-options.ts';
import type { DetectionLog } from './detection-log.ts';
import {
  countUp,
  type DetectionMemory,
  emptyMemory,
  findNewChanges,
  type MergeRules,
  mergePoll,
  mergeSnapshot,
} from './detection-memory.ts';
import { type PollResult, pollThread, toPollResult } from './poll-thread.ts';
import { getWithin, listWithin, readListing } from './read-listing.ts';

export interface WatcherOptions {
  readonly settings: DetectionSettings;
  readonly log: DetectionLog;
  /** Called before each poll and before a snapshot, e.g. to find the own account. */
  readonly prepare?: ((options: CallOptions) => Promise<void>) | undefined;
  readonly isExcluded: (comment: SourceComment) => boolean;
  /** By the server's clock; null: now, by our own. */
  readonly startedAt: string | null;
  readonly now: () => Date;
  readonly monotonicNow: () => number;
  readonly sleep: (milliseconds: number, options: CallOptions) => Promise<void>;
  readonly timeoutSignal: (milliseconds: number) => AbortSignal;
}

/** Result of a check. */
export interface WatchResult {
  readonly status: 'checked' | 'skipped' | 'failed';
  /** Changes that this check found; what was found before and is undelivered is not in it. */
  readonly found: readonly CommentChange[];
  /** Tells whether the whole thread was seen. */
  readonly complete: boolean;
  readonly error?: unknown;
}

const skipped: WatchResult = { status: 'skipped', found: [], complete: false };

/** Looks at one thread, when it may, and remembers what it saw. One look at a time. */
export class ThreadWatcher {
  readonly #source: CommentSource;
  readonly #options: WatcherOptions;
  readonly #startedAt: string;
  #schedule = newSchedule;
  #memory: DetectionMemory;
  #begun = false;
  #restored = false;
  /** Comments that one complete listing did not show. */
  #missing: readonly string[] = [];
  readonly #malformed = new Set<string>();
  #polling: Promise<unknown> = Promise.resolve();

  constructor(source: CommentSource, options: WatcherOptions) {
    this.#source = source;
    this.#options = options;
    this.#startedAt = options.startedAt ?? options.now().toISOString();
    this.#memory = this.#withStart(emptyMemory);
  }

  get memory(): DetectionMemory {
    return this.#memory;
  }

  /** Changes the memory by a pure function of it. */
  update(change: (memory: DetectionMemory) => DetectionMemory): void {
    this.#memory = change(this.#memory);
  }

  /** Goes on from an earlier memory; the next look is at the whole thread. */
  restore(memory: DetectionMemory): void {
    this.#memory = this.#withStart(memory);
    this.#restored = true;
  }

  /** A memory of before the first listing says until when all is history, so that a successor asks from the same time. */
  #withStart(memory: DetectionMemory): DetectionMemory {
    return memory.initialized ? memory : { ...memory, historyUntil: memory.historyUntil ?? this.#startedAt };
  }

  /**
   * The first look, or the snapshot that stands for it. After a restart, and where an earlier look failed, it is a
   * look like every other: what came since the task began is news.
   */
  initialize(snapshot?: CommentListing<SourceComment>): Promise<WatchResult> {
    const isLate = this.#restored || this.#memory.initialized;
    if (snapshot === undefined && (isLate || this.#begun)) return this.check({ barrier: false });
    this.#begun = true;
    const learn = isLate ? mergePoll : mergeSnapshot;
    return this.#afterPolling(async () => {
      if (snapshot === undefined)
        return this.#poll({ whole: true, barrier: false, signal: undefined, learn });
      // A failure is reported by the next poll, which prepares again.
      await this.#prepare(undefined).catch(() => {});
      return this.#learn(toPollResult(readListing(snapshot, this.#onMalformed)), learn);
    });
  }

  check({ barrier, signal }: { readonly barrier: boolean } & CallOptions): Promise<WatchResult> {
    return this.#afterPolling(async () => {
      const { settings, monotonicNow } = this.#options;
      const question = { now: monotonicNow(), interval: settings.checkInterval, barrier };
      const { schedule, isDue } = shouldPoll(this.#schedule, question);
      this.#schedule = schedule;
      if (!isDue) return skipped;
      return this.#poll({ whole: barrier || this.#restored, barrier, signal, learn: mergePoll });
    });
  }

  /** A look at the whole thread is one whose requests begin now. */
  async #poll(options: {
    readonly whole: boolean;
    readonly barrier: boolean;
    readonly signal: AbortSignal | undefined;
    readonly learn: typeof mergePoll;
  }): Promise<WatchResult> {
    const { whole, barrier, signal, learn } = options;
    const { ledger, cursor, initialized } = this.#memory;
    const list = (since: string | null) => this.#list({ since, fresh: whole, barrier, signal });
    const missing = this.#missing;
    let found: WatchResult['found'] = [];
    try {
      await this.#prepare(signal);
      const get = this.#getter(signal);
      const poll = await pollThread({ ledger, cursor, whole, initialized, missing, list, get });
      this.#missing = poll.missing;
      const result = await this.#learn(poll, learn);
      found = result.found;
      if (poll.failure !== null) throw poll.failure.error;
      this.#options.log.polled();
      this.#schedule = afterSuccess(this.#schedule);
      this.#restored = false;
      return result;
    } catch (error) {
      if (!signal?.aborted) this.#fail(error);
      return { status: 'failed', found, complete: false, error };
    }
  }

  async #learn(poll: PollResult, learn: typeof mergePoll): Promise<WatchResult> {
    const before = this.#memory.ledger;
    this.#memory = learn(this.#memory, { poll, rules: this.#rules() });
    const found = learn === mergeSnapshot ? [] : findNewChanges(before, this.#memory.ledger);
    if (found.length > 0)
      this.update((memory) => countUp(memory, { detection_events: 1, detected_comments: found.length }));
    if (learn === mergePoll) await this.#options.log.detected(found);
    return { status: 'checked', found, complete: poll.complete };
  }

  #rules(): MergeRules {
    const { isExcluded, settings, now } = this.#options;
    const checkedAt = now().toISOString();
    return { isExcluded, detectEdits: settings.detectEdits, checkedAt };
  }

  /** Keeps the spacing between the requests of one look, too. */
  async #list(
    options: SourcePollOptions & { readonly barrier: boolean },
  ): Promise<CommentListing<SourceComment>> {
    const { signal, barrier, ...poll } = options;
    const { monotonicNow, sleep } = this.#options;
    const waitMs = spacingLeft(this.#schedule, monotonicNow());
    if (waitMs > 0) await sleep(waitMs, { signal });
    this.#schedule = afterRequest(this.#schedule, { now: monotonicNow(), barrier });
    return listWithin(this.#source, { ...poll, signal: this.#limit(signal), onMalformed: this.#onMalformed });
  }

  #getter(signal: AbortSignal | undefined): ((id: string) => Promise<SourceComment | null>) | null {
    const getComment = this.#source.getComment?.bind(this.#source);
    if (getComment === undefined) return null;
    return (id) => getWithin(getComment, { id, signal: this.#limit(signal), onMalformed: this.#onMalformed });
  }

  async #prepare(signal: AbortSignal | undefined): Promise<void> {
    await this.#options.prepare?.({ signal: this.#limit(signal) });
  }

  #limit(signal: AbortSignal | undefined): AbortSignal {
    const limit = this.#options.timeoutSignal(this.#options.settings.pollTimeoutMs);
    return signal === undefined ? limit : AbortSignal.any([signal, limit]);
  }

  /** Said and counted once for each, however often it is listed. */
  readonly #onMalformed: DetectionLog['malformed'] = (problem, id) => {
    const key = `${problem} ${id}`;
    if (this.#malformed.has(key)) return;
    this.#malformed.add(key);
    this.update((memory) => countUp(memory, { errors: 1 }));
    this.#options.log.malformed(problem, id);
  };

  #fail(error: unknown): void {
    this.update((memory) => countUp(memory, { errors: 1 }));
    this.#schedule = afterFailure(this.#schedule, {
      now: this.#options.monotonicNow(),
      retryAfterMs: retryAfterOf(error),
    });
    this.#options.log.pollFailed(error);
  }

  #afterPolling(poll: () => Promise<WatchResult>): Promise<WatchResult> {
    const result = this.#polling.then(poll).catch((error: unknown): WatchResult => {
      return { status: 'failed', found: [], complete: false, error };
    });
    this.#polling = result;
    return result;
  }
}

/** When the next look may be made. Times are milliseconds of a clock that never goes back. */
export interface PollSchedule {
  /** Checks that took their turn. */
  readonly turns: number;
  readonly lastRequestAt: number | null;
  /** Time of the last request at the finish barrier. */
  readonly lastBarrierAt: number | null;
  readonly notBefore: number;
  readonly failuresInARow: number;
}

const newSchedule: PollSchedule = {
  turns: 0,
  lastRequestAt: null,
  lastBarrierAt: null,
  notBefore: 0,
  failuresInARow: 0,
};

/** Between two requests, in milliseconds. @see seed 001 §8.3 */
const minSpacingMs = 1000;
const maxBackoffMs = 60_000;

export interface PollQuestion {
  readonly now: number;
  /** Every how many checks a look is made, from 1. */
  readonly interval: number;
  /** A look at the finish barrier: whatever the interval, and spaced only from other looks at the barrier. */
  readonly barrier: boolean;
}

/**
 * Says whether this check makes a look. The first of every `interval` checks does; one that comes too early, or
 * while a failure is waited out, keeps its turn for the next check. Before a look at the barrier the spacing is
 * waited out, which counts from the barrier's own looks: an agent that answers at once is not kept for a second.
 */
function shouldPoll(
  schedule: PollSchedule,
  { now, interval, barrier }: PollQuestion,
): { readonly schedule: PollSchedule; readonly isDue: boolean } {
  if (now < schedule.notBefore) return { schedule, isDue: false };
  if (barrier) return { schedule: { ...schedule, lastRequestAt: schedule.lastBarrierAt }, isDue: true };
  const isTurn = schedule.turns % interval === 0;
  if (isTurn && spacingLeft(schedule, now) > 0) return { schedule, isDue: false };
  return { schedule: { ...schedule, turns: schedule.turns + 1 }, isDue: isTurn };
}

/** Time that the next request has to wait, in milliseconds. */
function spacingLeft({ lastRequestAt }: PollSchedule, now: number): number {
  return lastRequestAt === null ? 0 : Math.max(0, lastRequestAt + minSpacingMs - now);
}

/** After a request was made. */
function afterRequest(
  schedule: PollSchedule,
  { now, barrier }: { readonly now: number; readonly barrier: boolean },
): PollSchedule {
  return { ...schedule, lastRequestAt: now, ...(barrier ? { lastBarrierAt: now } : {}) };
}

/** After a look that failed: 1, 2, 4 … 60 seconds, or longer where the platform asks for it. */
function afterFailure(
  schedule: PollSchedule,
  { now, retryAfterMs }: { readonly now: number; readonly retryAfterMs: number | null },
): PollSchedule {
  const backoffMs = Math.min(1000 * 2 ** Math.min(schedule.failuresInARow, 6), maxBackoffMs);
  const notBefore = now + Math.max(backoffMs, retryAfterMs ?? 0);
  return { ...schedule, notBefore, failuresInARow: schedule.failuresInARow + 1 };
}

/** After a look that succeeded. */
function afterSuccess(schedule: PollSchedule): PollSchedule {
  return { ...schedule, notBefore: 0, failuresInARow: 0 };
}

/** Time that an error asks to wait, whoever made it; null where it does not say. */
export function retryAfterOf(error: unknown): number | null {
  const value = (error as { readonly retryAfterMs?: unknown } | null | undefined)?.retryAfterMs;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
