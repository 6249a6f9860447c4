/** Jobs by thread: those of one thread one after the other, in their order; those of different threads side by side. */
export interface ThreadQueue {
  /** `full`: so many wait there that this one is not taken; `closed`: none is. A job never rejects. */
  readonly push: (threadId: string, job: () => Promise<void>) => 'taken' | 'full' | 'closed';
  /** Number of jobs that wait in a thread, without the one under way. */
  readonly countWaiting: (threadId: string) => number;
  /** Forgets the jobs that wait and takes no more. Resolves when those under way are over. */
  readonly close: () => Promise<void>;
}

/** Makes a queue in each thread of which `maxWaiting` jobs may wait. @see decision D8 */
export function createThreadQueue({ maxWaiting }: { readonly maxWaiting: number }): ThreadQueue {
  const threads = new Map<
    string,
    { readonly waiting: (() => Promise<void>)[]; readonly over: Promise<void> }
  >();
  let isClosed = false;

  const work = async (threadId: string, jobs: (() => Promise<void>)[]): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
    threads.delete(threadId);
  };

  return {
    push: (threadId, job) => {
      if (isClosed) return 'closed';
      const thread = threads.get(threadId);
      if (thread === undefined) {
        const waiting = [job];
        threads.set(threadId, { waiting, over: work(threadId, waiting) });
      } else if (thread.waiting.length < maxWaiting) thread.waiting.push(job);
      else return 'full';
      return 'taken';
    },
    countWaiting: (threadId) => threads.get(threadId)?.waiting.length ?? 0,
    close: async () => {
      isClosed = true;
      for (const { waiting } of threads.values()) waiting.length = 0;
      await Promise.all([...threads.values()].map(({ over }) => over));
    },
  };
}

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
