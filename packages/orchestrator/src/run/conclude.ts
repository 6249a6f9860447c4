import { ContextStoreError } from '@agent/run-store';
import type { RunOutcome, TokenUsage } from '@agent/runner';
import { ensureFinalSummary } from '../past/ensure-final-summary.ts';
import { type CallOutcome, callWithRetry } from './call-with-retry.ts';
import { composeFinalComment } from './compose-final-comment.ts';
import { formatEndDetails, parseEndDetails } from './end-details.ts';
import { DeferredError } from './left-for-later.ts';
import { recheckAfterFinish } from './look-last.ts';
import type { ActiveRun, RunParts } from './run.ts';
import type { RunEnding } from './run-ending.ts';
import { toWorkspaceTask } from './to-workspace-task.ts';

/** What `outcome.json` says, as far as the steps after it need it. */
export interface CommittedEnd {
  readonly status: RunOutcome['status'];
  readonly details?: unknown;
}

/**
 * Ends a run: what it leaves for later runs is summarized, then the final comment is composed and committed with the
 * outcome; from then on the end is a fact, and whatever process comes next only repeats the steps that follow from it.
 *
 * @throws ContextStoreError when the outcome cannot be written
 */
export async function concludeRun(parts: RunParts, run: ActiveRun, carried: RunEnding): Promise<void> {
  const spent = await ensureFinalSummary(parts, run, carried);
  const ending = { ...carried, outcome: addSpent(carried.outcome, spent) };
  const finalComment = await composeFinalComment(parts, run, ending);
  const { delivery, hearing } = ending;
  const details = formatEndDetails({ finalComment, delivery, detection: hearing.statistics });
  const end = { status: ending.outcome.status, details };
  try {
    await run.journal.finish({ ...ending.outcome, details });
  } catch (error) {
    // People hear of the end even when this machine cannot write it down; a later start shows the same comment again.
    await showEnd(parts, run, end);
    throw error;
  }
  await finishRun(parts, run, end);
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

/**
 * The steps after the end: the one final comment, the label, the worktree's removal, the index, the directory's move. All of
 * them are safe to repeat. What the platform refuses for good is logged and left; what it cannot take now is tried
 * again, and then left for later, with the directory still in running/.
 *
 * @throws DeferredError when platform or disk did not take it now; the thread stays taken until the end is shown and kept
 * @throws Error when the label was refused: the thread still looks like a task and must not be begun again
 */
export async function finishRun(parts: RunParts, run: ActiveRun, end: CommittedEnd): Promise<void> {
  const { commented, labelled, commentId } = await showEnd(parts, run, end);
  if (commented === 'deferred' || labelled === 'deferred') {
    run.logger.warn({}, 'the end of this run could not be shown yet; it is tried again');
    throw new DeferredError(() => finishRun(parts, run, end));
  }
  if (end.status === 'completed') {
    if (commentId !== null && labelled === 'done') await recheckSafely(parts, run, commentId);
    await removeWorktree(run);
  }
  await archiveRun(parts, run, { status: end.status, labelled });
}

/** Tried again without showing the end again: a label that somebody gave the thread meanwhile asks for another run. */
async function archiveRun(
  parts: RunParts,
  run: ActiveRun,
  shown: Pick<CommittedEnd, 'status'> & Pick<ShownEnd, 'labelled'>,
): Promise<void> {
  // Before the move, so that a crash in between leaves nothing behind; after it, what was asked meanwhile.
  await forgetRequests(parts, run);
  try {
    await parts.store.finish(run.uuid);
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error;
    run.logger.error({ err: error }, 'this run has ended and could not be put away yet; it is tried again');
    throw new DeferredError(() => archiveRun(parts, run, shown), { cause: error });
  }
  await forgetRequests(parts, run);
  run.logger.info({ status: shown.status }, 'task ended');
  if (shown.labelled === 'rejected') {
    throw new Error(
      `The labels of ${run.facts.url} cannot be changed. It is left alone until the next start.`,
    );
  }
}

/** What a person can mend while the daemon goes on: space, permissions, a disk that is not there. */
function isRefusedByDisk(error: unknown): boolean {
  return ContextStoreError.isInstance(error) && ['storage-full', 'storage-failed'].includes(error.code);
}

/** Whoever asked a run for something that has ended can no longer be obeyed. */
function forgetRequests(parts: RunParts, { uuid }: ActiveRun): Promise<void> {
  return parts.controls.remove(uuid, ['pause', 'resume', 'stop']);
}

/** What a run completed is on the platform; of any other, the worktree may hold work that is nowhere else. */
async function removeWorktree(run: ActiveRun): Promise<void> {
  const task = toWorkspaceTask(run);
  if (task === null) return;
  try {
    await run.platform.workspaces.remove(task);
  } catch (error) {
    run.logger.warn({ err: error }, 'the worktree could not be removed');
  }
}

/** The end stands without it: what cannot be looked at now is heard when somebody labels the thread again. */
async function recheckSafely(parts: RunParts, run: ActiveRun, commentId: string): Promise<void> {
  try {
    await recheckAfterFinish(parts, run, commentId);
  } catch (error) {
    run.logger.warn({ err: error }, 'the last look at the thread failed');
  } finally {
    run.comments.close();
  }
}

interface ShownEnd {
  readonly commented: CallOutcome;
  readonly labelled: CallOutcome;
  /** Of the final comment; null where it could not be written. */
  readonly commentId: string | null;
}

async function showEnd(parts: RunParts, run: ActiveRun, end: CommittedEnd): Promise<ShownEnd> {
  const { finalComment } = parseEndDetails(end.details);
  const topic = `run:${run.uuid}:final`;
  let commentId: string | null = null;
  const commented = await callWithRetry(parts, run, {
    doing: 'write the final comment',
    attempt: async () => {
      commentId = (await run.thread.writer.ensureComment({ topic, body: finalComment })).id;
    },
  });
  const labelled = await callWithRetry(parts, run, {
    doing: 'change the label',
    attempt: () => run.platform.trigger.setState(run.thread, { state: end.status }),
  });
  return { commented, labelled, commentId };
}
