import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Environment, GitPlace } from '../git/git-environment.ts';
import { createPlainContext, type GitContext, git, updateRefs } from '../git/git-repository.ts';
import { keptRefs, startRef } from '../git/mirror.ts';
import { keptHomePrefix, removeTree } from '../machine/directories.ts';

export interface RemoveEndedWorkOptions {
  /** Directory of repositories and worktrees; nothing is made where it is missing. */
  readonly directory: string;
  /** The environment that PATH is taken from. */
  readonly environment: Environment;
  /** Says of each run that left something, if that goes. */
  readonly mayGo: (run: RunRemains) => boolean;
  /** Commits that no worktree is at go when they are older than this, in milliseconds since 1970. Default null: none. */
  readonly commitsBefore?: number | null | undefined;
}

/** The remains of a run in the workspaces' directory. */
export interface RunRemains {
  readonly uuid: string;
  /** When its worktree was last written to by git, in milliseconds since 1970; 0 where there is only a ref. */
  readonly changedAt: number;
}

/**
 * Removes worktrees of runs that ended, their starts and their branches, also commits that were never pushed: whoever calls
 * this decided that they are not wanted any more. A branch that another worktree is on stays. Safe to repeat.
 *
 * @example
 * const yesterday = Date.now() - 86_400_000;
 * const mayGo = ({ changedAt }: { changedAt: number }) => changedAt < yesterday;
 * await removeEndedWork({ directory: '/srv/workspaces', environment: process.env, mayGo });
 *
 * @returns the uuids of the runs whose worktrees or starts are gone, in their order
 * @throws WorkspaceError, or what the file system said
 */
export async function removeEndedWork(options: RemoveEndedWorkOptions): Promise<readonly string[]> {
  const directory = resolve(options.directory);
  const [seen, gone] = [new Set<string>(), new Set<string>()];
  for (const path of await listCopies(directory)) {
    const copy = await clearCopy({ ...options, directory }, path);
    for (const uuid of copy.known) seen.add(uuid);
    for (const uuid of copy.gone) gone.add(uuid);
  }
  // What no copy knows of: a removal that a process did not live to end.
  const others = (await listNames(join(directory, 'worktrees'))).filter((uuid) => !seen.has(uuid));
  for (const uuid of others) {
    const workTree = join(directory, 'worktrees', uuid);
    if (!options.mayGo({ uuid, changedAt: await changeOf(workTree) })) continue;
    await removeTree(workTree);
    gone.add(uuid);
  }
  await removeKeptHomes({ ...options, directory });
  return [...gone].sort();
}

/** Removes what agents kept of runs whose worktrees may go, too. */
async function removeKeptHomes({
  directory,
  mayGo,
}: Pick<RemoveEndedWorkOptions, 'directory' | 'mayGo'>): Promise<void> {
  for (const name of (await listNames(directory)).filter((one) => one.startsWith(keptHomePrefix))) {
    const path = join(directory, name);
    const uuid = name.slice(keptHomePrefix.length);
    if (mayGo({ uuid, changedAt: await changeOf(path) })) await removeTree(path);
  }
}

/** The bare copies below a directory, however deep their groups lie. */
async function listCopies(directory: string, top = true): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(noneIfMissing);
  const copies: string[] = [];
  for (const entry of entries) {
    // Homes of commands and what set-ups left are hidden ones: they may hold anything.
    if (!entry.isDirectory() || (top && (entry.name === 'worktrees' || entry.name.startsWith('.')))) continue;
    const path = join(directory, entry.name);
    copies.push(...(entry.name.endsWith('.git') ? [path] : await listCopies(path, false)));
  }
  return copies;
}

interface ClearedCopy {
  /** Uuids of the runs that it held something of. */
  readonly known: readonly string[];
  readonly gone: readonly string[];
}

async function clearCopy(options: RemoveEndedWorkOptions, path: string): Promise<ClearedCopy> {
  // Nothing here talks to a server or commits.
  const context = createPlainContext(options);
  const mirror: GitPlace = { commonDirectory: path, gitDirectory: path, workTree: null, branch: null };
  const starts = await listRefs(context, mirror, 'refs/starts/');
  const worktrees = join(path, 'worktrees');
  const known = new Set([
    ...(await listNames(worktrees)),
    ...starts.map(({ ref }) => ref.slice('refs/starts/'.length)),
  ]);
  const gone: string[] = [];
  const dead = new Set<string>();
  for (const uuid of known) {
    const gitDirectory = join(worktrees, uuid);
    if (!options.mayGo({ uuid, changedAt: await changeOf(gitDirectory) })) continue;
    const branch = await branchOf(gitDirectory);
    if (branch !== null) dead.add(branch);
    await removeTree(join(options.directory, 'worktrees', uuid));
    await removeTree(gitDirectory);
    gone.push(uuid);
  }
  const refs = [...gone.map(startRef), ...(await listUnwanted(context, mirror, { ...options, dead }))];
  if (refs.length > 0) await updateRefs(context, mirror, { refs: refs.map((ref) => ({ ref, sha: null })) });
  return { known: [...known], gone };
}

/** Branches that nobody works on: those of worktrees that have just gone, and what is too old. */
async function listUnwanted(
  context: GitContext,
  mirror: GitPlace,
  {
    dead,
    commitsBefore = null,
  }: { readonly dead: ReadonlySet<string>; readonly commitsBefore?: number | null | undefined },
): Promise<readonly string[]> {
  const refs = await listRefs(context, mirror, 'refs/heads/', keptRefs);
  const worktrees = join(mirror.commonDirectory, 'worktrees');
  const uuids = await listNames(worktrees);
  const used = new Set(await Promise.all(uuids.map((uuid) => branchOf(join(worktrees, uuid)))));
  const isOld = (committedAt: number) => commitsBefore !== null && committedAt < commitsBefore;
  return refs
    .filter(({ ref, committedAt }) => {
      const branch = keptOf(ref) ?? ref;
      return !used.has(branch) && (dead.has(branch) || isOld(committedAt));
    })
    .map(({ ref }) => ref);
}

/** The branch whose earlier tip a ref keeps; null for a branch itself. */
function keptOf(ref: string): string | null {
  return ref.startsWith(keptRefs) ? `refs/heads/${ref.slice(keptRefs.length, ref.lastIndexOf('/'))}` : null;
}

interface CommittedRef {
  readonly ref: string;
  readonly committedAt: number;
}

async function listRefs(
  context: GitContext,
  mirror: GitPlace,
  ...below: readonly string[]
): Promise<readonly CommittedRef[]> {
  const { stdout } = await git(context, mirror, {
    args: ['for-each-ref', '--format=%(committerdate:unix) %(refname)', ...below],
    doing: 'Listing what ended runs left',
  });
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => {
    const space = line.indexOf(' ');
    return { committedAt: Number(line.slice(0, space)) * 1_000, ref: line.slice(space + 1) };
  });
}

/** The branch that a worktree is on, as a ref; null where it is half-made. */
async function branchOf(gitDirectory: string): Promise<string | null> {
  const head = await readFile(join(gitDirectory, 'HEAD'), 'utf8').catch((error) => {
    noneIfMissing(error);
    return '';
  });
  return /^ref: (refs\/heads\/\S+)\s*$/.exec(head)?.[1] ?? null;
}

/** The newest of a directory and the files that git rewrites in it; 0 where it is missing. */
async function changeOf(directory: string): Promise<number> {
  const paths = ['.', 'index', 'logs/HEAD'].map((name) => join(directory, name));
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}

async function listNames(directory: string): Promise<readonly string[]> {
  return (await readdir(directory, { withFileTypes: true }).catch(noneIfMissing))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function noneIfMissing(error: unknown): never[] {
  const { code } = error as { code?: unknown };
  if (code === 'ENOENT' || code === 'ENOTDIR') return [];
  throw error;
}
