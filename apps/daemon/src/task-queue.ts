import PQueue from 'p-queue';
import type { PendingTask } from './pending-task.ts';

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

  constructor(options: TaskQueueOptions) {
    this.#queue = new PQueue({ concurrency: options.concurrency });
    this.#mayRetry = options.mayRetry;
  }

  /** False when a task of this thread is queued, is running, or has failed in a way that only a person can mend. */
  add(task: PendingTask): boolean {
    if (this.#busy.has(task.key)) return false;
    this.#busy.add(task.key);
    this.#waiting.add(task.key);
    void this.#queue.add(() => this.#run(task));
    return true;
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

  /** Whether nothing is queued or running now. */
  isIdle(): boolean {
    return this.#queue.size === 0 && this.#queue.pending === 0;
  }

  /** Resolves when nothing is queued or running. */
  whenIdle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async #run(task: PendingTask): Promise<void> {
    this.#waiting.delete(task.key);
    try {
      await task.run();
      this.#busy.delete(task.key);
    } catch (error) {
      if (this.#mayRetry(task, error)) this.#busy.delete(task.key);
    }
  }
}
