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
  const waiting = new Set<() => void>();
  const hold = (): (() => void) => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    };
  };
  return {
    acquire: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else {
        await new Promise<void>((resolve, reject) => {
          const giveUp = (): void => leave(() => reject(signal.reason));
          const enter = (): void => leave(resolve);
          const leave = (settle: () => void): void => {
            waiting.delete(enter);
            signal.removeEventListener('abort', giveUp);
            settle();
          };
          waiting.add(enter);
          signal.addEventListener('abort', giveUp);
        });
      }
      return hold();
    },
  };
}
