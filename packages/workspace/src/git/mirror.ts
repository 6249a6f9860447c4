import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import { removeTree, temporaryFile } from '../machine/directories.ts';
import { WorkspaceError } from '../workspace-error.ts';
import type { Environment, GitPlace } from './git-environment.ts';
import { createPlainContext, type GitContext, git, gitLine, tipsOf } from './git-repository.ts';
import {
  parseCloneAddress,
  type RepositoryPlace,
  repositorySegments,
  type WorkspaceTask,
} from './workspace-task.ts';

/** The one bare copy of a repository that all its worktrees share. */
export function mirrorPlace(directory: string, task: RepositoryPlace): GitPlace {
  const path = `${join(directory, ...repositorySegments(task))}.git`;
  return { commonDirectory: path, gitDirectory: path, workTree: null, branch: null };
}

/** Names the ref of the mirror that holds a branch as the server had it at the last fetch. */
export function remoteRef(branch: string): string {
  return `refs/remotes/origin/${branch}`;
}

/** A repository on a server. */
export type RemoteRepository = Pick<WorkspaceTask, 'host' | 'repositoryPath' | 'cloneUrl'>;

/**
 * Brings the mirror up to date, making it when it is not there. What was fetched before is not fetched again.
 */
export async function fetchMirror(
  context: GitContext,
  options: { readonly task: RemoteRepository; readonly mirror: GitPlace } & CallOptions,
): Promise<void> {
  const { task, mirror, signal } = options;
  const remote = parseCloneAddress(task.cloneUrl, context);
  const isNew = await access(join(mirror.commonDirectory, 'HEAD')).then(
    () => false,
    () => true,
  );
  await git(context, mirror, {
    operation: isNew ? 'clone' : 'fetch',
    args: [
      ...[
        'fetch',
        '--quiet',
        '--prune',
        '--force',
        '--no-auto-gc',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
      ],
      ...[remote.text, '+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'],
    ],
    doing: `Fetching ${task.repositoryPath} from ${task.host}`,
    fallback: 'clone-failed',
    remote,
    signal,
  });
}

/** Fetches commits that no branch leads to any more. What the server does not give is missed later. */
export async function fetchCommits(
  context: GitContext,
  {
    task,
    mirror,
    missing,
    signal,
  }: {
    readonly task: RemoteRepository;
    readonly mirror: GitPlace;
    readonly missing: readonly string[];
  } & CallOptions,
): Promise<void> {
  const remote = parseCloneAddress(task.cloneUrl, context);
  const quiet = ['--quiet', '--no-auto-gc', '--no-recurse-submodules', '--no-write-fetch-head', '--no-tags'];
  try {
    await git(context, mirror, {
      args: ['fetch', ...quiet, remote.text, ...missing],
      doing: `Fetching ${missing.length} commits of ${task.repositoryPath}`,
      fallback: 'clone-failed',
      remote,
      signal,
    });
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'clone-failed') throw error;
  }
}

/** The commits that a task's refs lead to; null where there is no such ref. */
export interface TaskTips {
  /** The commit at which the run began; null until its worktree is finished. */
  readonly start: string | null;
  readonly branch: string | null;
  /** The server's tip at the last fetch. */
  readonly remoteBranch: string | null;
  readonly remoteBase: string | null;
}

/** Holds the commit that a worktree began at. It is written last, so a worktree without it is half-made. */
export function startRef(uuid: string): string {
  return `refs/starts/${uuid}`;
}

/** Holds the commit that a merge under way brings into a branch; there is none where nothing is merged. */
export function mergedRef(branch: string): string {
  return `refs/merges/${branch}`;
}

/** Below it, by branch: tips that a branch had before a later run moved it. */
export const keptRefs = 'refs/kept/';

/**
 * Reads all that opening a task's worktree needs to know of the mirror.
 *
 * @throws WorkspaceError `empty-repository` when the server has no branch at all
 */
export async function readTaskTips(
  context: GitContext,
  options: { readonly task: WorkspaceTask; readonly mirror: GitPlace } & CallOptions,
): Promise<TaskTips> {
  const { task, mirror, signal } = options;
  const refs = [
    startRef(task.uuid),
    `refs/heads/${task.branch}`,
    remoteRef(task.branch),
    remoteRef(task.baseBranch),
  ];
  const [start = null, branch = null, remoteBranch = null, remoteBase = null] = await tipsOf(
    context,
    mirror,
    { refs, signal },
  );
  if (remoteBranch === null && remoteBase === null) await requireCommits(context, options);
  return { start, branch, remoteBranch, remoteBase };
}

async function requireCommits(
  context: GitContext,
  { task, mirror, signal }: { readonly task: WorkspaceTask; readonly mirror: GitPlace } & CallOptions,
): Promise<void> {
  const first = await gitLine(context, mirror, {
    args: ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/remotes/origin/'],
    signal,
  });
  if (first !== null && first !== '') return;
  throw new WorkspaceError(
    `${task.repositoryPath} has no commits yet, so there is nothing to branch from. Push a first commit to ${task.baseBranch}, then start the task again.`,
    { code: 'empty-repository' },
  );
}

/**
 * The commit that a new worktree begins at: the server's tip of the task's branch, else of the base branch.
 *
 * @throws WorkspaceError `not-found` when the server has neither, or lacks a branch that must exist
 */
export function findStart(task: WorkspaceTask, { remoteBranch, remoteBase }: TaskTips): string {
  if (remoteBranch !== null) return remoteBranch;
  if (task.branchMustExist === true) throw missing(task, task.branch);
  if (remoteBase === null) throw missing(task, task.baseBranch);
  return remoteBase;
}

function missing(task: WorkspaceTask, branch: string): WorkspaceError {
  return new WorkspaceError(
    `${task.repositoryPath} has no branch "${branch}" on ${task.host}. Check that it was not deleted or renamed.`,
    { code: 'not-found' },
  );
}

/**
 * Removes lock files, and files in the making, that a killed process left in the mirror. Only right while no git
 * works in it: before its first use by this process.
 */
export async function removeStaleLocks(mirror: GitPlace): Promise<void> {
  const names = await readdir(mirror.commonDirectory, { recursive: true }).catch(ignoreMissing);
  const isStale = (name: string): boolean =>
    name.endsWith('.lock') || basename(name).startsWith(temporaryFile.prefix);
  const stale = names.filter((name) => isStale(name) && !name.startsWith('objects'));
  await Promise.all(stale.map((name) => removeTree(join(mirror.commonDirectory, name))));
}

function ignoreMissing(error: unknown): string[] {
  if ((error as { code?: unknown }).code === 'ENOENT') return [];
  throw error;
}

interface AskRemoteOptions {
  readonly cloneUrl: string;
  readonly username: string;
  readonly token: string;
  /** The environment that PATH, proxies and certificate stores are taken from. */
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the server for its branches as a run does: by git, with its login, certificates and proxies. Leaves nothing behind.
 * Resolves with the names of the branches.
 *
 * @example
 * const login = { username: 'x-access-token', token };
 * const branches = await askRemote({ cloneUrl: 'https://github.com/acme/shop.git', ...login, environment: process.env, timeoutMs: 10_000 });
 *
 * @throws WorkspaceError that says what failed and what to do
 */
export async function askRemote(options: AskRemoteOptions): Promise<readonly string[]> {
  const { cloneUrl, username, token, environment, timeoutMs, signal } = options;
  const directory = await mkdtemp(join(tmpdir(), 'agent-git-'));
  try {
    const plain = createPlainContext({ directory, environment });
    const path = join(directory, 'asked.git');
    const { stdout } = await git(
      { ...plain, username, token: () => token, timeoutMs },
      { commonDirectory: path, gitDirectory: path, workTree: null, branch: null },
      {
        args: ['ls-remote', '--quiet', '--heads', cloneUrl],
        doing: `Asking ${cloneUrl} by git`,
        fallback: 'clone-failed',
        remote: parseCloneAddress(cloneUrl, plain),
        signal,
      },
    );
    const start = '\trefs/heads/';
    return stdout.split('\n').flatMap((line) => {
      const at = line.indexOf(start);
      return at === -1 ? [] : [line.slice(at + start.length)];
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
