import type { RunEnding } from '../../ending.ts';
import { readCompletion } from '../answers/completion.ts';
import { exchange, type Reading } from '../exchange.ts';
import { judgeEnd, toCompletion } from '../judge-end.ts';
import type { PlannedRun } from '../planned-run.ts';
import { inOrder } from '../planning-state.ts';

/** Has the model say in prose what became of the task: the last words of the run, beside the facts by code. */
export function report(planned: PlannedRun): Promise<RunEnding | null> {
  return exchange(planned, {
    phase: 'report',
    checkpoint: 'before_iteration',
    tools: 'reading',
    write: () => writeRequest(planned),
    read: (answer) => readAnswer(planned, answer),
  });
}

function readAnswer({ log, settings }: PlannedRun, answer: string): Reading {
  const reading = readCompletion(answer);
  const said = reading.kind === 'ok' ? reading.value.summary : { key_outcomes: [], lessons_learned: [] };
  const completion = toCompletion(judgeEnd(log.state, settings), said);
  return { kind: 'facts', facts: [{ type: 'completion', completion }] };
}

function writeRequest({ log, settings, manner }: PlannedRun): string {
  const { plan, tasks, verifications } = log.state;
  const { failed, isPartial } = judgeEnd(log.state, settings);
  const verification = verifications.at(-1);
  const lines = (plan === null ? [] : inOrder(plan)).map(({ task_id, purpose }) => {
    const { state = 'waiting', detail = '' } = tasks.get(task_id) ?? {};
    return `- ${task_id}: ${state === 'waiting' ? 'not begun' : state}. ${purpose}${detail === '' ? '' : ` (${detail})`}`;
  });
  return [
    'The work ends here. What became of the plan:',
    lines.join('\n'),
    ...(verification === undefined
      ? []
      : [
          `Verification: ${verification.verification_passed ? 'passed' : 'not passed'}. ${verification.issues_found.join(' ')}`,
        ]),
    ...(failed === null ? [] : ['The plan ends with the action that failed.']),
    ...(isPartial ? ['The result is partial: say what is missing.'] : []),
    'Write the final answer for the people who asked: in prose, what was done, how it was checked, and what is left. Behind it, in a fence marked json, {"phase":"completion","done":true,"summary":{"goal_achieved":true,"tasks_completed":1,"tasks_failed":0,"key_outcomes":["…"],"lessons_learned":["…"]}}.',
    ...(manner.language === null ? [] : [`Write it in ${manner.language}.`]),
  ].join('\n\n');
}

const fence = '```';

/** The prose of a report, without the block of JSON behind it. */
export function withoutCompletion(text: string): string {
  const end = text.lastIndexOf(fence);
  const start = end <= 0 ? -1 : text.lastIndexOf(fence, end - 1);
  if (start === -1 || !text.slice(start, end).includes('"completion"')) return text;
  return `${text.slice(0, start)}${text.slice(end + fence.length)}`.trim();
}
