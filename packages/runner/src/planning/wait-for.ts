import { type RunEnding, toPaused } from '../ending.ts';
import type { PlannedRun } from './planned-run.ts';
import type { PeopleQuestion } from './ports.ts';

/** Asks people, and pauses the run until they may have answered. A question that could not be asked is asked when it goes on. */
export async function waitFor({ run, people }: PlannedRun, question: PeopleQuestion): Promise<RunEnding> {
  const { hardSignal: signal } = run.steering;
  const { texts, logger } = run.settings;
  try {
    await people?.ask(question, { signal });
  } catch (err) {
    logger?.warn({ err }, 'could not ask on the thread; asking again when the run goes on');
  }
  const { kind, id } = question;
  const until = question.kind === 'answer' ? question.until : null;
  const reason = kind === 'answer' ? texts.waitsForAnswer : texts.waitsForApproval;
  return toPaused(run, reason, { kind, id, until });
}
