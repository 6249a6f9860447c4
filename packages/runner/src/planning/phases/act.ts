import type { RunEnding } from '../../ending.ts';
import type { CallResult } from '../../fruitless-calls.ts';
import { readExecution } from '../answers/ends.ts';
import type { WrittenAnswer } from '../answers/read-answer.ts';
import { exchange, type Reading } from '../exchange.ts';
import type { ActionState, ExecutionAnswer, PlannedAction, PlanningFact } from '../model.ts';
import { findNextAction, findStarted } from '../next-phase.ts';
import type { Exchange } from '../plan-log.ts';
import type { PlannedRun } from '../planned-run.ts';
import { formatActionEndRequest, formatActionRequest } from '../prompts/plan.ts';
import { isStillApproved } from './approve.ts';

/** An action under way or about to begin, and how often it was begun. */
interface Attempt {
  readonly action: PlannedAction;
  readonly number: number;
}

/** Standing of an action, and why. */
interface Standing {
  readonly state: ActionState;
  /** In a sentence. */
  readonly detail: string;
  readonly evidence?: readonly string[];
}

/** Carries out the next action: one request, then tools until an answer without calls, which is judged by what the calls did. */
export async function act(planned: PlannedRun): Promise<RunEnding | null> {
  const { log } = planned;
  const started = findStarted(log.state);
  const action = started ?? findNextAction(log.state);
  if (action === null) return null;
  if (started === null && !(await isStillApproved(planned))) return null;
  const attempts = log.state.tasks.get(action.task_id)?.attempts ?? 0;
  const attempt = { action, number: started === null ? attempts + 1 : attempts };
  return exchange(planned, {
    phase: 'execution',
    checkpoint: 'before_action',
    tools: 'all',
    begins: started === null ? [toFact(attempt, { state: 'started', detail: '' })] : [],
    write: () => writeRequest(planned, attempt),
    read: (answer, made) => readAnswer(attempt, { answer, made }),
    toFruitless: (reason) => [toFact(attempt, { state: 'failed', detail: reason })],
  });
}

function toFact({ action, number }: Attempt, { state, detail, evidence = [] }: Standing): PlanningFact {
  return { type: 'action', task_id: action.task_id, state, attempt: number, detail, evidence };
}

function readAnswer(
  attempt: Attempt,
  { answer, made }: { readonly answer: WrittenAnswer; readonly made: Exchange },
): Reading {
  const reading = readExecution(answer);
  if (reading.kind === 'bad') {
    const isFirst = made.answers.length === 1;
    if (isFirst) return { kind: 'again', text: formatActionEndRequest(attempt.action, reading.reasons) };
    const detail = 'The action was not brought to its end: the answer said nothing of its outcome.';
    return { kind: 'facts', facts: [toFact(attempt, { state: 'failed', detail })] };
  }
  return { kind: 'facts', facts: [toFact(attempt, judgeAction(reading.value, made.results))] };
}

function writeRequest({ history, manner }: PlannedRun, { action, number }: Attempt): string {
  return formatActionRequest({
    action,
    attempt: number,
    language: manner.language,
    history: history?.forAction(action) ?? '',
  });
}

const maxDetailChars = 500;

/**
 * Judges an action by what its calls did and not by what the model says of them: at least one was made, none that failed (an exit
 * code too) was left without a later success of the same tool, and its outcome is as expected.
 */
function judgeAction(
  { expected_outcome_met: isMet, evidence, comment }: ExecutionAnswer,
  results: readonly CallResult[],
): Standing {
  const made = results.filter(({ status }) => status !== 'unmade');
  const failure = findOpenFailure(made);
  const said = [evidence, ...listCalls(made)].filter((text) => text !== '');
  const fail = (detail: string) => ({ state: 'failed' as const, detail: cut(detail), evidence: said });
  if (failure !== null) return fail(`"${failure.tool}" failed: ${failure.detail}`);
  if (made.length === 0) return fail('No tool was called for it.');
  if (!isMet) return fail(`The expected outcome was not met. ${comment ?? evidence}`.trim());
  return { state: 'succeeded', detail: cut(comment ?? evidence), evidence: said };
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
