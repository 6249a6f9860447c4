import { rm, writeFile } from 'node:fs/promises';
import type { CallOptions } from '@agent/platforms';
import { explainGitFailure } from '../git/explain-git-failure.ts';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, tipsOf, updateRefs } from '../git/git-repository.ts';
import { fetchCommits, keptRefs, startRef } from '../git/mirror.ts';
import { snapshotPlace, type TaskPlace } from '../git/task-place.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import { removeTree, temporaryPath } from '../machine/directories.ts';
import { copyIndex } from './snapshot-index.ts';
import type { WorkState } from './take-snapshot.ts';

export interface SnapshotSource extends CallOptions {
  readonly task: WorkspaceTask;
  readonly mirror: GitPlace;
  readonly state: WorkState;
  readonly bundle: Uint8Array;
}

export interface RestoreOptions extends SnapshotSource {
  readonly place: TaskPlace;
  /** The branch's tip in this copy; null for none. */
  readonly tip: string | null;
}

/**
 * Makes a worktree as a snapshot has it, wherever that was taken: what stands in its place goes, commits of the branch that
 * only this copy has stay reachable.
 *
 * @returns why that cannot be done, with nothing touched; null where it is done
 * @throws WorkspaceError for what another try may mend, such as a server that is away or a full disk
 */
export async function restoreSnapshot(context: GitContext, options: RestoreOptions): Promise<string | null> {
  const { task, mirror, place, state, tip, signal } = options;
  const { head, commit, start } = state;
  const problem = await takeIn(context, options);
  if (problem !== null) return problem;
  await removeTree(place.workTree);
  await removeTree(place.gitDirectory);
  const doing = `Restoring the work on ${task.branch}`;
  await git(context, place, { args: ['read-tree', '--reset', '-u', head], doing, signal });
  const snapshots = snapshotPlace(place);
  // The first of its commands lays the place out.
  await git(context, snapshots, { args: ['update-ref', 'refs/heads/work', commit], doing, signal });
  await copyIndex(place, { trusted: true });
  await git(context, snapshots, { args: ['read-tree', '-m', '-u', head, commit], doing, signal });
  const branch = { ref: `refs/heads/${task.branch}`, sha: head };
  const kept = tip === null || tip === head ? [] : [{ ref: `${keptRefs}${task.branch}/${tip}`, sha: tip }];
  await updateRefs(context, mirror, {
    refs: [...kept, branch, { ref: startRef(task.uuid), sha: start }],
    signal,
  });
  return null;
}

/**
 * Brings the commits of a snapshot into the copy, and what they rest on where the server's branches do not hold it any more.
 *
 * @returns why that cannot be done; null where it is done
 */
export async function takeIn(context: GitContext, options: SnapshotSource): Promise<string | null> {
  const { mirror, state, bundle, signal } = options;
  const { bases, commit, head, start } = state;
  const tips = await tipsOf(context, mirror, { refs: bases, signal });
  const missing = bases.filter((_, index) => tips[index] === null);
  if (missing.length > 0) await fetchCommits(context, { ...options, missing });
  const file = temporaryPath(context.directory);
  try {
    await writeFile(file, bundle, { mode: 0o600, flag: 'wx' });
    const doing = 'Reading what is kept of the work';
    const args = ['bundle', 'unbundle', file];
    const { exitCode, stderr } = await git(context, mirror, { args, doing, anyExit: true, signal });
    if (exitCode !== 0) return explainDamage(stderr, doing);
  } finally {
    await rm(file, { force: true });
  }
  const there = await tipsOf(context, mirror, { refs: [commit, head, start], signal });
  return there.includes(null) ? 'its snapshot does not contain the commits that it names' : null;
}

/** @throws WorkspaceError where the disk here is full */
function explainDamage(stderr: string, doing: string): string {
  const error = explainGitFailure({ doing, stderr, fallback: 'git-failed' });
  if (error.code === 'storage-full') throw error;
  const said = stderr.trim().split('\n').slice(-2).join(' | ').slice(0, 300);
  return `its snapshot cannot be read (git: ${said})`;
}
