import type { Logger } from '../ports.ts';
import type { Rung } from './answer-source.ts';

/**
 * What an endpoint made of a rung: `works`: the answer was the JSON; `ignores`: it answered something else, which may
 * still have been readable; `refuses`: it does not know the request. A rung that is not named was not tried.
 */
export type LadderKnowledge = Readonly<Partial<Record<Rung, 'works' | 'ignores' | 'refuses'>>>;

/** The rungs worth a question, best first; plain text always is. */
export function listUsableRungs(rungs: readonly Rung[], known: LadderKnowledge): readonly Rung[] {
  const working = rungs.find((rung) => known[rung] === 'works');
  const usable = rungs.filter(
    (rung) => rung === 'text' || known[rung] === undefined || known[rung] === 'works',
  );
  return working === undefined ? usable : [working, ...usable.filter((rung) => rung !== working)];
}

/** Keeps what was learned; the first lesson about a rung holds. */
export interface LadderMemory {
  readonly knowledge: () => LadderKnowledge;
  readonly learn: (rung: Rung, state: 'works' | 'ignores' | 'refuses') => void;
}

export function createLadderMemory(known: LadderKnowledge, logger: Logger | null): LadderMemory {
  let knowledge = known;
  return {
    knowledge: () => knowledge,
    learn: (rung, state) => {
      if (rung === 'text' || knowledge[rung] !== undefined) return;
      knowledge = { ...knowledge, [rung]: state };
      logger?.debug({ rung, state }, 'learned what the endpoint makes of a form');
    },
  };
}
