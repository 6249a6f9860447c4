import { ContextStoreError, type RunControls, type RunStore } from '@agent/run-store';
import type { RunOutcome, TokenUsage } from '@agent/runner';
import type { ModelMessage } from 'ai';
import type { EnsureFinalSummary, SummarizedHolding } from '../past/ensure-summaries.ts';
import type { ComposeFinalComment } from '../report/compose-final-comment.ts';
import { type CallOutcome, type CallWithRetry, DeferredError } from './call-with-retry.ts';
import type { RecheckAfterFinish } from './handover-records.ts';
import { type Run, toWorkspaceTask } from './run.ts';
import { formatEndDetails, parseEndDetails, type RunEnding } from './run-ending.ts';
import { commitEnd, putAway } from './run-record.ts';

/** Contents of `outcome.json`, as far as the steps after it need them. */
export interface CommittedEnd {
  readonly status: RunOutcome['status'];
  readonly details?: unknown;
}

export interface ConcludeOptions {
  readonly ensureFinalSummary: EnsureFinalSummary;
  readonly composeFinalComment: ComposeFinalComment;
  readonly finish: FinishRun;
}

export type Conclude = (held: SummarizedHolding, ending: RunEnding) => Promise<void>;

/**
 * Creates what ends a run: what it leaves for later runs is summarized, then the final comment is composed and committed with the
 * outcome; from then on the end is a fact, and whatever process comes next only repeats the steps that follow from it.
 *
 * @throws ContextStoreError when the outcome cannot be written
 */
export function createConclude(options: ConcludeOptions): Conclude {
  const { ensureFinalSummary, composeFinalComment, finish } = options;
  return async (held, carried) => {
    const { run } = held;
    const spent = await ensureFinalSummary(held, carried);
    const ending = { ...carried, outcome: addSpent(carried.outcome, spent) };
    const finalComment = await composeFinalComment(run, ending);
    const { delivery, hearing } = ending;
    const details = formatEndDetails({ finalComment, delivery, detection: hearing.statistics });
    const end = { status: ending.outcome.status, details };
    await commitEnd(run.journal, { end: { ...ending.outcome, details }, show: () => finish.show(run, end) });
    await finish.finish(run, end);
  };
}

/** The calls for the summary are no part of the conversation, and cost the same. */
function addSpent(outcome: RunOutcome, spent: readonly TokenUsage[]): RunOutcome {
  const { modelCalls, inputTokens, outputTokens } = outcome.statistics;
  const statistics = {
    ...outcome.statistics,
    modelCalls: modelCalls + spent.length,
    inputTokens: spent.reduce((sum, usage) => sum + usage.inputTokens, inputTokens),
    outputTokens: spent.reduce((sum, usage) => sum + usage.outputTokens, outputTokens),
  };
  return { ...outcome, statistics };
}

/** Shows an end that is committed, and puts the run away. */
export interface FinishRun {
  /**
   * Takes the steps after the end: the one final comment, the thread's state, the worktree's removal, the index, the directory's move.
   * All of them are safe to repeat. What the platform refuses for good is logged and left; what it cannot take now is
   * tried again, and then deferred, with the directory still in running/.
   *
   * @throws DeferredError when platform or disk did not take it now; the thread stays taken until the end is shown and kept
   * @throws Error when the state was refused: the thread still looks like a task and must not be begun again
   */
  readonly finish: (run: Run, end: CommittedEnd) => Promise<void>;
  /** Shows it on the thread alone. Never rejects. */
  readonly show: (run: Run, end: CommittedEnd) => Promise<ShownEnd>;
}

export interface ShownEnd {
  readonly commented: CallOutcome;
  readonly labeled: CallOutcome;
  /** Id of the final comment; null where it could not be written. */
  readonly commentId: string | null;
}

export interface FinishOptions {
  readonly store: Pick<RunStore<ModelMessage>, 'finish'>;
  readonly controls: Pick<RunControls, 'remove'>;
  readonly recheck: RecheckAfterFinish;
  readonly callWithRetry: CallWithRetry;
}

/** Creates it. */
export function createFinishRun(options: FinishOptions): FinishRun {
  const { callWithRetry, recheck } = options;
  const show: FinishRun['show'] = async (run, { status, details }) => {
    const { uuid, thread, logger } = run;
    const { ports, platform } = thread;
    const { finalComment } = parseEndDetails(details);
    let commentId: string | null = null;
    const commented = await callWithRetry({
      doing: 'write the final comment',
      attempt: async () => {
        commentId = (await ports.writer.ensureComment({ topic: `run:${uuid}:final`, body: finalComment })).id;
      },
      logger,
    });
    const labeled = await callWithRetry({
      doing: 'change the label',
      attempt: () => platform.trigger.setState(ports, { state: status }),
      logger,
    });
    return { commented, labeled, commentId };
  };
  const finish: FinishRun['finish'] = async (run, end) => {
    const { commented, labeled, commentId } = await show(run, end);
    if (commented === 'deferred' || labeled === 'deferred') {
      run.logger.warn({}, 'the end of this run could not be shown yet; it is tried again');
      throw new DeferredError(() => finish(run, end));
    }
    if (end.status === 'completed') {
      if (commentId !== null && labeled === 'done') await recheckSafely(recheck, run, commentId);
      await removeWorktree(run);
    }
    const doing = 'end the status comment';
    await callWithRetry({ doing, attempt: () => run.claim.end(), logger: run.logger });
    await archiveRun(options, run, { status: end.status, labeled });
  };
  return { finish, show };
}

/** Tried again without showing the end again: a label that somebody gave the thread meanwhile asks for another run. */
async function archiveRun(
  options: Pick<FinishOptions, 'store' | 'controls'>,
  run: Run,
  shown: Pick<CommittedEnd, 'status'> & Pick<ShownEnd, 'labeled'>,
): Promise<void> {
  const { uuid, facts, logger } = run;
  try {
    await putAway(options, uuid);
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error;
    logger.error({ err: error }, 'this run has ended and could not be put away yet; it is tried again');
    throw new DeferredError(() => archiveRun(options, run, shown), { cause: error });
  }
  logger.info({ status: shown.status }, 'task ended');
  if (shown.labeled === 'rejected') {
    throw new Error(`The labels of ${facts.url} cannot be changed. It is left alone until the next start.`);
  }
}

/** Tells what a person can fix while the daemon goes on: space, permissions, a disk that is not there. */
function isRefusedByDisk(error: unknown): boolean {
  return ContextStoreError.isInstance(error) && ['storage-full', 'storage-failed'].includes(error.code);
}

/** Removes the worktree of a run that completed: its work is on the platform; of any other, the worktree may hold work that is nowhere else. */
async function removeWorktree(run: Run): Promise<void> {
  const task = toWorkspaceTask(run);
  if (task === null) return;
  try {
    await run.thread.platform.workspaces.remove(task);
  } catch (error) {
    run.logger.warn({ err: error }, 'the worktree could not be removed');
  }
}

/** The end stands without it: what cannot be looked at now is heard when somebody labels the thread again. */
async function recheckSafely(recheck: RecheckAfterFinish, run: Run, commentId: string): Promise<void> {
  try {
    await recheck(run, commentId);
  } catch (error) {
    run.logger.warn({ err: error }, 'the last look at the thread failed');
  } finally {
    run.thread.comments.close();
  }
}
