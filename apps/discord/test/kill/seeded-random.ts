/** Draws that are the same for the same seed. */
export interface SeededRandom {
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number;
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
  /** True in so many of 100 draws. */
  readonly isLucky: (percent: number) => boolean;
}

/** Makes the draws of a seed. @see https://en.wikipedia.org/wiki/Xorshift */
export function createSeededRandom(seed: number): SeededRandom {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let warm = 0; warm < 8; warm += 1) next();
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    between,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    isLucky: (percent) => between(1, 100) <= percent,
  };
}
