import type { Logger } from '@agent/text';
import type { Rung } from './answer-source.ts';

/**
 * What an endpoint makes of a rung: `works`: the answer was the JSON; `ignores`: the answer was none, although the model
 * gave it on another rung; `refuses`: it does not know the request. A rung that is not named was not tried, or nothing
 * follows from what became of it.
 */
export type LadderKnowledge = Readonly<Partial<Record<Rung, Lesson>>>;

export type Lesson = 'works' | 'ignores' | 'refuses';

/** What was learned, and where to begin because of it. */
export interface LadderMemory {
  readonly knowledge: () => LadderKnowledge;
  /** The latest lesson about a rung holds; one that works is given up only when two lessons in a row say so. */
  readonly learn: (rung: Rung, lesson: Lesson) => void;
  /** The rungs of the next question, best first. */
  readonly chooseRungs: (rungs: readonly Rung[]) => readonly Rung[];
}

/** So often a question begins at the top whatever was learned: servers change, and one odd answer proves little. */
const questionsPerTrial = 20;

export function createLadderMemory(known: LadderKnowledge, logger: Logger | null): LadderMemory {
  let knowledge = known;
  let questions = 0;
  const doubted = new Set<Rung>();
  return {
    knowledge: () => knowledge,
    learn: (rung, lesson) => {
      if (rung === 'text') return;
      const isDoubt = lesson !== 'works' && knowledge[rung] === 'works' && !doubted.has(rung);
      if (isDoubt) doubted.add(rung);
      else doubted.delete(rung);
      if (isDoubt || knowledge[rung] === lesson) return;
      knowledge = { ...knowledge, [rung]: lesson };
      logger?.debug({ rung, lesson }, 'learned what the endpoint makes of a form');
    },
    chooseRungs: (rungs) => {
      questions += 1;
      return questions % questionsPerTrial === 0 ? rungs : listUsableRungs(rungs, knowledge);
    },
  };
}

/** The rungs worth a question, one that works first; plain text always is. */
function listUsableRungs(rungs: readonly Rung[], known: LadderKnowledge): readonly Rung[] {
  const working = rungs.find((rung) => known[rung] === 'works');
  const usable = rungs.filter(
    (rung) => rung === 'text' || known[rung] === undefined || known[rung] === 'works',
  );
  return working === undefined ? usable : [working, ...usable.filter((rung) => rung !== working)];
}
