/** So many may be in at once; the others wait for their turn. */
export interface Places {
  readonly take: () => Promise<void>;
  readonly leave: () => void;
}

export function createPlaces(count: number): Places {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    take: () => {
      free -= 1;
      return free >= 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
    leave: () => {
      free += 1;
      waiting.shift()?.();
    },
  };
}
