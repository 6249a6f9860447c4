import type { CallOptions } from '@agent/platforms';
import { putPointersBack } from '../contents/lfs-files.ts';
import { type GitContext, git, gitLine, tipOf, tipsOf, updateRefs } from '../git/git-repository.ts';
import { gitSigning } from '../git/git-signing.ts';
import { listChanged } from '../git/list-changed.ts';
import { mergedRef } from '../git/mirror.ts';
import type { TaskPlace } from '../git/task-place.ts';
import { WorkspaceError } from '../workspace-error.ts';

/**
 * Outcome of a merge. `current`: there was nothing to merge; `merged`: it is committed; `conflicts`: the files are those of the
 * merge, the ones that are named hold marks of conflicts, and the next commit concludes it.
 */
export type MergeResult =
  | { readonly kind: 'current' }
  | { readonly kind: 'merged'; readonly sha: string }
  | { readonly kind: 'conflicts'; readonly files: readonly string[] };

/** Merges of the base branch into that of a task. */
export interface BaseMerging {
  /**
   * Merges the base branch, as the server has it now, into the branch. No commit that is there is changed, and everything has to
   * be committed before. Where there are conflicts, the next `commitAll` concludes the merge, once no file holds a mark of one.
   */
  readonly mergeBase: (message: string, options?: CallOptions) => Promise<MergeResult>;
  /** Gives up a merge that has conflicts; false where none is under way. */
  readonly dropMerge: (options?: CallOptions) => Promise<boolean>;
}

export interface MergeOptions extends CallOptions {
  readonly place: TaskPlace;
  /** Ref of the mirror that is merged. */
  readonly theirs: string;
  readonly message: string;
}

const doing = 'Merging';

/**
 * Merges what the server has of another branch into that of the task, without touching any commit that is there. The worktree
 * has to be as the branch is.
 *
 * @throws WorkspaceError `git-failed` where git is older than 2.38, or something in the worktree is not committed
 */
export async function mergeBranch(context: GitContext, options: MergeOptions): Promise<MergeResult> {
  const { place, theirs, message, signal } = options;
  const ours = `refs/heads/${place.branch}`;
  const [tip = null, other = null] = await tipsOf(context, place, { refs: [ours, theirs], signal });
  if (tip === null || other === null) throw fail(`${tip === null ? ours : theirs} does not exist.`);
  if ((await gitLine(context, place, { args: ['merge-base', ours, other], signal })) === other)
    return { kind: 'current' };
  await putPointersBack(context, { place, signal });
  if ((await listChanged(context, { place, signal })).length > 0)
    throw fail('something in the worktree is not committed.');
  const { tree, files } = await mergeTrees(context, options, [ours, theirs]);
  // The files first: a process that dies here leaves changes that can be seen, not a commit that lacks its files.
  await git(context, place, { args: ['read-tree', '-m', '-u', tip, tree], doing, signal });
  if (files.length > 0) {
    await updateRefs(context, place, { refs: [{ ref: mergedRef(place.branch), sha: other }], signal });
    return { kind: 'conflicts', files };
  }
  const { stdout } = await gitSigning(context, place, {
    args: ['commit-tree', tree, '-p', tip, '-p', other, '-F', '-'],
    ...{ input: message, doing, signal },
  });
  await updateRefs(context, place, { refs: [{ ref: ours, sha: stdout.trim() }], signal });
  return { kind: 'merged', sha: stdout.trim() };
}

async function mergeTrees(
  context: GitContext,
  { place, signal }: MergeOptions,
  branches: readonly [string, string],
): Promise<{ readonly tree: string; readonly files: readonly string[] }> {
  const { exitCode, stdout, stderr } = await git(context, place, {
    args: ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...branches],
    ...{ doing, anyExit: true, signal },
  });
  const [tree = '', ...files] = stdout.split('\0').filter((part) => part !== '');
  if (exitCode > 1 || !/^[0-9a-f]{40,64}$/.test(tree)) throw fail(stderr.slice(0, 500));
  return { tree, files: exitCode === 0 ? [] : [...new Set(files)] };
}

/**
 * Gives up a merge that has conflicts: the files are as the branch has them.
 *
 * @returns false where none is under way
 */
export async function dropMerge(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<boolean> {
  if ((await tipOf(context, place, { ref: mergedRef(place.branch), signal })) === null) return false;
  const args = ['read-tree', '--reset', '-u', `refs/heads/${place.branch}`];
  await git(context, place, { args, doing: 'Giving up the merge', signal });
  await updateRefs(context, place, { refs: [{ ref: mergedRef(place.branch), sha: null }], signal });
  return true;
}

/**
 * Finds the commit that a merge under way brings, so that the next commit has it as a parent; null where there is none.
 *
 * @throws WorkspaceError `unsuitable-file` where a file still holds a mark of a conflict
 */
export async function findMerged(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<string | null> {
  const merged = await tipOf(context, place, { ref: mergedRef(place.branch), signal });
  if (merged === null) return null;
  const { stdout } = await git(context, place, {
    args: ['grep', '--untracked', '-l', '-z', '-F', '-e', `<<<<<<< refs/heads/${place.branch}`],
    doing: 'Looking for conflicts',
    ...{ anyExit: true, signal },
  });
  const files = stdout.split('\0').filter((name) => name !== '');
  if (files.length === 0) return merged;
  throw new WorkspaceError(
    `The base branch was merged, and these files still hold marks of conflicts: ${files.map((name) => JSON.stringify(name)).join(', ')}. Resolve them, or give up the merge.`,
    { code: 'unsuitable-file' },
  );
}

function fail(why: string): WorkspaceError {
  return new WorkspaceError(`The branch could not be merged: ${why} Merging needs git 2.38 or newer.`, {
    code: 'git-failed',
  });
}
