import type { RunEnding } from '../../ending.ts';
import { readExecution } from '../answers/ends.ts';
import { exchange, type Reading } from '../exchange.ts';
import { judgeAction } from '../judge-action.ts';
import type { ActionState, PlannedAction, PlanningFact } from '../model.ts';
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
    if (isFirst) return { kind: 'again', text: formatActionEndRequest(attempt.action, reading.reasons) };
    const detail = 'The action was not brought to its end: the answer said nothing of its outcome.';
    return { kind: 'facts', facts: [toFact(attempt, 'failed', { detail })] };
  }
  const verdict = judgeAction(reading.value, made.results);
  return { kind: 'facts', facts: [toFact(attempt, verdict.succeeded ? 'succeeded' : 'failed', verdict)] };
}

function writeRequest({ history, manner }: PlannedRun, { action, number }: Attempt): string {
  return formatActionRequest({
    action,
    attempt: number,
    language: manner.language,
    history: history?.forAction(action) ?? '',
  });
}
