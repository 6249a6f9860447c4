import type { CallResult } from '../fruitless-calls.ts';
import type { ExecutionAnswer } from './model.ts';

/** Verdict on an action. */
export interface ActionVerdict {
  readonly succeeded: boolean;
  /** Why, in a sentence. */
  readonly detail: string;
  readonly evidence: readonly string[];
}

const maxDetailChars = 500;

/**
 * Judges an action by what its calls did and not by what the model says of them: at least one was made, none that failed (an exit
 * code too) was left without a later success of the same tool, and its outcome is as expected.
 */
export function judgeAction(
  { expected_outcome_met: isMet, evidence, comment }: ExecutionAnswer,
  results: readonly CallResult[],
): ActionVerdict {
  const made = results.filter(({ status }) => status !== 'unmade');
  const failure = findOpenFailure(made);
  const said = [evidence, ...listCalls(made)].filter((text) => text !== '');
  const fail = (detail: string) => ({ succeeded: false, detail: cut(detail), evidence: said });
  if (failure !== null) return fail(`"${failure.tool}" failed: ${failure.detail}`);
  if (made.length === 0) return fail('No tool was called for it.');
  if (!isMet) return fail(`The expected outcome was not met. ${comment ?? evidence}`.trim());
  return { succeeded: true, detail: cut(comment ?? evidence), evidence: said };
}

/** The first tool whose last call failed. */
function findOpenFailure(results: readonly CallResult[]): CallResult | null {
  const last = new Map(results.map((result) => [result.tool, result]));
  return [...last.values()].find(({ status }) => status === 'failure') ?? null;
}

const maxCalls = 20;

function listCalls(results: readonly CallResult[]): readonly string[] {
  return results.slice(-maxCalls).map(({ tool, status, detail }) => {
    return status === 'success' ? `${tool}: done` : `${tool}: ${cut(detail)}`;
  });
}

function cut(text: string): string {
  return text.length <= maxDetailChars ? text : `${text.slice(0, maxDetailChars - 1).toWellFormed()}…`;
}
