import PQueue from 'p-queue';
import type { PendingTask } from './pending-task.ts';
import { LeftForLater } from './task/left-for-later.ts';

export interface TaskQueueOptions {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Hears of a task that rejected, and says whether it may be added again; else its thread is left alone until the next start. */
  readonly mayRetry: (task: PendingTask, error: unknown) => boolean;
}

/** Runs several tasks at once, but never two of the same thread. */
export class TaskQueue {
  readonly #queue: PQueue;
  readonly #mayRetry: TaskQueueOptions['mayRetry'];
  readonly #busy = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #later = new Map<string, PendingTask>();

  constructor(options: TaskQueueOptions) {
    this.#queue = new PQueue({ concurrency: options.concurrency });
    this.#mayRetry = options.mayRetry;
  }

  /** False when a task of this thread is queued, is running, or has failed in a way that only a person can mend. */
  add(task: PendingTask): boolean {
    if (this.#busy.has(task.key)) return false;
    this.#enqueue(task);
    return true;
  }

  /** Takes up again what could not go on for a reason that passes. */
  retryLater(): void {
    const tasks = [...this.#later.values()];
    this.#later.clear();
    for (const task of tasks) this.#enqueue(task);
  }

  /** How many runs wait for a platform that could not be reached. */
  countLater(): number {
    return this.#later.size;
  }

  /** Forgets what has not begun. */
  clear(): void {
    this.#queue.clear();
    this.#waiting.clear();
  }

  /** Keys of the tasks that have not begun, in the order in which they will. */
  waiting(): readonly string[] {
    return [...this.#waiting];
  }

  /** Resolves when nothing is queued or running. */
  whenIdle(): Promise<void> {
    return this.#queue.onIdle();
  }

  #enqueue(task: PendingTask): void {
    this.#busy.add(task.key);
    this.#waiting.add(task.key);
    void this.#queue.add(() => this.#run(task));
  }

  async #run(task: PendingTask): Promise<void> {
    this.#waiting.delete(task.key);
    try {
      await task.run();
      this.#busy.delete(task.key);
    } catch (error) {
      // The thread stays taken: its run is there, and a second one must not begin.
      if (error instanceof LeftForLater) this.#later.set(task.key, { key: task.key, run: error.again });
      else if (this.#mayRetry(task, error)) this.#busy.delete(task.key);
    }
  }
}
