import { createSeededRandom } from '@agent/simulators/trials';
import type { Trial } from './play-trial.ts';
import { type TrialClass, trialClasses } from './trial-classes.ts';

/** Moments of a trial among which its crashes are drawn. */
const moments = 300;

/** Draws a trial: the classes take turns, on both platforms, with faults of the wire and crashes in two of three. */
export function drawTrial(
  seed: number,
  {
    calm = seed % 3 === 0,
    only = trialClasses,
  }: {
    /** True: nothing is lost, and no process crashes. Default: every third trial. */
    readonly calm?: boolean | undefined;
    /** Classes that take turns. Default all. */
    readonly only?: readonly TrialClass[] | undefined;
  } = {},
): Trial {
  const { next, between } = createSeededRandom(seed);
  return {
    kind: only[seed % only.length] ?? 'fails',
    // Seven classes: each is on the other platform in its next turn.
    forge: seed % 2 === 0 ? 'github' : 'gitlab',
    variant: Math.floor(seed / only.length),
    draw: next,
    mostFaults: calm ? 0 : between(0, 12),
    deaths: calm ? [] : Array.from({ length: between(0, 2) }, () => between(0, moments)),
  };
}
