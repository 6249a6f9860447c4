import type { CallOptions } from '@agent/platforms';
import { type GitContext, git, gitLine, tipOf, updateRefs } from '../git/git-repository.ts';
import type { TaskPlace } from '../git/task-place.ts';

const message = 'Held changes, never pushed';

/** Held changes while they are a commit on top of the branch. */
export interface CommittedHeld {
  /** Takes the commit off the branch; the worktree keeps its files. */
  readonly leave: () => Promise<void>;
}

/**
 * Makes a commit of the held changes in the worktree, so that git moves them together with the branch.
 *
 * @returns null if there are none
 */
export async function commitHeld(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<CommittedHeld | null> {
  const ref = `refs/heads/${place.branch}`;
  const doing = 'Moving held changes';
  const tip = await tipOf(context, place, { ref, signal });
  const { stdout } = await git(context, place, { args: ['write-tree'], doing, signal });
  const tree = stdout.trim();
  if (
    tip === null ||
    tree === (await gitLine(context, place, { args: ['rev-parse', `${tip}^{tree}`], signal }))
  )
    return null;
  const made = await git(context, place, {
    args: ['commit-tree', tree, '-p', tip, '-m', message],
    doing,
    signal,
  });
  await updateRefs(context, place, { refs: [{ ref, sha: made.stdout.trim() }], signal });
  return {
    leave: async () => {
      const last = await gitLine(context, place, { args: ['log', '-1', '--format=%s', ref], signal });
      // Git drops it if the server has the same by now.
      if (last !== message) return;
      const parent = await tipOf(context, place, { ref: `${ref}^`, signal });
      if (parent !== null) await updateRefs(context, place, { refs: [{ ref, sha: parent }], signal });
    },
  };
}
