/** Does pieces of work, so many of them at once; the others wait in turn. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Nothing is under way at first. */
export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes over the place.
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
