import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Git, GitFailure } from './git.ts';

/** Exit code of git for wrong usage: this version does not know `merge-tree --write-tree` (before 2.38). */
const usageError = 129;

/**
 * The tree that merging two commits gives; null on a conflict. Done at once, because merging is also a seed's doing.
 * @see https://git-scm.com/docs/git-merge-tree
 */
export function mergeTrees(
  git: Git,
  directory: string,
  [base, head]: readonly [string, string],
): string | null {
  try {
    return git.readSync(directory, ['merge-tree', '--write-tree', base, head]).split('\n')[0] ?? null;
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return error.exitCode === usageError ? mergeByFile(git, directory, [base, head]) : null;
  }
}

export interface Merge {
  readonly base: string;
  readonly head: string;
  readonly tree: string;
  readonly branch: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Seconds since the epoch. */
  readonly time: number;
}

/** Puts a merge commit on a branch; returns its id. */
export function commitMerge(git: Git, directory: string, merge: Merge): string {
  const { base, head, author } = merge;
  const date = `${merge.time} +0000`;
  const environment = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: date,
  };
  const args = ['commit-tree', merge.tree, '-p', base, '-p', head, '-m', merge.message];
  const sha = git.readSync(directory, args, environment);
  git.readSync(directory, ['update-ref', `refs/heads/${merge.branch}`, sha, base]);
  return sha;
}

/** Merges as `mergeTrees` does, with older gits: whole files only, so that two changes to one file always conflict. */
export function mergeByFile(
  git: Git,
  directory: string,
  [base, head]: readonly [string, string],
): string | null {
  const index = join(directory, 'merge.index');
  const environment = { GIT_INDEX_FILE: index };
  try {
    const ancestor = git.readSync(directory, ['merge-base', base, head]);
    git.readSync(directory, ['read-tree', '-i', '-m', '--aggressive', ancestor, base, head], environment);
    return git.readSync(directory, ['write-tree'], environment);
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  } finally {
    rmSync(index, { force: true });
  }
}
