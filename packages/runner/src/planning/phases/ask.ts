import { type RunEnding, toPaused } from '../../ending.ts';
import { type PlannedRun, passPoint, record } from '../planned-run.ts';
import type { OpenQuestion } from '../planning-state.ts';
import type { PeopleQuestion } from '../ports.ts';

/** Waits for the answer to a question: whatever people say then is one; without one, the run goes on by assumptions in time. */
export async function ask(planned: PlannedRun): Promise<RunEnding | null> {
  const { question } = planned.log.state;
  if (question === null) return null;
  if (planned.log.hasDelivery) return answer(planned, { id: question.id, how: 'comment' });
  const { ending, isDelivered } = await passPoint(planned, 'before_iteration');
  if (ending !== null || isDelivered) return ending;
  if (isOver(planned, question)) return answer(planned, { id: question.id, how: 'assumed' });
  const { id, questions, assumptions, until } = question;
  const asked = { kind: 'answer', id, questions, assumptions, until } as const;
  await askPeople(planned, asked);
  return waitFor(planned, asked);
}

async function answer(
  planned: PlannedRun,
  { id, how }: { readonly id: string; readonly how: 'comment' | 'assumed' },
): Promise<null> {
  await record(planned, [{ type: 'answered', id, how }]);
  return null;
}

function isOver({ run, people }: PlannedRun, { until }: OpenQuestion): boolean {
  return people === null || (until !== null && run.settings.now() >= Date.parse(until));
}

/** Asks people; false where it could not be asked, so that it is asked again when the run goes on. */
export async function askPeople({ run, people }: PlannedRun, question: PeopleQuestion): Promise<boolean> {
  const { hardSignal: signal } = run.steering;
  try {
    await people?.ask(question, { signal });
    return people !== null;
  } catch (err) {
    run.settings.logger?.warn({ err }, 'failed to post question; retrying when run resumes');
    return false;
  }
}

/** Pauses the run until people may have answered. */
export function waitFor({ run }: PlannedRun, question: PeopleQuestion): RunEnding {
  const { texts } = run.settings;
  const { kind, id } = question;
  const until = question.kind === 'answer' ? question.until : null;
  return toPaused(run, kind === 'answer' ? texts.waitsForAnswer : texts.waitsForApproval, {
    kind,
    id,
    until,
  });
}
