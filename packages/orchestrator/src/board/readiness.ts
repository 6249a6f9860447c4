import { type Condition, isOutbox } from './board-event.ts';
import type { BoardState } from './board-state.ts';

/** Says as JSON whether all that the work rests on can be relied on now, part by part. `degraded`: it can, and the end of a run is not whole on its thread. */
export function toReadinessJson({ ending, conditions }: Pick<BoardState, 'ending' | 'conditions'>) {
  const parts = [...conditions.values()].map((one) => ({ ...one, since: new Date(one.since).toISOString() }));
  const isReady = parts.filter(concernsAll).every(({ state }) => state === 'ok');
  const working = parts.some(isBeside) ? 'degraded' : 'ready';
  const status = ending ? 'ending' : isReady ? working : 'not-ready';
  return { status, isUp: status === working, conditions: parts };
}

/** Tells whether a part is not well beside which all work goes on: an end that is not whole, a configuration that could not be taken. */
function isBeside({ part, state }: Pick<Condition, 'part' | 'state'>): boolean {
  return isOutbox({ part }) || (part === 'settings' && state !== 'ok');
}

/** Tells whether the daemon as a whole rests on this part: one repository that is gone leaves the others to work on. */
function concernsAll({ part }: Pick<Condition, 'part'>): boolean {
  return !part.startsWith('place:') && part !== 'settings' && !isOutbox({ part });
}
