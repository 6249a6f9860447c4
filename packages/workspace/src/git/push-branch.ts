import type { FindPushedSecrets } from '@agent/text/outgoing';
import { WorkspaceError } from '../workspace-error.ts';
import { parseCloneAddress } from './clone-address.ts';
import { explainGitFailure } from './explain-git-failure.ts';
import type { GitPlace } from './git-environment.ts';
import { type CallOptions, type GitContext, git, tipOf, updateRefs } from './git-repository.ts';
import { remoteRef } from './mirror.ts';
import { refuseSecrets } from './refuse-secrets.ts';
import type { GitResult } from './run-git.ts';
import type { WorkspaceTask } from './workspace-task.ts';
import { dropRebase } from './worktree.ts';

export interface PushOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly place: GitPlace;
  /** Brings what the server has into the repository's copy. */
  readonly fetchRemote: () => Promise<void>;
  readonly findSecrets: FindPushedSecrets;
}

/**
 * Pushes the branch; a server that has it already is fine. When somebody else pushed to the branch meanwhile, our
 * commits are put on top of theirs once.
 *
 * @throws SecretsInChanges before anything is sent; WorkspaceError `push-rejected` when that conflicts or the server refuses; the local commits are kept
 */
export async function pushBranch(
  context: GitContext,
  options: PushOptions,
): Promise<{ readonly sha: string }> {
  await refuseSecrets(context, options);
  const first = await pushOnce(context, options);
  if (first.exitCode === 0) return remember(context, options);
  if (!isBehind(first)) throw failed(options, first);
  await rebaseOntoServer(context, options);
  const second = await pushOnce(context, options);
  if (second.exitCode === 0) return remember(context, options);
  throw failed(options, second);
}

function pushOnce(context: GitContext, { task, place, signal }: PushOptions): Promise<GitResult> {
  const ref = `refs/heads/${task.branch}`;
  const remote = parseCloneAddress(task.cloneUrl, context);
  return git(context, place, {
    args: [
      ...['push', '--porcelain', '--no-verify', '--no-signed', '--no-follow-tags', '--recurse-submodules=no'],
      ...[remote.text, `${ref}:${ref}`],
    ],
    doing: `Pushing ${task.branch}`,
    remote,
    anyExit: true,
    signal,
  });
}

function isBehind(result: GitResult): boolean {
  return /\[rejected\]|\[remote rejected\][^\n]{0,999}(?:non-fast-forward|fetch first|cannot lock ref|incorrect old value)/.test(
    result.stdout,
  );
}

async function rebaseOntoServer(
  context: GitContext,
  { task, place, fetchRemote, signal }: PushOptions,
): Promise<void> {
  await fetchRemote();
  const result = await git(context, place, {
    args: ['rebase', '--quiet', '--no-autostash', '--no-stat', remoteRef(task.branch)],
    doing: `Rebasing ${task.branch}`,
    anyExit: true,
    signal,
  });
  if (result.exitCode === 0) return;
  await dropRebase(context, { place, signal });
  throw new WorkspaceError(
    `Somebody else pushed to ${task.branch} and their commits conflict with ours. Our commits are kept in the local branch; resolve the conflict on the branch, or start the task again so that it begins from what is there.`,
    { code: 'push-rejected', cause: new Error(result.stderr.slice(0, 2000)) },
  );
}

async function remember(
  context: GitContext,
  { task, place, signal }: PushOptions,
): Promise<{ readonly sha: string }> {
  const sha = await tipOf(context, place, { ref: `refs/heads/${task.branch}`, signal });
  if (sha === null) throw new WorkspaceError(`The branch ${task.branch} vanished.`, { code: 'git-failed' });
  await updateRefs(context, place, { refs: [{ ref: remoteRef(task.branch), sha }], signal });
  return { sha };
}

function failed({ task }: PushOptions, result: GitResult): WorkspaceError {
  return explainGitFailure({
    doing: `Pushing ${task.branch} to ${task.repositoryPath}`,
    stderr: `${result.stdout}\n${result.stderr}`,
    fallback: 'git-failed',
  });
}
