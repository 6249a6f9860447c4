import { SecretsInChanges, type TaskWorkspace } from '@agent/workspace';
import { formatCommitMessage } from './change-request-text.ts';
import { OtherRepositoryError } from './confirm-repository.ts';
import { nothingDelivered } from './deliver.ts';
import type { Delivery } from './final-comment.ts';
import { finalCommentTexts } from './final-comment-texts.ts';
import { isTransient, retryAfterMsOf } from './is-passing.ts';
import { pushWork } from './push-work.ts';
import { formatRefusedPush } from './refused-push.ts';
import type { ActiveRun, RunParts } from './run.ts';

const waitsMs = [1_000, 4_000, 16_000, null];
const longestWaitMs = 60_000;

export interface UnfinishedWork {
  readonly delivery: Delivery;
  /** Why it could not be pushed; null where it was, or where there was nothing to push. */
  readonly problem: string | null;
}

/**
 * Pushes what a run that failed has changed to its own branch, so that people and the next run find it. No draft is
 * opened for it. A pull or merge request's branch belongs to people: there the work stays a commit of this machine.
 *
 * @throws OtherRepositoryError
 */
export async function deliverUnfinished(
  parts: Pick<RunParts, 'sleep' | 'shutdown'>,
  run: ActiveRun,
  workspace: TaskWorkspace,
): Promise<UnfinishedWork> {
  for (const waitMs of waitsMs) {
    try {
      return await pushUnfinished(run, workspace);
    } catch (error) {
      if (error instanceof OtherRepositoryError) throw error;
      run.logger.warn({ err: error }, 'the work of a run that failed could not be pushed');
      const wantedMs = Math.max(waitMs ?? 0, retryAfterMsOf(error));
      const isLast = waitMs === null || wantedMs > longestWaitMs || parts.shutdown.aborted;
      if (isLast || !isTransient(error))
        return { delivery: nothingDelivered, problem: describeProblem(error, run) };
      await parts.sleep(wantedMs, parts.shutdown);
    }
  }
  return { delivery: nothingDelivered, problem: null };
}

function describeProblem(error: unknown, { facts }: ActiveRun): string {
  if (error instanceof SecretsInChanges) return formatRefusedPush(error.places, facts.locale);
  return error instanceof Error ? error.message : String(error);
}

async function pushUnfinished(run: ActiveRun, workspace: TaskWorkspace): Promise<UnfinishedWork> {
  const { facts } = run;
  await workspace.commitAll((paths) => formatCommitMessage(facts, paths));
  if (!(await workspace.hasCommits({ since: 'start' }))) return { delivery: nothingDelivered, problem: null };
  const { branchOfPeople } = finalCommentTexts[facts.locale];
  if (facts.kind !== 'issue') return { delivery: nothingDelivered, problem: branchOfPeople };
  const { commit, changedFiles } = await pushWork(run, workspace);
  return { delivery: { ...nothingDelivered, branch: workspace.branch, commit, changedFiles }, problem: null };
}
