import PQueue from 'p-queue';

export interface TaskQueueOptions {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
}

/**
 * Runs several tasks at once, but never two with the same key: a key that is queued or running is refused until
 * it has ended. Ends are awaited with `whenIdle`.
 */
export class TaskQueue {
  readonly #queue: PQueue;
  readonly #keys = new Set<string>();

  constructor(options: TaskQueueOptions) {
    this.#queue = new PQueue({ concurrency: options.concurrency });
  }

  /** False when a task with this key is queued or running already. `run` must not reject. */
  add(key: string, run: () => Promise<void>): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    void this.#queue.add(run).finally(() => this.#keys.delete(key));
    return true;
  }

  /** Forgets what has not begun. */
  clear(): void {
    this.#queue.clear();
  }

  /** Resolves when nothing is queued or running. */
  whenIdle(): Promise<void> {
    return this.#queue.onIdle();
  }
}
