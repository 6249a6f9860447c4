import type { Trial } from './play-trial.ts';
import { trialClasses } from './trial-classes.ts';

/** Moments of a trial among which its deaths are drawn. */
const moments = 300;

/** Draws trials: each class in turn, on both forges, with faults of the wire and deaths of the process in two of three. */
export function drawTrials({
  count,
  seed,
  calm = false,
}: {
  readonly count: number;
  readonly seed: number;
  /** True: nothing is lost, and no process dies. Default false. */
  readonly calm?: boolean | undefined;
}): readonly Trial[] {
  return Array.from({ length: count }, (_, index) => {
    const draw = createDraw(seed * 1_000 + index);
    const turn = Math.floor(index / trialClasses.length);
    const between = (most: number) => Math.floor(draw() * (most + 1));
    const isCalm = calm || index % 3 === 0;
    return {
      kind: trialClasses[index % trialClasses.length] ?? 'fails',
      // Seven classes: each is on the other forge in its next turn.
      forge: index % 2 === 0 ? 'github' : 'gitlab',
      variant: turn,
      draw,
      mostFaults: isCalm ? 0 : between(12),
      deaths: isCalm ? [] : Array.from({ length: between(2) }, () => between(moments)),
    };
  });
}

/** Numbers from 0 up to but not 1, the same for the same seed (Mulberry32). */
export function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
