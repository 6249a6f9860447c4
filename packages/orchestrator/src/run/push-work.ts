import type { TaskWorkspace } from '@agent/workspace';
import { confirmRepository } from './confirm-repository.ts';
import { findRefusal } from './refuse-thread.ts';
import type { ActiveRun } from './run.ts';

export interface PushedWork {
  readonly commit: string;
  /** Paths that this run changed. */
  readonly changedFiles: readonly string[];
  /** Whether fewer people may read what the run rests on than what it pushed: then nothing beside it may tell of it. */
  readonly isNeutral: boolean;
}

/**
 * Pushes what a run has committed, whatever became of the run: to the repository that it began in and no other, and only
 * where it may still be worked on.
 *
 * @throws WorkspaceError, PlatformError, OtherRepositoryError; Error where the thread has become one that must not be worked on
 */
export async function pushWork(run: ActiveRun, workspace: TaskWorkspace): Promise<PushedWork> {
  const changedFiles = await listChangedPaths(workspace, 'start');
  const cloneUrl = (await confirmRepository(run)) ?? undefined;
  const isNeutral = await isForFew(run);
  const { sha } = await workspace.push({ cloneUrl });
  const shown = { branch: workspace.branch, commit: sha.slice(0, 10), files: changedFiles.length };
  run.logger.info(shown, 'pushed');
  return { commit: sha, changedFiles, isNeutral };
}

/** Paths that differ from where the run began, or from the base branch. */
export async function listChangedPaths(
  workspace: TaskWorkspace,
  since: 'base' | 'start',
): Promise<readonly string[]> {
  return (await workspace.changedFiles({ since })).map((file) => file.path);
}

/** Whether fewer people may read what the run rests on, as it is now, than what it opens. */
export async function isForFew({ thread: ports, platform, facts, audience }: ActiveRun): Promise<boolean> {
  const thread = await ports.reader.readThread();
  const { confidentialIssues } = platform;
  const refusal = await findRefusal(thread, { ports, confidentialIssues });
  if (refusal !== null) throw new Error(refusal[facts.locale]);
  return thread.confidential || (await audience.isInternal());
}
