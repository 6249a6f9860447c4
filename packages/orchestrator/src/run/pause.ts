import type { PausedRuns } from '@agent/run-store';
import type { RunOutcome } from '@agent/runner';
import type { ModelMessage } from 'ai';
import { noComments } from '../inbox/delivered-comments.ts';
import type { ComposeFinalComment } from '../report/compose-final-comment.ts';
import type { CallWithRetry } from './call-with-retry.ts';
import { nothingDelivered } from './deliver.ts';
import type { Run } from './run.ts';
import { readRunStatistics } from './run-ending.ts';
import { commitPause } from './run-record.ts';

export interface PauseOptions {
  readonly store: Pick<PausedRuns<ModelMessage>, 'commitPause' | 'pause'>;
  readonly composeFinalComment: ComposeFinalComment;
  readonly callWithRetry: CallWithRetry;
}

/** `outcome`: null for a pause that an earlier process committed; then the journal tells of it. */
export type PauseRun = (run: Run, outcome: RunOutcome | null) => Promise<void>;

/**
 * Creates what pauses a run: first its state is committed, then state and comment on the thread, then the directory moves to
 * paused/. A crash in between is made up for at the next start. What the platform does not take is logged and left (RL-4).
 *
 * @throws ContextStoreError when the state cannot be saved: the run is not paused and goes on
 */
export function createPause({ store, composeFinalComment, callWithRetry }: PauseOptions): PauseRun {
  const show = async (run: Run, outcome: RunOutcome | null, resumeCount: number): Promise<void> => {
    const { uuid, thread, logger } = run;
    const { platform, ports } = thread;
    const told = outcome ?? (await readPausedOutcome(run));
    const body = await composeFinalComment(run, {
      outcome: told,
      delivery: nothingDelivered,
      hearing: noComments,
      unassigned: false,
    });
    const topic = `run:${uuid}:paused:${resumeCount}`;
    await callWithRetry({
      doing: 'say that the run is paused',
      attempt: () => ports.writer.ensureComment({ topic, body }),
      logger,
    });
    await callWithRetry({
      doing: 'say so in the status comment',
      attempt: () => run.claim.renew('paused'),
      logger,
    });
    await callWithRetry({
      doing: 'change the label',
      attempt: () => platform.trigger.setState(ports, { state: 'paused' }),
      logger,
    });
  };
  return async (run, outcome) => {
    const { uuid, logger } = run;
    const { resumeCount } = await commitPause(store, { uuid, show: (count) => show(run, outcome, count) });
    logger.info({ resumeCount }, 'task paused');
  };
}

async function readPausedOutcome(run: Run): Promise<RunOutcome> {
  return { status: 'paused', reason: null, finalText: null, statistics: await readRunStatistics(run) };
}
