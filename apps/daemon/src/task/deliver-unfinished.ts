import { SecretsInChanges, type TaskWorkspace } from '../workspace/index.ts';
import { formatCommitMessage } from './change-request-text.ts';
import { listChangedPaths, nothingDelivered } from './deliver-changes.ts';
import type { Delivery } from './final-comment.ts';
import { isPassing, retryAfterMsOf } from './is-passing.ts';
import { formatRefusedPush } from './refused-push.ts';
import type { ActiveRun, RunParts } from './run-parts.ts';

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
 */
export async function deliverUnfinished(
  parts: Pick<RunParts, 'sleep' | 'shutdown'>,
  run: ActiveRun,
  workspace: TaskWorkspace,
): Promise<UnfinishedWork> {
  for (const waitMs of waitsMs) {
    try {
      return { delivery: await pushUnfinished(run, workspace), problem: null };
    } catch (error) {
      run.logger.warn({ err: error }, 'the work of a run that failed could not be pushed');
      const wantedMs = Math.max(waitMs ?? 0, retryAfterMsOf(error));
      const isLast = waitMs === null || wantedMs > longestWaitMs || parts.shutdown.aborted;
      if (isLast || !isPassing(error))
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

async function pushUnfinished({ facts, logger }: ActiveRun, workspace: TaskWorkspace): Promise<Delivery> {
  await workspace.commitAll(formatCommitMessage(facts));
  if (facts.kind !== 'issue' || !(await workspace.hasCommits({ since: 'start' }))) return nothingDelivered;
  const changedFiles = await listChangedPaths(workspace, 'start');
  const { sha } = await workspace.push();
  const { branch } = workspace;
  logger.info({ branch, commit: sha.slice(0, 10), files: changedFiles.length }, 'pushed, unfinished');
  return { ...nothingDelivered, branch, commit: sha, changedFiles };
}
