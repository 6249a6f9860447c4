import { describe, it } from 'vitest';
import type { ForgeName } from './forge.ts';
import { isOnPostgres } from './world-runs.ts';

const isFull = process.env.TEST_FULL === '1';

/** Where stories are told once more in a database, samples do: what they vary has nothing to do with where runs are kept. */
const isWhole = isFull && !isOnPostgres;

/** All of them in `npm run test:full`; in `npm test` those that are chosen, as the others show the same once more. */
export function sampleOf<T>(all: readonly T[], isChosen: (one: T) => boolean): readonly T[] {
  return isWhole ? all : all.filter(isChosen);
}

/** Both forges in `npm run test:full`, one in `npm test`. */
export const forgesToTry = (chosen: ForgeName): readonly ForgeName[] =>
  sampleOf(['github', 'gitlab'], (one) => one === chosen);

/** A test of `npm run test:full` alone, wherever runs are kept: `npm test` has one that goes most of its way. */
export const itInFull: typeof it = isFull ? it : leaveOut();

/** The same with all that it describes. */
export const describeInFull: typeof describe = isFull ? describe : leaveOut();

/** The same for what has nothing to do with where runs are kept: it is told in files alone. */
export const itInFullInFiles: typeof it = isWhole ? it : leaveOut();

/** Takes what is described and registers none of it. */
function leaveOut<T extends typeof it | typeof describe>(): T {
  return Object.assign(() => {}, { each: () => () => {} }) as unknown as T;
}
