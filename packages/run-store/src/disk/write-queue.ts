/** Carries writes out one after the other; after one that failed, nothing is written any more but the end. */
export interface WriteQueue {
  /** Rejects with the first failure, from then on always. */
  readonly add: <Result>(write: () => Promise<Result>) => Promise<Result>;
  /** Waits for what was added before, and writes whether that succeeded or not. */
  readonly addEnd: (write: () => Promise<void>) => Promise<void>;
}

export function createWriteQueue(): WriteQueue {
  // A rejected tail rejects everything that is chained to it: that is what keeps a hole out of the file.
  let tail: Promise<unknown> = Promise.resolve();
  return {
    add: (write) => {
      const result = tail.then(write);
      tail = result;
      tail.catch(() => undefined);
      return result;
    },
    addEnd: (write) => tail.then(write, write),
  };
}
