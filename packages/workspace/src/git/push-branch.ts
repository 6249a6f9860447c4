import { type FindPushedSecrets, type Patch, type PushedSecret, toPatch } from '@agent/text/outgoing';
import { putPointersBack } from '../contents/lfs-files.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { explainGitFailure, isRefConflict } from './explain-git-failure.ts';
import type { GitPlace } from './git-environment.ts';
import {
  type CallOptions,
  type GitContext,
  git,
  gitLine,
  tipOf,
  tipsOf,
  updateRefs,
} from './git-repository.ts';
import { gitSigning } from './git-signing.ts';
import { dropMerge, mergeBranch } from './merge-branch.ts';
import { remoteRef } from './mirror.ts';
import type { GitResult } from './run-git.ts';
import type { TaskPlace } from './task-place.ts';
import { parseCloneAddress, type WorkspaceTask } from './workspace-task.ts';
import { dropRebase } from './worktree.ts';

interface PushOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly place: TaskPlace;
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
  // Nothing that is fetched changes a name that cannot exist.
  if (isRefConflict(`${first.stdout}\n${first.stderr}`) || !isBehind(first)) throw failed(options, first);
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
  if (await mergesOntoServer(context, { task, place, signal })) return;
  await putPointersBack(context, { place, signal });
  const result = await gitSigning(context, place, {
    args: ['rebase', '--quiet', '--no-autostash', '--no-stat', remoteRef(task.branch)],
    doing: `Rebasing ${task.branch}`,
    anyExit: true,
    signal,
  });
  if (result.exitCode === 0) return;
  await dropRebase(context, { place, signal });
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

/** Place of a secret, never its value. The fingerprint is for the log alone: of a short value it tells too much. */
export type SecretPlace = Pick<PushedSecret, 'path' | 'line' | 'kind' | 'fingerprint'>;

/** Thrown instead of a push. The commits are taken back, and the files stay as they are in the worktree. */
export class SecretsInChanges extends WorkspaceError {
  readonly places: readonly SecretPlace[];

  constructor(branch: string, places: readonly SecretPlace[]) {
    const list = places.map(
      ({ path, line, kind }) => `${path}${typeof line === 'number' ? `:${line}` : ''} (${kind})`,
    );
    super(`${branch} was not pushed: its changes contain possible secrets: ${list.join(', ')}.`, {
      code: 'secrets-found',
    });
    this.places = places;
  }
}

/** More are not told. */
const maxPlaces = 50;

/**
 * Looks through every line that the server would get and does not have.
 *
 * @throws SecretsInChanges when there is a secret among them
 */
async function refuseSecrets(context: GitContext, options: PushOptions): Promise<void> {
  const found = await options.findSecrets(await readPatch(context, options), options);
  if (found.length === 0) return;
  const told = await listToldLines(context, found, options);
  const refused = found.filter(({ isOwn, value }) => isOwn || !told.has(value));
  if (refused.length === 0) return;
  await takeBackCommits(context, options);
  const distinct = new Map(
    refused
      .slice(0, maxPlaces)
      .map(toPlace)
      .map((place) => [JSON.stringify(place), place]),
  );
  throw new SecretsInChanges(options.task.branch, [...distinct.values()]);
}

function toPlace({ path, line, kind, fingerprint }: PushedSecret): SecretPlace {
  return { path, line, kind, fingerprint };
}

/** Which of these lines the server has already, wherever they stand: pushing them again tells nobody anything. */
async function listToldLines(
  context: GitContext,
  found: readonly PushedSecret[],
  { task, place, signal }: PushOptions,
): Promise<ReadonlySet<string>> {
  const refs = [remoteRef(task.branch), remoteRef(task.baseBranch)];
  const trees = (await tipsOf(context, place, { refs, signal })).filter((sha) => sha !== null);
  const lines = new Set(found.flatMap(({ isOwn, value }) => (isOwn ? [] : [value])));
  if (trees.length === 0 || lines.size === 0) return new Set();
  const { stdout } = await git(context, place, {
    args: ['grep', '-h', '--only-matching', '--fixed-strings', '--text', '--no-color', '-f', '-', ...trees],
    input: `${[...lines].join('\n')}\n`,
    doing: 'Looking for values in the repository',
    anyExit: true,
    signal,
  });
  return new Set(stdout.split('\n'));
}

/** Puts the branch back to what the server has, so that the next commit holds what is in the worktree then and nothing else. */
async function takeBackCommits(context: GitContext, { place, signal }: PushOptions): Promise<void> {
  const ref = `refs/heads/${place.branch}`;
  const { stdout } = await git(context, place, {
    args: ['rev-list', '--first-parent', ref, '--not', `--glob=${remoteRef('*')}`],
    doing: 'Taking back the commits',
    signal,
  });
  const oldest = stdout.trim().split('\n').at(-1) ?? '';
  const parent = await gitLine(context, place, {
    args: ['rev-parse', '--verify', '--quiet', `${oldest}^`],
    signal,
  });
  if (parent === null) return;
  await updateRefs(context, place, { refs: [{ ref, sha: parent }], signal });
}

/** As much of a patch as is looked through, bytes. */
const maxPatchBytes = 64 * 1_048_576;

/**
 * Reads what the commits add that the server does not have, commit by commit: what a later one takes out again is pushed too. Beyond
 * 64 MiB it is cut.
 */
async function readPatch(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<Patch> {
  const format = [
    '--format=',
    '--no-color',
    '--unified=0',
    '--text',
    '--no-renames',
    '-m',
    '--no-indent-heuristic',
  ];
  const plain = ['--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short'];
  const range = [`refs/heads/${place.branch}`, '--not', `--glob=${remoteRef('*')}`];
  const chunks: Buffer[] = [];
  let size = 0;
  await git(context, place, {
    args: ['-c', 'core.quotePath=false', 'log', '--patch', ...format, ...plain, ...range, '--'],
    doing: `Reading what ${place.branch} would push`,
    onOutput: (chunk) => {
      if (size <= maxPatchBytes) chunks.push(chunk);
      size += chunk.length;
    },
    signal,
  });
  return toPatch(chunks, maxPatchBytes);
}
