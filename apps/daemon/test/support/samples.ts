import { it } from 'vitest';
import type { ForgeName } from './forge.ts';
import { isOnPostgres } from './world-runs.ts';

/** In a database, samples are enough: their variants do not depend on where runs are stored. */
const isWhole = process.env.TEST_RELEASE === '1' && !isOnPostgres;

/** Returns all variants in `npm run test:release`; before it the chosen ones, because the others show the same again. */
export function sampleOf<T>(all: readonly T[], isChosen: (one: T) => boolean): readonly T[] {
  return isWhole ? all : all.filter(isChosen);
}

/** Returns both platforms in `npm run test:release`, one before it. */
export const forgesToTry = (chosen: ForgeName): readonly ForgeName[] =>
  sampleOf(['github', 'gitlab'], (one) => one === chosen);

/** A test of `npm run test:full` alone, as one tagged `full`, and in files alone: it has nothing to do with where runs are kept. */
export const itInFullInFiles: typeof it = process.env.TEST_FULL === '1' && !isOnPostgres ? it : leaveOut();

/** Takes tests and registers none. */
function leaveOut(): typeof it {
  return Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it;
}
