import type { CallOptions } from '@agent/platforms';
import type { Logger } from '@agent/text';
import { checkOptions } from '@agent/text/options';
import { checkOutSubmodules } from '../contents/check-out-submodules.ts';
import { fetchLfsFiles } from '../contents/fetch-lfs-files.ts';
import { type GitContext, tipOf } from '../git/git-repository.ts';
import { mirrorPlace, remoteRef } from '../git/mirror.ts';
import { changedFiles, countCommits, diffStat, readBaseFiles } from '../git/read-branch.ts';
import { readPatch } from '../git/read-patch.ts';
import { type TaskPlace, worktreePlace } from '../git/task-place.ts';
import {
  type CloneAddress,
  checkTask,
  parseCloneAddress,
  type WorkspaceTask,
} from '../git/workspace-task.ts';
import { createDirectoryPreparer } from '../machine/directories.ts';
import { nothingAllowedYet } from '../outgoing/judge-push.ts';
import { createOutgoingChanges } from '../outgoing/outgoing-changes.ts';
import { createProtectionReader } from '../outgoing/read-protection.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { commitAll } from './commit-all.ts';
import { dropMerge, mergeBranch } from './merge-branch.ts';
import { pushBranch } from './push-branch.ts';
import type { ChangesQuery, OpenedWorkspace } from './task-workspace.ts';
import { openWorkKeeper, readKeptWork, type SnapshotStore } from './work-keeper.ts';
import {
  type GitWorkspacesOptions,
  requiredOfWorkspaces,
  workspacesExpectations,
} from './workspaces-options.ts';
import { createWorktreeTurns } from './worktree-turns.ts';

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
  checkOptions('GitWorkspacesOptions', options, workspacesExpectations, requiredOfWorkspaces);
  const { directory, token, authorName, authorEmail, username = 'x-access-token', gitPath = 'git' } = options;
  const { fetch = globalThis.fetch, signingKey = null } = options;
  const {
    now = Date.now,
    timeoutMs = 600_000,
    environment = process.env,
    logger,
    onCommand,
    withhold,
  } = options;
  const { localRepositories = false, gate, maxSnapshotBytes = 50 * 1024 * 1024 } = options;
  const turns = createWorktreeTurns();
  const { prepare = createDirectoryPreparer(directory) } = options;
  const { protection = () => ({ rules: {}, readsFile: true }) } = options;

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
      fetch,
      timeoutMs,
      localRepositories,
      logger,
      onCommand,
      withhold,
      signingKey,
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
        logger?.info({ repository, branch, state: opened.state }, 'opened workspace');
        const keeping = { task, place, kept, opened, maxBytes: maxSnapshotBytes, signal };
        const keeper = snapshots === null ? null : await openWorkKeeper(context, { ...keeping, snapshots });
        const { findPushedSecrets: findSecrets, cleanMessage, cleanText } = gate;
        const readProtection = createProtectionReader(context, { task, place, protection });
        // As much as was asked for last: a merge brings pointers of its own.
        let lfsBytes = 0;
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
              const clean = (paths: readonly string[]) => gate.cleanMessage(toMessage(paths));
              const commit = await commitAll(context, { place, toMessage: clean, signal: stopped });
              await keeper?.keep({ signal: stopped });
              return commit;
            }),
          merging: {
            mergeBase: (message, { signal: stopped } = {}) =>
              translateStorageErrors(async () => {
                await turns.fetchRemote(context, { task, mirror, signal: stopped });
                const [theirs, clean] = [remoteRef(task.baseBranch), await gate.cleanMessage(message)];
                const merged = await mergeBranch(context, { place, theirs, message: clean, signal: stopped });
                const lfs = { task, place, maxBytes: lfsBytes, signal: stopped };
                if (merged.kind !== 'current' && lfsBytes > 0) await fetchLfsFiles(context, lfs);
                return merged;
              }),
            dropMerge: (call = {}) =>
              translateStorageErrors(() => dropMerge(context, { place, signal: call.signal })),
          },
          contents: {
            fetchLfsFiles: ({ maxBytes }, { signal: stopped } = {}) =>
              translateStorageErrors(() => {
                lfsBytes = maxBytes;
                return fetchLfsFiles(context, { task, place, maxBytes, signal: stopped });
              }),
            checkOutSubmodules: (rules, { signal: stopped } = {}) =>
              translateStorageErrors(() =>
                checkOutSubmodules(context, { task, place, rules, ...turns, signal: stopped }),
              ),
          },
          tip: ({ signal: stopped } = {}) => readTip(context, { place, signal: stopped }),
          hasCommits: async (query) => (await countCommits(context, changes(query))) > 0,
          push: ({ signal: stopped, cloneUrl = task.cloneUrl, ...push } = {}) =>
            translateStorageErrors(async () => {
              const now = { ...task, cloneUrl };
              const fetchRemote = () => turns.fetchRemote(context, { task: now, mirror, signal: stopped });
              const { allowance = nothingAllowedYet, forbidden = [] } = push;
              const checks = { findSecrets, allowance, forbidden, protection: await readProtection() };
              return pushBranch(context, { task: now, place, fetchRemote, ...checks, signal: stopped });
            }),
          outgoing: createOutgoingChanges(context, {
            task,
            place,
            readProtection,
            findSecrets,
            ...{ cleanMessage, cleanText },
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
  throw new WorkspaceError(`The branch ${place.branch} no longer exists.`, { code: 'git-failed' });
}

function warnOfPlainHttp({ server: url }: CloneAddress, logger: Pick<Logger, 'warn'> | undefined): void {
  if (url === null || url.protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)/.test(url.hostname)) return;
  logger?.warn({ host: url.host }, 'using git without TLS: token can be intercepted');
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
