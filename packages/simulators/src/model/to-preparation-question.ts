import type { ConversationView } from './script.ts';

/** A question of the daemon before a run's first step: what is wanted, what has to be known, what may be assumed. */
export type PreparationQuestion = 'understanding' | 'needs' | 'assumption';

const marks = [
  ['understanding', 'Understand what a request asks for'],
  ['needs', 'Decide what has to be known'],
  ['assumption', 'Say what is reasonable to assume'],
] as const;

/** Finds which of these questions a request asks; null for a step of the run itself, and for all else. */
export function toPreparationQuestion({ instructions }: ConversationView): PreparationQuestion | null {
  if (!instructions.startsWith('You prepare the work of a coding agent.')) return null;
  return marks.find(([, mark]) => instructions.includes(mark))?.[0] ?? null;
}
