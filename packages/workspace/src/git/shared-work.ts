/** What is to be done, and when it may begin. */
export interface SharedWorkOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /** Calls its argument when it is this key's turn, later than at once. */
  readonly takeTurn: (begin: () => Promise<T>) => Promise<T>;
  /** Its signal is aborted when nobody waits for it any more. */
  readonly work: (signal: AbortSignal) => Promise<T>;
}

/** Does work once for all who ask for it under the same key before it begins; who asks later gets work of their own. */
export type SharedWork<T> = (key: string, options: SharedWorkOptions<T>) => Promise<T>;

interface Batch<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * So that the result is never older than the question: nobody joins work that has begun. Whoever stops waiting goes
 * at once, but for the last one of work that has begun: it is ended first.
 */
export function createSharedWork<T>(): SharedWork<T> {
  const toCome = new Map<string, Batch<T>>();

  function announce(key: string, { takeTurn, work }: SharedWorkOptions<T>): Batch<T> {
    const controller = new AbortController();
    const result = takeTurn(() => {
      if (toCome.get(key) === batch) toCome.delete(key);
      return work(controller.signal);
    });
    const batch: Batch<T> = { result, controller, waiting: 0 };
    toCome.set(key, batch);
    return batch;
  }

  return (key, options) => {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const batch = toCome.get(key) ?? announce(key, options);
    batch.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const hasBegun = toCome.get(key) !== batch;
        batch.waiting -= 1;
        if (batch.waiting === 0) {
          if (!hasBegun) toCome.delete(key);
          batch.controller.abort(signal?.reason);
        }
        if (batch.waiting > 0 || !hasBegun) reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      batch.result.finally(() => signal?.removeEventListener('abort', leave)).then(resolve, reject);
    });
  };
}
