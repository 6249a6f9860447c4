import type { RunEnding } from '../../ending.ts';
import { readExecution } from '../answers/execution.ts';
import { exchange, type Reading } from '../exchange.ts';
import { judgeAction } from '../judge-action.ts';
import type { ActionState, PlannedAction, PlanningFact } from '../model.ts';
import { findNextAction, findStarted } from '../next-phase.ts';
import type { Exchange } from '../plan-log.ts';
import type { PlannedRun } from '../planned-run.ts';
import { isStillApproved } from './approve.ts';

/** An action under way or about to begin, and how often it was begun. */
interface Attempt {
  readonly action: PlannedAction;
  readonly number: number;
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
    begins: started === null ? [toFact(attempt, 'started', { detail: '' })] : [],
    write: () => writeRequest(planned, attempt),
    read: (answer, made) => readAnswer(attempt, { answer, made }),
    toFruitless: (reason) => [toFact(attempt, 'failed', { detail: reason })],
  });
}

function toFact(
  { action, number }: Attempt,
  state: ActionState,
  { detail, evidence = [] }: { readonly detail: string; readonly evidence?: readonly string[] },
): PlanningFact {
  return { type: 'action', task_id: action.task_id, state, attempt: number, detail, evidence };
}

function readAnswer(
  attempt: Attempt,
  { answer, made }: { readonly answer: string; readonly made: Exchange },
): Reading {
  const reading = readExecution(answer);
  if (reading.kind === 'bad') {
    const isFirst = made.answers.length === 1;
    if (isFirst)
      return { kind: 'again', text: `${reading.reasons.join('\n')}\n\n${writeForm(attempt.action)}` };
    const detail = 'The action was not brought to its end: the answer said nothing of its outcome.';
    return { kind: 'facts', facts: [toFact(attempt, 'failed', { detail })] };
  }
  const verdict = judgeAction(reading.value, made.results);
  return { kind: 'facts', facts: [toFact(attempt, verdict.succeeded ? 'succeeded' : 'failed', verdict)] };
}

function writeRequest({ history, manner, log }: PlannedRun, { action, number }: Attempt): string {
  const { task_id, tool, parameters, purpose, expected_outcome, fallback_strategy } = action;
  const before = log.state.tasks.get(task_id)?.detail ?? '';
  const past = history?.forAction(action) ?? '';
  const other = fallback_strategy ?? 'none is planned: find another way';
  return [
    `Carry out the action ${task_id}, and nothing of those after it.`,
    [
      `Purpose: ${purpose}`,
      `Tool: ${tool}, with ${JSON.stringify(parameters)}`,
      `Expected outcome: ${expected_outcome}`,
      `Fallback: ${other}`,
    ].join('\n'),
    ...(number > 1 ? [`It failed before: ${before} Take the fallback now.`] : []),
    ...(past === '' ? [] : [past]),
    writeForm(action),
    ...(manner.language === null ? [] : [`Write the values in ${manner.language}.`]),
  ].join('\n\n');
}

function writeForm({ task_id }: PlannedAction): string {
  return `Call tools until it is done, then answer with this JSON object alone: {"phase":"execution","current_task":"${task_id}","expected_outcome_met":true,"evidence":"…","comment":"…"}. It counts as done only if its calls succeeded; say false where the outcome is another.`;
}
