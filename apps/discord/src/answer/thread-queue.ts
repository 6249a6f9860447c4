/** Jobs by thread: those of one thread one after the other, in their order; those of different threads side by side. */
export interface ThreadQueue {
  /** `full`: so many wait there that this one is not taken; `closed`: none is. A job never rejects. */
  readonly push: (threadId: string, job: () => Promise<void>) => 'taken' | 'full' | 'closed';
  /** Number of jobs that wait in a thread, without the one under way. */
  readonly countWaiting: (threadId: string) => number;
  /** Forgets the jobs that wait and takes no more. Resolves when those under way are over. */
  readonly close: () => Promise<void>;
}

export interface ThreadQueueOptions {
  /** Number of jobs that may wait in one thread. */
  readonly maxWaiting: number;
}

/** @see decision D8 */
export function createThreadQueue({ maxWaiting }: ThreadQueueOptions): ThreadQueue {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const running = new Set<Promise<void>>();
  let isClosed = false;

  const work = async (threadId: string, jobs: (() => Promise<void>)[]): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
    waiting.delete(threadId);
  };

  return {
    push: (threadId, job) => {
      if (isClosed) return 'closed';
      const jobs = waiting.get(threadId);
      if (jobs !== undefined) {
        if (jobs.length >= maxWaiting) return 'full';
        jobs.push(job);
        return 'taken';
      }
      const own = [job];
      waiting.set(threadId, own);
      const worker = work(threadId, own);
      running.add(worker);
      void worker.finally(() => running.delete(worker));
      return 'taken';
    },
    countWaiting: (threadId) => waiting.get(threadId)?.length ?? 0,
    close: async () => {
      isClosed = true;
      for (const jobs of waiting.values()) jobs.length = 0;
      await Promise.all(running);
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
