/** Runs work one after another per key, in the order it was asked for. */
export type KeyedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A lock within this process. Work that fails does not hold up what waits behind it. */
export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const tail = turn.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
