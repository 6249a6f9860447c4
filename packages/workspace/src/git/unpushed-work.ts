import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git, gitLine, tipOf } from './git-repository.ts';
import { remoteRef, startRef } from './mirror.ts';
import type { WorkspaceTask } from './workspace-task.ts';

/** What an earlier run changed and the server has not. */
export interface UnpushedWork {
  /** Its last commit. */
  readonly tip: string;
  /** The last commit that the server has, too: below it nothing is the run's. */
  readonly base: string;
}

/**
 * Finds what the run that a task goes on from could not push, or did not because the branch belongs to people. Null
 * where everything is on the server, where the run's worktree is gone, and where what it began from was taken off the
 * branch: then somebody does not want it there.
 */
export async function findUnpushedWork(
  context: GitContext,
  {
    task,
    place,
    serverTip,
    signal,
  }: { readonly task: WorkspaceTask; readonly place: GitPlace; readonly serverTip: string } & CallOptions,
): Promise<UnpushedWork | null> {
  if (!task.goesOnFrom) return null;
  const gitDirectory = join(place.commonDirectory, 'worktrees', task.goesOnFrom);
  if ((await lstat(gitDirectory).catch(() => null)) === null) return null;
  const mirror = { ...place, gitDirectory: place.commonDirectory, workTree: null, branch: null };
  const tip = await tipOf(context, { ...mirror, gitDirectory }, { ref: 'HEAD', signal });
  const start = await tipOf(context, mirror, { ref: startRef(task.goesOnFrom), signal });
  if (tip === null || start === null) return null;
  const line = (args: readonly string[]) => gitLine(context, mirror, { args, signal });
  if ((await line(['rev-list', '--count', tip, '--not', `--glob=${remoteRef('*')}`])) === '0') return null;
  const base = await line(['merge-base', tip, serverTip]);
  if (base === null) return null;
  const args = ['merge-base', '--is-ancestor', start, base];
  const { exitCode } = await git(context, mirror, { args, doing: 'Comparing', anyExit: true, signal });
  return exitCode === 0 ? { tip, base } : null;
}
