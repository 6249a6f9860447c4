import { type RunEnding, toFailed } from '../../ending.ts';
import { finish } from '../../iterate.ts';
import { readCompletion } from '../answers/ends.ts';
import { isPhaseAnswer } from '../answers/is-phase-answer.ts';
import type { WrittenAnswer } from '../answers/read-answer.ts';
import { exchange, type Reading } from '../exchange.ts';
import { judgeEnd, toCompletion } from '../judge-end.ts';
import type { Exchange } from '../plan-log.ts';
import type { PlannedRun } from '../planned-run.ts';
import { inOrder } from '../planning-state.ts';
import { formatCompletionRequest, formatReportRequest } from '../prompts/end.ts';
import { quoteText, type ToldAction } from '../prompts/parts.ts';

/** Ends a plan: the facts of its completion, then the last words of the run, in prose, after which people may still say something. */
export function report(planned: PlannedRun): Promise<RunEnding | null> {
  const isCompleted = planned.log.state.completion !== null;
  const { manner } = planned;
  const told = { actions: listActions(planned), notes: listNotes(planned), language: manner.language };
  return exchange(planned, {
    phase: 'report',
    checkpoint: 'before_iteration',
    tools: 'reading',
    write: () => (isCompleted ? formatReportRequest(told) : formatCompletionRequest(told)),
    read: (answer, { answers }) =>
      isCompleted ? readReport(planned, { answer, answers }) : readAnswer(planned, answer),
  });
}

/** Reads the report. One that is no prose the second time as well ends the run all the same: people are told what it reached. */
function readReport(
  planned: PlannedRun,
  { answer, answers }: { readonly answer: WrittenAnswer } & Pick<Exchange, 'answers'>,
): Reading | Promise<Reading> {
  const isProse = typeof answer === 'string' && !isPhaseAnswer(answer);
  return isProse || answers.length > 1 ? end(planned) : { kind: 'again', text: proseRequest };
}

const proseRequest =
  'That was JSON again, which no one on the thread can read. Write the final answer in prose: what was done, how it was checked, and what is open.';

/** The counts are those of the facts, whatever the model says. */
function readAnswer({ log, settings }: PlannedRun, answer: WrittenAnswer): Reading {
  const reading = readCompletion(answer);
  const said = reading.kind === 'ok' ? reading.value.summary : { key_outcomes: [], lessons_learned: [] };
  const completion = toCompletion(judgeEnd(log.state, settings), said);
  return { kind: 'facts', facts: [{ type: 'completion', completion }] };
}

/** Ends at once what failed; else people may still say something. */
async function end({ run, log, settings }: PlannedRun): Promise<Reading> {
  const { failed } = judgeEnd(log.state, settings);
  if (failed === null) return { kind: 'ending', ending: await finish(run) };
  const reason = run.settings.texts.actionFailed(failed);
  return { kind: 'ending', ending: toFailed(run, { errorClass: 'plan_failed', reason }) };
}

function listActions({ log }: PlannedRun): readonly ToldAction[] {
  const { plan, tasks } = log.state;
  return (plan === null ? [] : inOrder(plan)).map(({ task_id, purpose }) => {
    return { task_id, purpose, state: tasks.get(task_id)?.state ?? 'waiting' };
  });
}

function listNotes({ log, settings }: PlannedRun): readonly string[] {
  const { tasks, verifications } = log.state;
  const { failed, isPartial } = judgeEnd(log.state, settings);
  const failures = [...tasks].filter(([, { state }]) => state === 'failed');
  const verification = verifications.at(-1);
  return [
    ...failures.map(([id]) => `${id} failed; what its calls led to stands above.`),
    ...(failed === null ? [] : [`The plan ends with ${failed.task}.`]),
    ...(verification === undefined
      ? []
      : [`Verification ${verification.verification_passed ? 'passed' : 'did not pass'}.`]),
    ...(verification?.issues_found ?? []).map((issue) => `It found: ${quoteText(issue)}`),
    ...(isPartial ? ['The result is partial: say what is missing.'] : []),
  ];
}
