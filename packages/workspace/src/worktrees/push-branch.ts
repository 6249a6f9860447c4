import type { CallOptions } from '@agent/platforms';
import type { FindPushedSecrets } from '@agent/text/outgoing';
import { putPointersBack } from '../contents/lfs-files.ts';
import { explainGitFailure, isRefConflict } from '../git/explain-git-failure.ts';
import {
  type GitContext,
  git,
  gitLine,
  tipOf,
  updateRefs,
  type WithheldPush,
} from '../git/git-repository.ts';
import { gitSigning } from '../git/git-signing.ts';
import { remoteRef } from '../git/mirror.ts';
import { changedFiles } from '../git/read-branch.ts';
import type { GitResult } from '../git/run-git.ts';
import type { TaskPlace } from '../git/task-place.ts';
import { parseCloneAddress, type WorkspaceTask } from '../git/workspace-task.ts';
import { commitHeld } from '../outgoing/commit-held.ts';
import { findRefusedSecrets, SecretsInChanges, takeBackCommits } from '../outgoing/find-secrets.ts';
import { type JudgePushOptions, refuseHeldChanges } from '../outgoing/judge-push.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { dropMerge, mergeBranch } from './merge-branch.ts';
import { dropRebase } from './worktree.ts';

interface PushOptions extends CallOptions, Pick<JudgePushOptions, 'protection' | 'allowance'> {
  readonly task: WorkspaceTask;
  readonly place: TaskPlace;
  /** Branches that must never be pushed to. */
  readonly forbidden: readonly string[];
  /** Brings what the server has into the repository's copy. */
  readonly fetchRemote: () => Promise<void>;
  readonly findSecrets: FindPushedSecrets;
}

/**
 * Pushes the branch; a server that has it already is fine. Where pushes are withheld, the checks are the same and nothing is sent. When somebody else pushed to the branch meanwhile, our
 * commits are put on top of theirs once.
 *
 * @throws SecretsInChanges, ChangesHeld before anything is sent; WorkspaceError `branch-forbidden`; `push-rejected` when that conflicts or the server refuses; the local commits are kept
 */
export async function pushBranch(
  context: GitContext,
  options: PushOptions,
): Promise<{ readonly sha: string }> {
  refuseBranch(options);
  await refuseSecrets(context, options);
  await refuseHeldChanges(context, options);
  if (context.withhold !== undefined) {
    context.withhold(await describePush(context, options));
    return remember(context, options);
  }
  const first = await pushOnce(context, options);
  if (first.exitCode === 0) return remember(context, options);
  // Nothing that is fetched changes a name that cannot exist.
  if (isRefConflict(`${first.stdout}\n${first.stderr}`) || !isBehind(first)) throw failed(options, first);
  await rebaseOntoServer(context, options);
  const second = await pushOnce(context, options);
  if (second.exitCode === 0) return remember(context, options);
  throw failed(options, second);
}

function refuseBranch({ task: { branch, repositoryPath }, forbidden }: PushOptions): void {
  if (!forbidden.includes(branch)) return;
  throw new WorkspaceError(
    `${branch} of ${repositoryPath} was not pushed to: it is the default branch, a protected branch, or the base branch of another open request.`,
    { code: 'branch-forbidden' },
  );
}

/** @throws SecretsInChanges when there is a secret in what the server would get; the commits are taken back then */
async function refuseSecrets(context: GitContext, options: PushOptions): Promise<void> {
  const refused = await findRefusedSecrets(context, options);
  if (refused.length === 0) return;
  await takeBackCommits(context, options);
  throw new SecretsInChanges(options.task.branch, refused);
}

/** Lists what the server would get. */
async function describePush(
  context: GitContext,
  { task, place, signal }: PushOptions,
): Promise<WithheldPush> {
  const { branch, repositoryPath: repository } = task;
  const args = [
    ...['log', '-z', '--reverse', '--format=%H%n%B', `refs/heads/${branch}`],
    ...['--not', `--glob=${remoteRef('*')}`],
  ];
  const { stdout } = await git(context, place, { args, doing: `Listing the commits of ${branch}`, signal });
  const commits = stdout
    .split('\0')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const [sha = '', ...message] = entry.split('\n');
      return { sha, message: message.join('\n').trim() };
    });
  const files = await changedFiles(context, { task, place, since: 'base', signal });
  return { repository, branch, commits, files };
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
  if (await mergesOntoServer(context, { task, place, signal })) return;
  await putPointersBack(context, { place, signal });
  const held = await commitHeld(context, { place, signal });
  const result = await gitSigning(context, place, {
    args: ['rebase', '--quiet', '--no-autostash', '--no-stat', remoteRef(task.branch)],
    doing: `Rebasing ${task.branch}`,
    anyExit: true,
    signal,
  });
  if (result.exitCode === 0) return held?.leave();
  await dropRebase(context, { place, signal });
  await held?.leave();
  throw conflicting(task, result.stderr);
}

/**
 * Merges what others pushed where our commits hold a merge: to put that on top of theirs would write commits of people anew.
 *
 * @returns false where there is no merge among ours
 */
async function mergesOntoServer(
  context: GitContext,
  { task, place, signal }: Pick<PushOptions, 'task' | 'place' | 'signal'>,
): Promise<boolean> {
  const theirs = remoteRef(task.branch);
  const args = [
    'rev-list',
    '--merges',
    '--count',
    `refs/heads/${task.branch}`,
    '--not',
    `--glob=${remoteRef('*')}`,
  ];
  if ((await gitLine(context, place, { args, signal })) === '0') return false;
  const message = `Merge commits pushed to ${task.branch}\n`;
  const { kind } = await mergeBranch(context, { place, theirs, message, signal });
  if (kind !== 'conflicts') return true;
  await dropMerge(context, { place, signal });
  throw conflicting(task, 'the merge has conflicts');
}

function conflicting(task: WorkspaceTask, why: string): WorkspaceError {
  return new WorkspaceError(
    `Someone else pushed to ${task.branch}, and those commits conflict with ours. Our commits are kept in the local branch. Resolve the conflict on the branch, or start the task again from its current state.`,
    { code: 'push-rejected', cause: new Error(why.slice(0, 2000)) },
  );
}

async function remember(
  context: GitContext,
  { task, place, signal }: PushOptions,
): Promise<{ readonly sha: string }> {
  const sha = await tipOf(context, place, { ref: `refs/heads/${task.branch}`, signal });
  if (sha === null)
    throw new WorkspaceError(`The branch ${task.branch} no longer exists.`, { code: 'git-failed' });
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
