import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from './git-environment.ts';
import { type GitContext, git, gitLine, tipsOf } from './git-repository.ts';
import { remoteRef, startRef } from './mirror.ts';
import type { WorkspaceTask } from './workspace-task.ts';

export interface DiffStat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}

/** Side to compare the branch with: the branch that it goes into, or the commit at which this run began. */
export type ChangesSince = 'base' | 'start';

interface ChangesOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly place: GitPlace;
  readonly since: ChangesSince;
}

/** Counts the commits of the branch that the base branch (or the start of the run) lacks. */
export async function countCommits(context: GitContext, options: ChangesOptions): Promise<number> {
  const from = await findFrom(context, options);
  if (from === null) return 0;
  const range = `${from}..refs/heads/${options.task.branch}`;
  const args = ['rev-list', '--count', range];
  return Number(
    (await git(context, options.place, { args, doing: 'Counting commits', signal: options.signal })).stdout,
  );
}

/** Lines and files that the branch's commits change. A binary file counts as a file without lines. */
export async function diffStat(context: GitContext, options: ChangesOptions): Promise<DiffStat> {
  const entries = await diff(context, { ...options, format: '--numstat' });
  const rows = entries.map((entry) => entry.split('\t').map((cell) => Number.parseInt(cell, 10) || 0));
  return {
    files: rows.length,
    insertions: rows.reduce((sum, [added]) => sum + (added ?? 0), 0),
    deletions: rows.reduce((sum, [, removed]) => sum + (removed ?? 0), 0),
  };
}

/** Files that the branch's commits change, sorted by path. */
export async function changedFiles(
  context: GitContext,
  options: ChangesOptions,
): Promise<readonly ChangedFile[]> {
  const cells = await diff(context, { ...options, format: '--name-status' });
  const files: ChangedFile[] = [];
  for (let index = 0; index + 1 < cells.length; index += 2) {
    files.push({ path: cells[index + 1] ?? '', change: toChange(cells[index] ?? '') });
  }
  if (options.since === 'base' || files.length === 0 || !(await hasMerged(context, options))) return files;
  // A merge of the base brings what others changed: that is no change of the run's.
  const own = new Set((await changedFiles(context, { ...options, since: 'base' })).map(({ path }) => path));
  return files.filter(({ path }) => own.has(path));
}

async function hasMerged(context: GitContext, { task, place, signal }: ChangesOptions): Promise<boolean> {
  const range = `${startRef(task.uuid)}..refs/heads/${task.branch}`;
  return (
    (await gitLine(context, place, { args: ['rev-list', '--merges', '--count', range], signal })) !== '0'
  );
}

async function diff(
  context: GitContext,
  options: ChangesOptions & { readonly format: string },
): Promise<string[]> {
  const { task, place, signal, format } = options;
  const from = await findFrom(context, options);
  if (from === null) return [];
  const range = `${from}...refs/heads/${task.branch}`;
  const args = ['diff', format, '-z', '--no-renames', '--no-ext-diff', '--no-textconv', range, '--'];
  const { stdout } = await git(context, place, { args, doing: `Comparing ${task.branch}`, signal });
  return stdout.split('\0').filter((entry) => entry !== '');
}

/**
 * Finds the commit to compare the branch with; null when the branch stands exactly there. A branch of a fork may have no
 * base branch beside it, or no common history: then the run's start stands in.
 */
async function findFrom(
  context: GitContext,
  { task, place, since, signal }: ChangesOptions,
): Promise<string | null> {
  const branch = `refs/heads/${task.branch}`;
  const refs = [branch, startRef(task.uuid), remoteRef(task.baseBranch)];
  const [tip, start, base = null] = await tipsOf(context, place, { refs, signal });
  const from = since === 'base' && base !== null ? base : start;
  if (tip !== null && tip === from) return null;
  if (since === 'start' || base === null) return startRef(task.uuid);
  const common = await gitLine(context, place, { args: ['merge-base', base, branch], signal });
  return common === null ? startRef(task.uuid) : base;
}

function toChange(status: string): ChangedFile['change'] {
  if (status.startsWith('A')) return 'added';
  return status.startsWith('D') ? 'deleted' : 'modified';
}

/**
 * Reads files as they are on the base branch, whatever the task's own branch says: one git process to look for all of them,
 * and one for each that is there. Links are followed inside the repository. In the order of the paths; null for what is
 * not there or is no file.
 */
export async function readBaseFiles(
  context: GitContext,
  options: {
    readonly task: WorkspaceTask;
    readonly place: GitPlace;
    readonly paths: readonly string[];
  } & CallOptions,
): Promise<readonly (string | null)[]> {
  const { task, place, paths, signal } = options;
  const doing = `Reading files of ${task.baseBranch}`;
  const { stdout } = await git(context, place, {
    args: ['cat-file', '--batch-check', '--follow-symlinks'],
    input: paths.map((path) => `${remoteRef(task.baseBranch)}:${path}\n`).join(''),
    doing,
    signal,
  });
  const texts = new Map<string, string>();
  const blobs = listBlobs(stdout, paths.length);
  for (const blob of new Set(blobs)) {
    if (blob === null) continue;
    texts.set(blob, (await git(context, place, { args: ['cat-file', 'blob', blob], doing, signal })).stdout);
  }
  return blobs.map((blob) => (blob === null ? null : (texts.get(blob) ?? null)));
}

/** A line for each path; where a link leads nowhere, a second one with its name follows. */
function listBlobs(output: string, count: number): readonly (string | null)[] {
  const lines = output.split('\n');
  return Array.from({ length: count }, () => {
    const line = lines.shift() ?? '';
    if (/^(?:dangling|loop|notdir|symlink) \d+$/.test(line)) lines.shift();
    return /^([0-9a-f]{40,64}) blob \d+$/.exec(line)?.[1] ?? null;
  });
}
