import type { RunOutcome } from '@agent/runner';
import { noComments } from '../inbox/comment-summary.ts';
import { callWithRetry } from './call-with-retry.ts';
import { composeFinalComment } from './compose-final-comment.ts';
import { nothingDelivered } from './deliver.ts';
import { readRunStatistics } from './read-run-statistics.ts';
import type { ActiveRun, RunParts } from './run.ts';

/**
 * Pauses a run: first its state is committed, then label and comment, then the directory moves to paused/. A crash
 * in between is made up for at the next start. What the platform does not take is logged and left (RL-4).
 *
 * @throws ContextStoreError when the state cannot be saved: the run is not paused and goes on
 */
export async function pauseRun(parts: RunParts, run: ActiveRun, outcome: RunOutcome | null): Promise<void> {
  const pause = { lastError: null, planningState: null };
  const { resumeCount } = await parts.store.commitPause(run.uuid, pause);
  const told = outcome ?? (await readPausedOutcome(run));
  const ending = { outcome: told, delivery: nothingDelivered, hearing: noComments };
  const body = await composeFinalComment(parts, run, ending);
  await callWithRetry(parts, run, {
    doing: 'say that the run is paused',
    attempt: () => run.thread.writer.ensureComment({ topic: `run:${run.uuid}:paused:${resumeCount}`, body }),
  });
  await callWithRetry(parts, run, {
    doing: 'change the label',
    attempt: () => run.platform.trigger.setState(run.thread, { state: 'paused' }),
  });
  await parts.store.pause(run.uuid, pause);
  run.logger.info({ resumeCount }, 'task paused');
}

/** What its journal tells of a pause that an earlier process committed. */
async function readPausedOutcome(run: ActiveRun): Promise<RunOutcome> {
  return { status: 'paused', reason: null, finalText: null, statistics: await readRunStatistics(run) };
}
