import { copyFile, lstat, mkdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import { type GitContext, git, tipOf } from '../git/git-repository.ts';
import { snapshotPlace, type TaskPlace } from '../git/task-place.ts';
import { removeTree } from '../machine/directories.ts';

/**
 * Makes the place ready: locks of a dead process go, and an index that is missing is made.
 *
 * @param options isFresh: true for a worktree as git has just made it, of which nothing is read then; else each file is read once
 */
export async function prepareSnapshots(
  context: GitContext,
  { place, isFresh, signal }: { readonly place: TaskPlace; readonly isFresh: boolean } & CallOptions,
): Promise<void> {
  const { gitDirectory } = snapshotPlace(place);
  const index = join(gitDirectory, 'index');
  await removeTree(`${index}.lock`);
  if ((await lstat(index).catch(() => null)) !== null) return;
  if (isFresh) return copyIndex(place);
  const head = await tipOf(context, place, { ref: `refs/heads/${place.branch}`, signal });
  const args = ['read-tree', head ?? ''];
  await git(context, snapshotPlace(place), { args, doing: 'Beginning a snapshot', signal });
}

/**
 * Begins the index of snapshots with that of a worktree as git has just made it: what stays so is never read.
 *
 * @param options trusted: true where nobody else has been there since, so that git need not look at what it wrote in the moment
 * of its index; only for a command that writes the index anew. Default false
 */
export async function copyIndex(
  place: TaskPlace,
  { trusted = false }: { readonly trusted?: boolean } = {},
): Promise<void> {
  const { gitDirectory } = snapshotPlace(place);
  const [from, to] = [join(place.gitDirectory, 'index'), join(gitDirectory, 'index')];
  const { atime, mtime } = await stat(from);
  await mkdir(gitDirectory, { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await utimes(to, atime, trusted ? new Date(mtime.getTime() + 10_000) : mtime);
}
