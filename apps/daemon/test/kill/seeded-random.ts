export interface SeededRandom {
  /** From 0 up to but not 1. */
  readonly next: () => number;
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number;
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
}

/** The same numbers for the same seed, everywhere. @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { next, between, pick: (values) => values[between(0, values.length - 1)] ?? values[0] };
}
