import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git, gitLine, tipOf } from './git-repository.ts';
import { temporaryFile } from './known-files.ts';
import { findStart, remoteRef } from './mirror.ts';
import { removeTree } from './remove-tree.ts';
import type { WorkspaceTask } from './workspace-task.ts';

/** Where a task's worktree is, and its own directory inside the mirror. */
export function worktreePlace(
  directory: string,
  options: { readonly task: WorkspaceTask; readonly mirror: GitPlace },
): GitPlace & { readonly workTree: string; readonly branch: string } {
  const { task, mirror } = options;
  return {
    commonDirectory: mirror.commonDirectory,
    gitDirectory: join(mirror.commonDirectory, 'worktrees', task.uuid),
    workTree: join(directory, 'worktrees', task.uuid),
    branch: task.branch,
  };
}

/** Holds the commit that a worktree began at. It is written last, so a worktree without it is half-made. */
export function startRef(uuid: string): string {
  return `refs/starts/${uuid}`;
}

interface WorktreeOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly mirror: GitPlace;
  readonly place: GitPlace & { readonly workTree: string; readonly branch: string };
}

/**
 * Makes the task's worktree, or puts in order the one that an earlier process left: what it changed stays, its
 * locks and half-done steps go. One that was never finished is made anew.
 */
export async function ensureWorktree(
  context: GitContext,
  options: WorktreeOptions,
): Promise<'created' | 'reused'> {
  const { task, mirror, place, signal } = options;
  const start = await tipOf(context, mirror, { ref: startRef(task.uuid), signal });
  const branch = await tipOf(context, mirror, { ref: `refs/heads/${task.branch}`, signal });
  if (start !== null && branch !== null && (await isDirectory(place.workTree))) {
    await repairWorktree(context, options);
    await removeTemporaryFiles(context, { place, signal });
    return 'reused';
  }
  await createWorktree(context, options, start !== null ? branch : null);
  return 'created';
}

async function createWorktree(
  context: GitContext,
  { task, mirror, place, signal }: WorktreeOptions,
  ownTip: string | null,
): Promise<void> {
  await removeTree(place.workTree);
  await removeTree(place.gitDirectory);
  const start = ownTip ?? (await findStart(context, { task, mirror, signal }));
  if (ownTip === null) await moveBranch(context, { task, mirror, start, signal });
  await git(context, place, {
    args: ['read-tree', '--reset', '-u', start],
    doing: `Checking out ${task.branch}`,
    signal,
  });
  const startOfRun = (await tipOf(context, mirror, { ref: startRef(task.uuid), signal })) ?? start;
  await updateRef(context, mirror, { ref: startRef(task.uuid), sha: startOfRun, signal });
}

/** Points the local branch at the start. Commits that only a dead run's branch had stay reachable under refs/kept. */
async function moveBranch(
  context: GitContext,
  options: { readonly task: WorkspaceTask; readonly mirror: GitPlace; readonly start: string } & CallOptions,
): Promise<void> {
  const { task, mirror, start, signal } = options;
  const old = await tipOf(context, mirror, { ref: `refs/heads/${task.branch}`, signal });
  if (old !== null && old !== start) {
    await updateRef(context, mirror, { ref: `refs/kept/${old}`, sha: old, signal });
  }
  await updateRef(context, mirror, { ref: `refs/heads/${task.branch}`, sha: start, signal });
}

async function repairWorktree(context: GitContext, { task, place, signal }: WorktreeOptions): Promise<void> {
  await removeTree(join(place.gitDirectory, 'index.lock'));
  if (await hadRebase(place)) {
    await dropRebase(context, { place, signal });
    return;
  }
  const index = await gitLine(context, place, {
    args: ['ls-files', '--cached', '--error-unmatch', '-z', '.'],
    signal,
  });
  if (index !== null && (await exists(join(place.gitDirectory, 'index')))) return;
  await removeTree(join(place.gitDirectory, 'index'));
  await git(context, place, {
    args: ['read-tree', `refs/heads/${task.branch}`],
    doing: 'Repairing the index',
    signal,
  });
}

/** Files that were just being written when the process died; the model need not wonder about them. */
async function removeTemporaryFiles(
  context: GitContext,
  { place, signal }: { readonly place: WorktreeOptions['place'] } & CallOptions,
): Promise<void> {
  const pattern = `${temporaryFile.prefix}*${temporaryFile.suffix}`;
  const { stdout } = await git(context, place, {
    args: ['ls-files', '--others', '--ignored', `--exclude=${pattern}`, '-z'],
    doing: 'Looking for files in the making',
    signal,
  });
  for (const path of stdout.split('\0').filter(Boolean)) await removeTree(join(place.workTree, path));
}

/** Ends a rebase that did not get through: the branch never moved, the files go back to it. */
export async function dropRebase(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<void> {
  for (const name of [
    'rebase-merge',
    'rebase-apply',
    'REBASE_HEAD',
    'CHERRY_PICK_HEAD',
    'AUTO_MERGE',
    'index.lock',
  ]) {
    await removeTree(join(place.gitDirectory, name));
  }
  await git(context, place, {
    args: ['read-tree', '--reset', '-u', `refs/heads/${place.branch}`],
    doing: 'Going back to the branch',
    signal,
  });
}

async function hadRebase(place: GitPlace): Promise<boolean> {
  return (
    (await exists(join(place.gitDirectory, 'rebase-merge'))) ||
    exists(join(place.gitDirectory, 'rebase-apply'))
  );
}

/** Removes the worktree. The local branch goes too when the server has every commit of it. */
export async function removeWorktree(
  context: GitContext,
  { task, mirror, place, signal }: WorktreeOptions,
): Promise<void> {
  await removeTree(place.workTree);
  await removeTree(place.gitDirectory);
  const local = `refs/heads/${task.branch}`;
  const unpushed = await gitLine(context, mirror, {
    args: ['rev-list', '--count', local, '--not', `--glob=${remoteRef('*')}`],
    signal,
  });
  const gone = [startRef(task.uuid), ...(unpushed === '0' ? [local] : [])];
  for (const ref of gone) {
    await git(context, mirror, { args: ['update-ref', '-d', ref], doing: `Removing ${ref}`, signal });
  }
  // Small packs of many fetches are joined now and then; that this fails is no reason to fail the task.
  const tidy = ['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];
  await git(context, mirror, { args: tidy, doing: 'Tidying up', anyExit: true, signal });
}

/** Points a ref at a commit, whatever it pointed at. */
export async function updateRef(
  context: GitContext,
  place: GitPlace,
  { ref, sha, signal }: { readonly ref: string; readonly sha: string } & CallOptions,
): Promise<void> {
  await git(context, place, { args: ['update-ref', ref, sha], doing: `Writing ${ref}`, signal });
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
