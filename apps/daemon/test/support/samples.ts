import { it } from 'vitest';
import type { ForgeName } from './forge.ts';
import { isOnPostgres } from './world-runs.ts';

/** Where stories are told once more in a database, samples do: what they vary has nothing to do with where runs are kept. */
const isWhole = process.env.TEST_FULL === '1' && !isOnPostgres;

/** All of them in `npm run test:full`; in `npm test` those that are chosen, as the others show the same once more. */
export function sampleOf<T>(all: readonly T[], isChosen: (one: T) => boolean): readonly T[] {
  return isWhole ? all : all.filter(isChosen);
}

/** All of them in `npm run test:release`; before it those that are chosen, as each takes minutes. */
export function longSampleOf<T>(all: readonly T[], isChosen: (one: T) => boolean): readonly T[] {
  return process.env.TEST_RELEASE === '1' ? all : all.filter(isChosen);
}

/** Both forges in `npm run test:full`, one in `npm test`. */
export const forgesToTry = (chosen: ForgeName): readonly ForgeName[] =>
  sampleOf(['github', 'gitlab'], (one) => one === chosen);

/** A test of `npm run test:full` alone, as one tagged `full`, and in files alone: it has nothing to do with where runs are kept. */
export const itInFullInFiles: typeof it = isWhole ? it : leaveOut();

/** Takes tests and registers none. */
function leaveOut(): typeof it {
  return Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it;
}
