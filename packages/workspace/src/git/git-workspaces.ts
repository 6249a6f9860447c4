import type { Logger } from '@agent/text';
import type { FindPushedSecrets } from '@agent/text/outgoing';
import { WorkspaceError } from '../workspace-error.ts';
import { commitAll } from './commit-all.ts';
import { createDirectoryPreparer } from './directories.ts';
import type { Environment } from './git-environment.ts';
import { type CallOptions, type GitContext, type GitToken, tipOf } from './git-repository.ts';
import { type BaseMerging, dropMerge, mergeBranch } from './merge-branch.ts';
import { mirrorPlace, remoteRef } from './mirror.ts';
import { pushBranch } from './push-branch.ts';
import {
  type ChangedFile,
  type ChangesSince,
  changedFiles,
  countCommits,
  type DiffStat,
  diffStat,
  readBaseFiles,
} from './read-branch.ts';
import { readPatch } from './read-patch.ts';
import { type TaskPlace, worktreePlace } from './task-place.ts';
import {
  type KeepWork,
  type MovedWork,
  type OpenedWorktree,
  openWorkKeeper,
  readKeptWork,
  type SnapshotStore,
} from './work-keeper.ts';
import { type CloneAddress, checkTask, parseCloneAddress, type WorkspaceTask } from './workspace-task.ts';

import { createWorktreeTurns } from './worktree-turns.ts';

/** Options of `createGitWorkspaces`. */
export interface GitWorkspacesOptions {
  /** Directory of repositories and worktrees; made when missing. Only one process may use it at a time. */
  readonly directory: string;
  /** Prepares that directory; one function for all who share it. Default one of its own. */
  readonly prepare?: (() => Promise<string>) | undefined;
  /** Asked at each fetch and push, and once more where the server refused its answer. */
  readonly token: GitToken;
  /** The name that goes with the token. Default `x-access-token` (GitHub); GitLab wants `oauth2`. */
  readonly username?: string | undefined;
  readonly authorName: string;
  readonly authorEmail: string;
  /** Looks through what is about to be pushed, and cleans messages of commits: nothing leaves without it. */
  readonly gate: PushGate;
  /** Default `git`, from PATH. */
  readonly gitPath?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  readonly logger?: Pick<Logger, 'info' | 'warn'> | undefined;
  /** Longest time for one git command, in milliseconds. Default ten minutes. */
  readonly timeoutMs?: number | undefined;
  /**
   * True to take an absolute path or a `file:` URL for a repository's address. For platforms whose adapter the
   * configuration names, never for addresses that a server tells. Default false.
   */
  readonly localRepositories?: boolean | undefined;
  /** The environment that PATH, proxies and certificate stores are taken from. Default that of this process. */
  readonly environment?: Environment | undefined;
  /** The most that is kept of one task's work for other machines, in bytes; a file of more than a fifth is left out. Default 50 MiB. */
  readonly maxSnapshotBytes?: number | undefined;
}

/** Checks on the way from a worktree to its server. */
export interface PushGate {
  readonly cleanText: (message: string) => Promise<string>;
  readonly findPushedSecrets: FindPushedSecrets;
}

/** Worktrees of tasks, each with its branch. */
export interface GitWorkspaces {
  /**
   * Makes the task's worktree, or reuses the one that an earlier process left, changes included. With `snapshots`, work that
   * was done on another machine is restored.
   *
   * @throws WorkspaceError
   */
  readonly open: (task: WorkspaceTask, options?: OpenWorkspaceOptions) => Promise<OpenedWorkspace>;
  /**
   * Removes the task's worktree, also one that an earlier process opened or half removed. Commits that were not
   * pushed stay in the repository's copy.
   *
   * @throws WorkspaceError
   */
  readonly remove: (task: WorkspaceTask, options?: CallOptions) => Promise<void>;
}

export interface OpenWorkspaceOptions extends CallOptions {
  /** Keeps the work where other machines find it. Default null: it stays on this one. */
  readonly snapshots?: SnapshotStore | null | undefined;
}

/** One task's worktree. Every function rejects with `WorkspaceError`. */
export interface TaskWorkspace {
  /** Absolute, without links. */
  readonly path: string;
  readonly branch: string;
  readonly baseBranch: string;
  /** `reused` when an earlier process had opened it already; `restored` from what was kept of one on another machine. */
  readonly state: OpenedWorktree['state'];
  /** Directories that a sandbox must keep from being written to, so that git can be trusted. */
  readonly gitDirectories: readonly string[];
  /** Private directory outside the worktree, for the homes of commands. */
  readonly homesDirectory: string;
  /** Files as they are on the base branch, in the order of the paths; null for what is not there. */
  readonly readBaseFiles: (
    paths: readonly string[],
    options?: CallOptions,
  ) => Promise<readonly (string | null)[]>;
  /** Commits everything, under a message made of the paths that it changes, and keeps it; null when nothing changed. */
  readonly commitAll: (
    toMessage: (changedFiles: readonly string[]) => string,
    options?: CallOptions,
  ) => Promise<{ readonly sha: string } | null>;
  /** Gives the SHA of the branch's last commit. */
  readonly tip: (options?: CallOptions) => Promise<string>;
  /** Tells whether the branch has commits that the base branch (default) or the start of this run lacks. */
  readonly hasCommits: (options?: ChangesQuery) => Promise<boolean>;
  /**
   * Brings the branch to the server, at the address that the repository has now. Repeating it is safe. Rejects with
   * `SecretsInChanges` when there are any.
   */
  readonly push: (options?: PushOptions) => Promise<{ readonly sha: string }>;
  readonly diffStat: (options?: ChangesQuery) => Promise<DiffStat>;
  readonly changedFiles: (options?: ChangesQuery) => Promise<readonly ChangedFile[]>;
  /** Reads what this run has changed by now, committed or not, as a unified diff; null for nothing. */
  readonly readPatch: (options?: CallOptions) => Promise<string | null>;
}

/** A worktree, with what moves between machines and branches. */
export interface OpenedWorkspace extends TaskWorkspace {
  readonly merging: BaseMerging;
  /** Tells, as long as this worktree is used, which work on other machines is not here; null where none was done there. */
  readonly moved: (MovedWork & { /** Names it among all. */ readonly worktree: string }) | null;
  /** Keeps the work as it is now for other machines; null where it was opened without `snapshots`. */
  readonly keep: KeepWork | null;
}

interface PushOptions extends CallOptions {
  /** Present address of the repository. Default: the one with which the workspace was opened. */
  readonly cloneUrl?: string | undefined;
}

interface ChangesQuery extends CallOptions {
  /** Default `base`. */
  readonly since?: ChangesSince | undefined;
}

/**
 * Worktrees for tasks: one bare copy per repository, one worktree and branch per task.
 *
 * @example
 * const gate = createOutgoingGate({ secrets: [token], places: [] });
 * const author = { authorName: 'Agent', authorEmail: 'agent@example.com' };
 * const workspaces = createGitWorkspaces({ directory: '/srv/workspaces', token: () => token, gate, ...author });
 * const workspace = await workspaces.open(task);
 * await workspace.commitAll(() => 'Fix the total');
 * await workspace.push();
 */
export function createGitWorkspaces(options: GitWorkspacesOptions): GitWorkspaces {
  const { directory, token, authorName, authorEmail, username = 'x-access-token', gitPath = 'git' } = options;
  const { now = Date.now, timeoutMs = 600_000, environment = process.env, logger } = options;
  const { localRepositories = false, gate, maxSnapshotBytes = 50 * 1024 * 1024 } = options;
  const turns = createWorktreeTurns();
  const { prepare = createDirectoryPreparer(directory) } = options;

  async function contextOf(): Promise<GitContext> {
    const identity = { name: authorName, email: authorEmail };
    return {
      directory: await prepare(),
      gitPath,
      identity,
      token,
      username,
      inherited: environment,
      now,
      timeoutMs,
      localRepositories,
      logger,
    };
  }

  return {
    open: (task, { signal, snapshots = null } = {}) =>
      translateStorageErrors(async () => {
        checkTask(task, { localRepositories });
        warnOfPlainHttp(parseCloneAddress(task.cloneUrl, { localRepositories }), logger);
        const context = await contextOf();
        const mirror = mirrorPlace(context.directory, task);
        const place = worktreePlace(context.directory, { task, mirror });
        const kept = await readKeptWork(snapshots, task.uuid);
        const earlier = kept === null ? await readKeptWork(snapshots, task.goesOnFrom ?? null) : null;
        const opened = await turns.open(context, { task, mirror, place, kept, earlier, signal });
        const { repositoryPath: repository, branch } = task;
        logger?.info({ repository, branch, state: opened.state }, 'workspace opened');
        const keeping = { task, place, kept, opened, maxBytes: maxSnapshotBytes, signal };
        const keeper = snapshots === null ? null : await openWorkKeeper(context, { ...keeping, snapshots });
        const changes = ({ since = 'base', ...rest }: ChangesQuery = {}) => ({
          task,
          place,
          since,
          signal: rest.signal,
        });
        return {
          path: place.workTree,
          branch,
          baseBranch: task.baseBranch,
          state: opened.state,
          moved: keeper && opened.moved && { ...opened.moved, worktree: keeper.worktree },
          keep: keeper?.keep ?? null,
          gitDirectories: [mirror.commonDirectory],
          homesDirectory: context.directory,
          readBaseFiles: (paths, call = {}) =>
            readBaseFiles(context, { task, place, paths, signal: call.signal }),
          commitAll: (toMessage, { signal: stopped } = {}) =>
            translateStorageErrors(async () => {
              const clean = (paths: readonly string[]) => gate.cleanText(toMessage(paths));
              const commit = await commitAll(context, { place, toMessage: clean, signal: stopped });
              await keeper?.keep({ signal: stopped });
              return commit;
            }),
          merging: {
            mergeBase: (message, { signal: stopped } = {}) =>
              translateStorageErrors(async () => {
                await turns.fetchRemote(context, { task, mirror, signal: stopped });
                const [theirs, clean] = [remoteRef(task.baseBranch), await gate.cleanText(message)];
                return mergeBranch(context, { place, theirs, message: clean, signal: stopped });
              }),
            dropMerge: (call = {}) =>
              translateStorageErrors(() => dropMerge(context, { place, signal: call.signal })),
          },
          tip: ({ signal: stopped } = {}) => readTip(context, { place, signal: stopped }),
          hasCommits: async (query) => (await countCommits(context, changes(query))) > 0,
          push: ({ signal: stopped, cloneUrl = task.cloneUrl } = {}) =>
            translateStorageErrors(() => {
              const now = { ...task, cloneUrl };
              const fetchRemote = () => turns.fetchRemote(context, { task: now, mirror, signal: stopped });
              const { findPushedSecrets: findSecrets } = gate;
              return pushBranch(context, { task: now, place, fetchRemote, findSecrets, signal: stopped });
            }),
          diffStat: (query) => diffStat(context, changes(query)),
          changedFiles: (query) => changedFiles(context, changes(query)),
          readPatch: ({ signal: stopped } = {}) =>
            translateStorageErrors(() => readPatch(context, { task, place, signal: stopped })),
        };
      }),
    remove: (task, { signal } = {}) =>
      translateStorageErrors(async () => {
        checkTask(task, { localRepositories });
        const context = await contextOf();
        const mirror = mirrorPlace(context.directory, task);
        const place = worktreePlace(context.directory, { task, mirror });
        await turns.remove(context, { task, mirror, place, signal });
      }),
  };
}

async function readTip(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<string> {
  const sha = await tipOf(context, place, { ref: `refs/heads/${place.branch}`, signal });
  if (sha !== null) return sha;
  throw new WorkspaceError(`The branch ${place.branch} vanished.`, { code: 'git-failed' });
}

function warnOfPlainHttp({ server: url }: CloneAddress, logger: Pick<Logger, 'warn'> | undefined): void {
  if (url === null || url.protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)/.test(url.hostname)) return;
  logger?.warn({ host: url.host }, 'git talks to this host without TLS: the token can be read on the way');
}

/** Gives a full or broken disk below our own file operations the same words as one that git met. */
async function translateStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code, path } = cause as { code?: unknown; path?: unknown };
    if (cause instanceof WorkspaceError || typeof code !== 'string') throw cause;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      const message = `No space is left at ${String(path)}. Free space on that disk, then start the task again.`;
      throw new WorkspaceError(message, { code: 'storage-full', cause });
    }
    if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) {
      const message = `${String(path)} cannot be written to (${code}). Give the daemon's user a directory there.`;
      throw new WorkspaceError(message, { code: 'invalid', cause });
    }
    throw cause;
  }
}
