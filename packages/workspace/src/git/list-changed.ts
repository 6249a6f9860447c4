import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from './git-environment.ts';
import { type GitContext, git } from './git-repository.ts';

/** Paths that differ from the branch's tip, as `git status` names them; an untracked repository ends in a slash. */
export async function listChanged(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<readonly { readonly code: string; readonly path: string }[]> {
  const { stdout } = await git(context, place, {
    args: [
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=all',
      '--no-renames',
    ],
    doing: 'Looking through the worktree',
    signal,
  });
  const entries = stdout.split('\0').filter((entry) => entry !== '');
  return entries.map((entry) => ({ code: entry.slice(0, 2), path: entry.slice(3) }));
}
