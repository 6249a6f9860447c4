import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, gitLine, tipOf, updateRefs } from '../git/git-repository.ts';
import {
  findStart,
  keptRefs,
  mergedRef,
  readTaskTips,
  remoteRef,
  startRef,
  type TaskTips,
} from '../git/mirror.ts';
import type { TaskPlace } from '../git/task-place.ts';
import type { WorkspaceTask } from '../git/workspace-task.ts';
import { dropSpecialFiles } from '../git/worktree-files.ts';
import { removeTree, temporaryFile } from '../machine/directories.ts';
import { restoreWhole, wholeRef } from '../outgoing/outgoing-changes.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { restoreSnapshot, takeIn } from './restore-snapshot.ts';
import { type KeptWork, type OpenedWorktree, readWorktreeName } from './work-keeper.ts';

interface WorktreeOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly mirror: GitPlace;
  readonly place: TaskPlace;
}

/** Work that is kept for other machines; null for none. */
export interface KeptWorks {
  /** The run's own. */
  readonly kept: KeptWork | null;
  /** That of the run which it goes on from. */
  readonly earlier: KeptWork | null;
}

/**
 * Makes the task's worktree, or puts in order the one that an earlier process left: what it changed stays, its
 * locks and half-done steps go. One that was never finished is made anew. Work that was kept of another worktree is
 * restored; where that cannot be, the run goes on with what is here.
 *
 */
export async function ensureWorktree(
  context: GitContext,
  { kept, earlier, ...options }: WorktreeOptions & KeptWorks,
): Promise<OpenedWorktree> {
  const { place, signal } = options;
  const tips = await readTaskTips(context, options);
  const isThere = tips.start !== null && tips.branch !== null && (await isDirectory(place.workTree));
  const isElsewhere = kept !== null && !(isThere && kept.worktree === (await readWorktreeName(place)));
  const problem = isElsewhere ? await restoreWork(context, { ...options, kept, tip: tips.branch }) : null;
  if (isElsewhere && problem === null) {
    const { state, missing } = kept;
    return { state: 'restored', moved: { leftOut: state?.leftOut ?? [], missing } };
  }
  const moved = problem === null ? (kept?.moved ?? null) : { leftOut: [], missing: problem };
  if (isThere) {
    await dropSpecialFiles(context, place);
    await repairWorktree(context, options);
    await restoreWhole(context, options);
    await removeTemporaryFiles(context, { place, signal });
    return { state: 'reused', moved };
  }
  await createWorktree(context, { ...options, earlier }, tips);
  return { state: 'created', moved };
}

/** @returns why it cannot be restored; null where it was */
async function restoreWork(
  context: GitContext,
  options: WorktreeOptions & { readonly kept: KeptWork; readonly tip: string | null },
): Promise<string | null> {
  const { state, bundle, missing } = options.kept;
  if (state === null || bundle === null) return missing ?? 'no snapshot of it was kept';
  return restoreSnapshot(context, { ...options, state, bundle });
}

/**
 * Until the refs are written, last of all, a process that dies leaves nothing but a worktree to make anew. What an
 * earlier run left unpushed becomes changes of this one: a commit of it could hold what must not be pushed.
 */
async function createWorktree(
  context: GitContext,
  { task, mirror, place, earlier, signal }: WorktreeOptions & Pick<KeptWorks, 'earlier'>,
  tips: TaskTips,
): Promise<void> {
  await removeTree(place.workTree);
  await removeTree(place.gitDirectory);
  const ownTip = tips.start === null ? null : tips.branch;
  const serverTip = ownTip ?? findStart(task, tips);
  if (ownTip === null) requireHead(task, serverTip);
  const finding = { task, mirror, place, serverTip, earlier, signal };
  const left = ownTip === null ? await findUnpushedWork(context, finding) : null;
  const sha = left?.base ?? serverTip;
  await git(context, place, {
    args: ['read-tree', '--reset', '-u', left?.tip ?? sha],
    doing: `Checking out ${task.branch}`,
    signal,
  });
  const branch = { ref: `refs/heads/${task.branch}`, sha };
  if (tips.branch !== null && tips.branch !== sha) {
    // Commits that only a dead run's branch had stay reachable. The start must not stand before the branch is moved.
    const kept = { ref: `${keptRefs}${task.branch}/${tips.branch}`, sha: tips.branch };
    await updateRefs(context, mirror, { refs: [kept, branch], signal });
  }
  const start = { ref: startRef(task.uuid), sha: tips.start ?? sha };
  const noMerge = { ref: mergedRef(task.branch), sha: null };
  await updateRefs(context, mirror, { refs: [noMerge, branch, start], signal });
}

function requireHead({ head = null, branch }: WorkspaceTask, sha: string): void {
  if (head === null || head === '' || head === sha) return;
  throw new WorkspaceError(
    `The branch ${branch} is at ${sha.slice(0, 12)}, but was at ${head.slice(0, 12)} when the task was assigned: someone has pushed to it since. Review the new commits, then assign the task again.`,
    { code: 'invalid' },
  );
}

async function repairWorktree(context: GitContext, { task, place, signal }: WorktreeOptions): Promise<void> {
  await removeTree(join(place.gitDirectory, 'index.lock'));
  if (await hadRebase(place)) {
    await dropRebase(context, { place, signal });
    return;
  }
  const index = await gitLine(context, place, {
    args: ['ls-files', '--cached', '--error-unmatch', '-z', '.'],
    signal,
  });
  if (index !== null && (await exists(join(place.gitDirectory, 'index')))) return;
  await removeTree(join(place.gitDirectory, 'index'));
  await git(context, place, {
    args: ['read-tree', `refs/heads/${task.branch}`],
    doing: 'Repairing the index',
    signal,
  });
}

/** Files that were just being written when the process died; the model need not wonder about them. */
async function removeTemporaryFiles(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<void> {
  const pattern = `${temporaryFile.prefix}*${temporaryFile.suffix}`;
  const { stdout } = await git(context, place, {
    args: ['ls-files', '--others', '--ignored', `--exclude=${pattern}`, '-z'],
    doing: 'Looking for files in the making',
    signal,
  });
  for (const path of stdout.split('\0').filter(Boolean)) await removeTree(join(place.workTree, path));
}

/** Ends a rebase that did not get through: the branch never moved, the files go back to it. */
export async function dropRebase(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<void> {
  for (const name of [
    'rebase-merge',
    'rebase-apply',
    'REBASE_HEAD',
    'CHERRY_PICK_HEAD',
    'AUTO_MERGE',
    'index.lock',
  ]) {
    await removeTree(join(place.gitDirectory, name));
  }
  await git(context, place, {
    args: ['read-tree', '--reset', '-u', `refs/heads/${place.branch}`],
    doing: 'Going back to the branch',
    signal,
  });
}

async function hadRebase(place: GitPlace): Promise<boolean> {
  return (
    (await exists(join(place.gitDirectory, 'rebase-merge'))) ||
    exists(join(place.gitDirectory, 'rebase-apply'))
  );
}

/** Removes the worktree. The local branch goes too when the server has every commit of it. */
export async function removeWorktree(
  context: GitContext,
  { task, mirror, place, tidy, signal }: WorktreeOptions & { readonly tidy: boolean },
): Promise<void> {
  await removeTree(place.workTree);
  await removeTree(place.gitDirectory);
  const local = `refs/heads/${task.branch}`;
  const unpushed = await gitLine(context, mirror, {
    args: ['rev-list', '--count', local, '--not', `--glob=${remoteRef('*')}`],
    signal,
  });
  const gone = [
    startRef(task.uuid),
    wholeRef(task),
    mergedRef(task.branch),
    ...(unpushed === '0' ? [local] : []),
  ];
  await updateRefs(context, mirror, { refs: gone.map((ref) => ({ ref, sha: null })), signal });
  if (!tidy) return;
  // Small packs of many fetches are joined now and then; that this fails is no reason to fail the task.
  const args = ['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet'];
  await git(context, mirror, { args, doing: 'Tidying up', anyExit: true, signal });
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** Changes of an earlier run that the server lacks. */
interface UnpushedWork {
  /** Its last commit. */
  readonly tip: string;
  /** The last commit that the server has, too: below it nothing is the run's. */
  readonly base: string;
}

/**
 * Finds what the run that a task continues could not push, or did not because the branch belongs to people. Null
 * where everything is on the server, where the run's worktree is gone, and where what it began from was taken off the
 * branch: then somebody does not want it there.
 */
async function findUnpushedWork(
  context: GitContext,
  options: WorktreeOptions & { readonly serverTip: string } & Pick<KeptWorks, 'earlier'>,
): Promise<UnpushedWork | null> {
  const { task, place, mirror, serverTip, earlier, signal } = options;
  if (!task.goesOnFrom) return null;
  const gitDirectory = join(place.commonDirectory, 'worktrees', task.goesOnFrom);
  const wasHere = earlier?.worktree === (await readWorktreeName({ ...place, gitDirectory }));
  const moved = wasHere ? null : await findLeftElsewhere(context, options);
  const left = moved ?? (await findLeftHere(context, { ...options, gitDirectory }));
  if (left === null) return null;
  const { tip, start } = left;
  const line = (args: readonly string[]) => gitLine(context, mirror, { args, signal });
  if ((await line(['rev-list', '--count', tip, '--not', `--glob=${remoteRef('*')}`])) === '0') return null;
  const base = await line(['merge-base', tip, serverTip]);
  if (base === null) return null;
  const args = ['merge-base', '--is-ancestor', start, base];
  const { exitCode } = await git(context, mirror, { args, doing: 'Comparing', anyExit: true, signal });
  return exitCode === 0 ? { tip, base } : null;
}

type LeftWork = Readonly<Record<'tip' | 'start', string>>;

async function findLeftHere(
  context: GitContext,
  { task, mirror, gitDirectory, signal }: WorktreeOptions & { readonly gitDirectory: string },
): Promise<LeftWork | null> {
  if ((await lstat(gitDirectory).catch(() => null)) === null) return null;
  const tip = await tipOf(context, { ...mirror, gitDirectory }, { ref: 'HEAD', signal });
  const start = await tipOf(context, mirror, { ref: startRef(task.goesOnFrom ?? ''), signal });
  return tip === null || start === null ? null : { tip, start };
}

/** Finds it in what is kept for other machines. Where that cannot be read, there is what was pushed. */
async function findLeftElsewhere(
  context: GitContext,
  { earlier, ...options }: WorktreeOptions & Pick<KeptWorks, 'earlier'>,
): Promise<LeftWork | null> {
  const { state, bundle } = earlier ?? { state: null, bundle: null };
  if (state === null || bundle === null) return null;
  const problem = await takeIn(context, { ...options, state, bundle });
  if (problem === null) return { tip: state.head, start: state.start };
  const { repositoryPath: repository, goesOnFrom } = options.task;
  context.logger?.warn({ repository, run: goesOnFrom, problem }, 'failed to restore work of earlier run');
  return null;
}
