import type { VerificationAnswer } from './model.ts';

/** Result of a verification, and what follows from it. */
export interface VerificationVerdict {
  /** The answer, with the places that code found; passed only where code agrees. */
  readonly result: VerificationAnswer;
  /**
   * `extend`: additional actions are carried out, and verified again. `again`: the model is asked about the places that it did not
   * speak of. `partial`: what is missing stays missing.
   */
  readonly next: 'passed' | 'extend' | 'again' | 'partial';
}

interface VerificationRound {
  /** Placeholders that code found in what the run added, such as `src/a.ts:3`. */
  readonly found: readonly string[];
  /** From 1. */
  readonly round: number;
  readonly maxRounds: number;
}

/**
 * Judges an answer to a verification: it is passed only if the model says so and every placeholder that code found is explained.
 *
 * @example
 * judgeVerification(answer, { found: ['src/a.ts:3'], round: 1, maxRounds: 2 }).next; // 'extend'
 */
export function judgeVerification(answer: VerificationAnswer, round: VerificationRound): VerificationVerdict {
  const { locations, explained } = answer.placeholder_detected;
  const unexplained = round.found.filter(
    (place) => !explained.some(({ location }) => names(location, place)),
  );
  const all = [...new Set([...locations, ...round.found])];
  const passed = answer.verification_passed && unexplained.length === 0;
  const told = unexplained.map((place) => `${place}: a placeholder that is not explained`);
  const result = {
    ...answer,
    verification_passed: passed,
    issues_found: answer.verification_passed ? [...answer.issues_found, ...told] : answer.issues_found,
    placeholder_detected: {
      count: Math.max(answer.placeholder_detected.count, all.length),
      locations: all,
      explained,
    },
  };
  return { result, next: passed ? 'passed' : toNext(answer, round) };
}

function toNext(
  { verification_passed, additional_actions }: VerificationAnswer,
  { round, maxRounds }: VerificationRound,
): VerificationVerdict['next'] {
  if (round >= maxRounds) return 'partial';
  if (additional_actions.length > 0) return 'extend';
  return verification_passed ? 'again' : 'partial';
}

/** Tells whether an explanation speaks of a place, with words around it or without. */
function names(location: string, place: string): boolean {
  const at = location.indexOf(place);
  return at !== -1 && !/\d/u.test(location.charAt(at + place.length));
}
