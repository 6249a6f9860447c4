import { DeferredError } from '../run/left-for-later.ts';
import type { PendingTask } from './pending-task.ts';

/** Why a task may not begin yet. */
export interface Hold {
  /** In the words of a log line, such as "the request budget of github.com". */
  readonly reason: string;
  /** Milliseconds after which it is worth asking again. */
  readonly waitMs: number;
}

export interface TaskQueueOptions {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /**
   * Asked before a task begins, while nothing has been requested for it: why it has to wait, or null. `running` are
   * the tasks under way. Others that may begin go first.
   */
  readonly holdBack?: ((task: PendingTask, running: readonly PendingTask[]) => Hold | null) | undefined;
  /** Hears of a task that rejected, and says whether it may be added again; else its thread is left alone until the next start. */
  readonly mayRetry: (task: PendingTask, error: unknown) => boolean;
  /** Resolves after this long, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Runs several tasks at once, but never two of the same thread. What waits costs nothing. */
export class TaskQueue {
  readonly #options: TaskQueueOptions;
  readonly #taken = new Set<string>();
  readonly #waiting = new Map<string, PendingTask>();
  readonly #running = new Map<string, PendingTask>();
  readonly #later = new Map<string, PendingTask>();
  #idle: (() => void)[] = [];
  #alarm = new AbortController();
  #hold: Hold | null = null;

  constructor(options: TaskQueueOptions) {
    this.#options = options;
  }

  /** False when a task of this thread is queued, is running, or has failed in a way that only a person can mend. */
  add(task: PendingTask): boolean {
    if (this.#taken.has(task.key)) return false;
    this.#enqueue(task);
    this.beginWaiting();
    return true;
  }

  /** Takes up again what could not go on for a reason that passes. */
  retryLater(): void {
    const tasks = [...this.#later.values()];
    this.#later.clear();
    for (const task of tasks) this.#enqueue(task);
    this.beginWaiting();
  }

  /** How many runs wait for a platform that could not be reached. */
  countLater(): number {
    return this.#later.size;
  }

  /** Forgets what has not begun. */
  clear(): void {
    for (const key of this.#waiting.keys()) this.#taken.delete(key);
    this.#waiting.clear();
    this.#hold = null;
    this.#settle();
  }

  /** Keys of the tasks that have not begun, in the order in which they will. */
  waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** Why the first of those that wait does not begin, though there is room for it; null where it only waits for room. */
  hold(): Hold | null {
    return this.#hold;
  }

  /** Resolves when nothing is queued or running. */
  whenIdle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Begins what has room and is not held back. To be called when a reason to hold tasks back has gone. */
  beginWaiting(): void {
    this.#alarm.abort();
    this.#hold = null;
    for (const task of [...this.#waiting.values()]) {
      if (this.#running.size >= this.#options.concurrency) break;
      const hold = this.#options.holdBack?.(task, [...this.#running.values()]) ?? null;
      if (hold === null) this.#begin(task);
      else if (this.#hold === null || hold.waitMs < this.#hold.waitMs) this.#hold = hold;
    }
    if (this.#hold !== null) this.#wakeAfter(this.#hold.waitMs);
  }

  #enqueue(task: PendingTask): void {
    this.#taken.add(task.key);
    this.#waiting.set(task.key, task);
  }

  #begin(task: PendingTask): void {
    this.#waiting.delete(task.key);
    this.#running.set(task.key, task);
    void this.#run(task).then(() => {
      this.#running.delete(task.key);
      this.beginWaiting();
      this.#settle();
    });
  }

  async #run(task: PendingTask): Promise<void> {
    const { key, platform } = task;
    try {
      await task.run();
      this.#taken.delete(key);
    } catch (error) {
      // The thread stays taken: its run is there, and a second one must not begin.
      if (error instanceof DeferredError) this.#later.set(key, { key, platform, run: error.again });
      else if (this.#options.mayRetry(task, error)) this.#taken.delete(key);
    }
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

  #settle(): void {
    if (!this.#isIdle()) return;
    this.#alarm.abort();
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
