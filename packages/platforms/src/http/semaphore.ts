/** Does pieces of work, so many of them at once; the others wait in turn. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Nothing is under way at first. */
export function createSemaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return await work();
    } finally {
      // The place passes to the one that waits longest.
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
