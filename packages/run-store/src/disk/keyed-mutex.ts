/** Work on the same key waits for what was begun before; work on different keys does not. */
interface KeyedMutex {
  readonly run: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
}

/** A mutex per key, which costs nothing while nobody uses the key. */
export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run: (key, work) => {
      const result = (tails.get(key) ?? Promise.resolve()).then(work, work);
      const tail = result.catch(() => undefined);
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return result;
    },
  };
}
