import type { QueueEntry, TaskQueue, WaitingEntry, WorkOnEntry, WorkOptions } from './task-queue.ts';

/** Why a task may not begin yet. */
export interface Hold {
  /** In the words of a log line, such as "the request budget of github.com". */
  readonly reason: string;
  /** Milliseconds after which it is worth asking again. */
  readonly waitMs: number;
}

export interface MemoryTaskQueueOptions {
  /** Tasks that run at the same time. Read before each begins. */
  readonly concurrency: number;
  /**
   * Asked before a task begins, while nothing has been requested for it: why it has to wait, or null. `running` are
   * the tasks under way. Others that may begin go first.
   */
  readonly holdBack?:
    | ((entry: QueueEntry, beside: { readonly running: readonly QueueEntry[] }) => Hold | null)
    | undefined;
  /** A higher value begins first. Default 0 for all. */
  readonly toPriority?: ((entry: QueueEntry) => number) | undefined;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Runs several tasks of this process at once, but never two of the same thread. What waits costs nothing. */
export class MemoryTaskQueue implements TaskQueue {
  readonly #options: MemoryTaskQueueOptions;
  readonly #now: () => number;
  /** Threads with a task that waits, runs or is left for later. */
  readonly #taken = new Set<string>();
  readonly #waiting = new Map<string, { readonly entry: QueueEntry; readonly since: number }>();
  readonly #running = new Map<string, QueueEntry>();
  readonly #later = new Set<string>();
  #workOn: WorkOnEntry | null = null;
  #idle: (() => void)[] = [];
  #alarm = new AbortController();
  #hold: Hold | null = null;

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

  readonly work = async (workOn: WorkOnEntry, { signal, untilEmpty = false }: WorkOptions): Promise<void> => {
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
    this.#hold = null;
    this.#settle();
    return this.#whenIdle();
  };

  /** Says why the first of those that wait does not begin, though there is room for it; null where it only waits for room. */
  hold(): Hold | null {
    return this.#hold;
  }

  /** Begins what has room and is not held back. To be called when a reason to hold tasks back has gone. */
  beginWaiting(): void {
    this.#alarm.abort();
    this.#hold = null;
    if (this.#workOn === null) return;
    for (const { entry, since } of this.#inOrder()) {
      if (this.#running.size >= this.#options.concurrency) break;
      const running = [...this.#running.values()];
      const hold = this.#options.holdBack?.(entry, { running }) ?? null;
      if (hold === null) this.#begin(entry, { since, workOn: this.#workOn });
      else if (this.#hold === null || hold.waitMs < this.#hold.waitMs) this.#hold = hold;
    }
    if (this.#hold !== null) this.#wakeAfter(this.#hold.waitMs);
  }

  #inOrder() {
    const { toPriority = () => 0 } = this.#options;
    return [...this.#waiting.values()].toSorted(
      (one, other) => toPriority(other.entry) - toPriority(one.entry),
    );
  }

  #begin(
    entry: QueueEntry,
    { since, workOn }: { readonly since: number; readonly workOn: WorkOnEntry },
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
    return this.#waiting.size === 0 && this.#running.size === 0;
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
