/** A limit on how many things happen at once; who comes first is served first. */
export interface Semaphore {
  /**
   * Waits for a free slot. Gives what frees it again.
   *
   * @throws the signal's reason when it aborts first
   */
  readonly acquire: (signal: AbortSignal) => Promise<() => void>;
}

export function createSemaphore(limit: number): Semaphore {
  let free = limit;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const once = (): (() => void) => {
    let isFree = false;
    return () => {
      if (!isFree) release();
      isFree = true;
    };
  };
  return {
    acquire: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return once();
      }
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(signal.reason);
        };
        const enter = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        waiting.push(enter);
        signal.addEventListener('abort', giveUp, { once: true });
      });
      return once();
    },
  };
}
