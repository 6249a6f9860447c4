import { createHash } from 'node:crypto';

/** Random numbers that are the same for the same seed, on every machine. */
export interface SeededRandom {
  /** From 0 up to but not 1. */
  readonly next: () => number;
  /** A whole number from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number;
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
  /** True in this share of the draws, in percent. */
  readonly isLucky: (percent: number) => boolean;
}

/** Creates the random numbers of a seed. */
export function createSeededRandom(seed: number): SeededRandom {
  let drawn = 0;
  const next = (): number => {
    drawn += 1;
    return createHash('sha256').update(`${seed}/${drawn}`).digest().readUInt32BE() / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    isLucky: (percent) => next() * 100 < percent,
  };
}
