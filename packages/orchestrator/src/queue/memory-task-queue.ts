import type { QueueWorkOptions, TaskQueue, WorkOnEntry } from '@agent/run-store';
import type { QueueEntry, WaitingEntry } from './queue-entry.ts';

export interface MemoryTaskQueueOptions {
  /** Tasks that run at the same time. Read before each begins. */
  readonly concurrency: number;
  /**
   * Called before a task begins, while nothing has been requested for it. Returns the milliseconds after which it is called again; 0 if
   * the task may begin. `running` are the tasks under way. Others that may begin go first.
   */
  readonly holdMs?:
    | ((entry: QueueEntry, beside: { readonly running: readonly QueueEntry[] }) => number)
    | undefined;
  /** Asked before something begins: true while nothing is to. Default never. */
  readonly isPaused?: (() => Promise<boolean>) | undefined;
  /** A higher value begins first. Default 0 for all. */
  readonly toPriority?: ((entry: QueueEntry) => number) | undefined;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds after which a pause that could not be read is read again. */
const readAgainMs = 5_000;

/** Runs several tasks of this process at once, but never two of the same thread. What waits costs nothing. */
export class MemoryTaskQueue implements TaskQueue<QueueEntry> {
  readonly #options: MemoryTaskQueueOptions;
  readonly #now: () => number;
  /** Threads with a task that waits, runs or is left for later. */
  readonly #taken = new Set<string>();
  readonly #waiting = new Map<string, { readonly entry: QueueEntry; readonly since: number }>();
  readonly #running = new Map<string, QueueEntry>();
  readonly #later = new Set<string>();
  #workOn: WorkOnEntry<QueueEntry> | null = null;
  #idle: (() => void)[] = [];
  /** True if nothing began when the queue was asked last. */
  #isPaused = false;
  #alarm = new AbortController();

  constructor(options: MemoryTaskQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  readonly add = async (entry: QueueEntry): Promise<'added' | 'known'> => {
    const { key, kind } = entry;
    const isTakenUp = kind === 'interrupted' && this.#later.delete(key);
    if (this.#taken.has(key) && !isTakenUp) return 'known';
    this.#taken.add(key);
    this.#waiting.set(key, { entry, since: this.#now() });
    this.beginWaiting();
    return 'added';
  };

  readonly knows = async (key: string): Promise<boolean> => this.#taken.has(key);

  readonly work = async (
    workOn: WorkOnEntry<QueueEntry>,
    { signal, untilEmpty = false }: QueueWorkOptions,
  ): Promise<void> => {
    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    if (signal.aborted) return this.close();
    signal.addEventListener('abort', end, { once: true });
    this.#workOn = workOn;
    this.beginWaiting();
    if (untilEmpty) void this.#whenIdle().then(end);
    await ended.promise;
    signal.removeEventListener('abort', end);
    this.#workOn = null;
    if (signal.aborted) await this.close();
  };

  readonly waiting = async (): Promise<readonly WaitingEntry[]> =>
    this.#inOrder().map(({ entry, since }) => ({ ...entry, since }));

  readonly close = (): Promise<void> => {
    for (const key of this.#waiting.keys()) this.#taken.delete(key);
    this.#waiting.clear();
    this.#settle();
    return this.#whenIdle();
  };

  readonly beginWaiting = (): void => {
    this.#alarm.abort();
    if (this.#workOn === null) return;
    const { isPaused } = this.#options;
    if (isPaused === undefined) this.#beginNow();
    void isPaused?.().then(
      (paused) => {
        this.#isPaused = paused;
        if (paused) this.#settle();
        else this.#beginNow();
      },
      () => this.#wakeAfter(readAgainMs),
    );
  };

  #beginNow(): void {
    this.#alarm.abort();
    if (this.#workOn === null) return;
    const holdsMs: number[] = [];
    for (const { entry, since } of this.#inOrder()) {
      if (this.#running.size >= this.#options.concurrency) break;
      const running = [...this.#running.values()];
      const holdMs = this.#options.holdMs?.(entry, { running }) ?? 0;
      if (holdMs === 0) this.#begin(entry, { since, workOn: this.#workOn });
      else holdsMs.push(holdMs);
    }
    if (holdsMs.length > 0) this.#wakeAfter(Math.min(...holdsMs));
  }

  #inOrder() {
    const { toPriority = () => 0 } = this.#options;
    return [...this.#waiting.values()].toSorted(
      (one, other) => toPriority(other.entry) - toPriority(one.entry),
    );
  }

  #begin(
    entry: QueueEntry,
    { since, workOn }: { readonly since: number; readonly workOn: WorkOnEntry<QueueEntry> },
  ): void {
    const { key } = entry;
    this.#waiting.delete(key);
    this.#running.set(key, entry);
    void workOn(entry, { waitedMs: Math.max(0, this.#now() - since) }).then((result) => {
      // Otherwise the thread stays taken: its run is there, and a second one must not begin.
      if (result === 'done') this.#taken.delete(key);
      else this.#later.add(key);
      this.#running.delete(key);
      this.beginWaiting();
      this.#settle();
    });
  }

  #wakeAfter(waitMs: number): void {
    const alarm = new AbortController();
    this.#alarm = alarm;
    void this.#options.sleep(waitMs, alarm.signal).then(() => {
      if (!alarm.signal.aborted) this.beginWaiting();
    });
  }

  #isIdle(): boolean {
    return (this.#waiting.size === 0 || this.#isPaused) && this.#running.size === 0;
  }

  #whenIdle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #settle(): void {
    if (!this.#isIdle()) return;
    this.#alarm.abort();
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
