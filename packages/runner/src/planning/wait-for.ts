import { type RunEnding, toPaused } from '../ending.ts';
import type { PlannedRun } from './planned-run.ts';
import type { PeopleQuestion } from './ports.ts';

/** Asks people; false where it could not be asked, so that it is asked again when the run goes on. */
export async function askPeople({ run, people }: PlannedRun, question: PeopleQuestion): Promise<boolean> {
  const { hardSignal: signal } = run.steering;
  try {
    await people?.ask(question, { signal });
    return people !== null;
  } catch (err) {
    run.settings.logger?.warn({ err }, 'could not ask on the thread; asking again when the run goes on');
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
