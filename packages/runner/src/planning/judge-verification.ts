import type { VerificationAnswer } from './model.ts';

/** Result of a verification that model and code had a say in. */
export interface VerificationVerdict {
  /** The answer, with the places that code found; passed only where code agrees. */
  readonly result: VerificationAnswer;
  /** Places that the answer does not explain. */
  readonly unexplained: readonly string[];
}

/**
 * Judges an answer to a verification: it is passed only if the model says so, and every placeholder that code found in what the
 * run added is explained. `found` holds places such as `src/a.ts:3`; null where code could not look for them.
 *
 * @example
 * judgeVerification(answer, ['src/a.ts:3']).result.verification_passed; // false
 */
export function judgeVerification(
  answer: VerificationAnswer,
  found: readonly string[] | null,
): VerificationVerdict {
  const { locations, explained, count } = answer.placeholder_detected;
  const places = found ?? [];
  const unexplained = places.filter((place) => !explained.some(({ location }) => names(location, place)));
  const all = [...new Set([...locations, ...places])];
  const issues = [
    ...unexplained.map((place) => `${place}: a placeholder that is not explained`),
    ...(found === null
      ? ['What the run changed could not be read, so placeholders were not looked for.']
      : []),
  ];
  const result = {
    ...answer,
    verification_passed: answer.verification_passed && !answer.additional_work_needed && issues.length === 0,
    issues_found: [...answer.issues_found, ...issues],
    placeholder_detected: { count: Math.max(count, all.length), locations: all, explained },
  };
  return { result, unexplained };
}

/** Tells whether an explanation speaks of a place, with words around it or without. */
function names(location: string, place: string): boolean {
  const at = location.indexOf(place);
  const isWhole =
    !/[\w./-]/u.test(location.charAt(at - 1)) && !/\d/u.test(location.charAt(at + place.length));
  return at !== -1 && isWhole;
}
