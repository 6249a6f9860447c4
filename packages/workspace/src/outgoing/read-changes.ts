import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, gitBytes, gitLine } from '../git/git-repository.ts';
import { remoteRef } from '../git/mirror.ts';
import { listLinkedPaths, listNamedFiles } from './named-files.ts';
import { matchesPath } from './path-patterns.ts';
import { type FileVersion, isJudgedByContent, type PathChange } from './protected-paths.ts';

export interface ReadChangesOptions extends CallOptions {
  readonly place: GitPlace;
}

/** Local commits that the server lacks. */
export interface UnpushedRange {
  /** Commit of the server on which they are. */
  readonly base: string;
  /** Last of them. */
  readonly tip: string;
  /** Commits of the server that they merge. */
  readonly merged: readonly string[];
}

/** Reads which commits a push would send; null for none. */
export async function readUnpushed(
  context: GitContext,
  { place, signal }: ReadChangesOptions,
): Promise<UnpushedRange | null> {
  const { stdout } = await git(context, place, {
    args: [
      'rev-list',
      '--parents',
      '--first-parent',
      `refs/heads/${place.branch}`,
      '--not',
      `--glob=${remoteRef('*')}`,
    ],
    doing: `Reading commits of ${place.branch}`,
    signal,
  });
  const commits = stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ')]));
  const tip = commits[0]?.[0];
  const base = commits.at(-1)?.[1];
  if (tip === undefined || base === undefined) return null;
  const merged = await withoutOwn(
    context,
    { place, signal },
    commits.flatMap((ids) => ids.slice(2)),
  );
  return { base, tip, merged };
}

/** A commit that the server lacks is ours, even if a merge brings it: what it changes is judged. */
async function withoutOwn(
  context: GitContext,
  { place, signal }: ReadChangesOptions,
  merged: readonly string[],
): Promise<readonly string[]> {
  if (merged.length === 0) return [];
  const { stdout } = await git(context, place, {
    args: ['rev-list', ...merged, '--not', `--glob=${remoteRef('*')}`],
    doing: `Reading commits of ${place.branch}`,
    signal,
  });
  const own = new Set(stdout.split('\n'));
  return merged.filter((commit) => !own.has(commit));
}

/** Entry of a raw diff. */
export interface RawChange {
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/**
 * Lists what the tip changes against the server: paths that differ from the base and from every merged commit, whose changes are
 * others'.
 */
export async function listTipChanges(
  context: GitContext,
  options: ReadChangesOptions,
  { base, tip, merged }: UnpushedRange,
): Promise<readonly RawChange[]> {
  const changes = await readRaw(context, options, ['diff-tree', base, tip]);
  const others = await Promise.all(
    merged.map((commit) => readRaw(context, options, ['diff-tree', commit, tip])),
  );
  const differing = others.map((list) => new Set(list.map(({ path }) => path)));
  return changes.filter(({ path }) => differing.every((paths) => paths.has(path)));
}

/** Lists what the single commits change, merges left out: what a later one takes back is sent as well. */
export async function listCommitChanges(
  context: GitContext,
  options: ReadChangesOptions,
): Promise<readonly RawChange[]> {
  const range = [`refs/heads/${options.place.branch}`, '--not', `--glob=${remoteRef('*')}`];
  return readRaw(context, options, ['log', '--format=', '--no-merges', ...range, '--']);
}

async function readRaw(
  context: GitContext,
  { place, signal }: ReadChangesOptions,
  [command = '', ...args]: readonly string[],
): Promise<readonly RawChange[]> {
  const form = ['--raw', '-r', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
  const { stdout } = await git(context, place, {
    args: [command, ...form, ...args],
    doing: `Reading changes of ${place.branch}`,
    signal,
  });
  const cells = stdout.split('\0');
  return cells.flatMap((cell, index) => {
    const [before = '', after = '', from = '', to = ''] = cell.replace(/^\n?:/, '').split(' ');
    if (!/^\n?:/.test(cell)) return [];
    const toEntry = (mode: string, id: string) => (mode === '000000' ? null : { mode, id });
    return [{ path: cells[index + 1] ?? '', before: toEntry(before, from), after: toEntry(after, to) }];
  });
}

/** Largest file whose content is judged, in bytes; a larger one counts as unreadable. */
const maxJudgedBytes = 1024 * 1024;

/** Reads what the rules of paths need to know of each change: content only where it counts. */
export async function toPathChanges(
  context: GitContext,
  options: ReadChangesOptions,
  changes: readonly RawChange[],
): Promise<readonly PathChange[]> {
  const read = async (path: string, entry: TreeEntry | null): Promise<FileVersion | null> => {
    if (entry === null) return null;
    const counts = entry.mode === '120000' || (entry.mode !== '160000' && isJudgedByContent(path));
    return { mode: entry.mode, text: counts ? await readText(context, options, entry.id) : null };
  };
  const all: PathChange[] = [];
  for (const { path, before, after } of changes)
    all.push({ path, before: await read(path, before), after: await read(path, after) });
  return all;
}

async function readText(
  context: GitContext,
  { place, signal }: ReadChangesOptions,
  id: string,
): Promise<string | null> {
  const size = await gitLine(context, place, { args: ['cat-file', '-s', id], signal });
  if (size === null || Number(size) > maxJudgedBytes) return null;
  const bytes = await gitBytes(context, place, {
    args: ['cat-file', 'blob', id],
    doing: 'Reading a file',
    signal,
  });
  return bytes.includes(0) ? null : bytes.toString('utf8');
}

/** Most files of a CI that are read for what they name. */
const maxIncluded = 300;

/** Files that name others. */
const ciFiles = ['/.gitlab-ci.yml', '/.gitlab/ci/**', '/.github/workflows/**', '/.github/actions/**'];

/** Lists what protected files name in these trees, as patterns: targets of links, includes of GitLab, actions of GitHub. */
export async function listNamedPaths(
  context: GitContext,
  options: ReadChangesOptions,
  commits: readonly string[],
): Promise<readonly string[]> {
  const named = new Set<string>();
  const known = new Map<string, readonly string[]>();
  const readNamed = async (id: string): Promise<readonly string[]> => {
    const found = known.get(id) ?? listNamedFiles((await readText(context, options, id)) ?? '');
    known.set(id, found);
    return found;
  };
  for (const commit of commits) {
    const { files, links } = await readTree(context, options, commit);
    const read = new Map([...links].map(([path, id]) => [path, () => readText(context, options, id)]));
    const linked = await listLinkedPaths(read);
    const listFiles = (pattern: string) =>
      [...files].filter(([path]) => /\.ya?ml$/i.test(path) && matchesPath(path, pattern));
    const open = [...ciFiles, ...linked].flatMap(listFiles);
    for (const pattern of linked) named.add(pattern);
    const seen = new Set<string>();
    for (const [path, id] of open) {
      if (seen.has(path) || seen.size >= maxIncluded) continue;
      seen.add(path);
      for (const pattern of await readNamed(id)) {
        named.add(pattern);
        open.push(...listFiles(pattern));
      }
    }
  }
  return [...named];
}

/** Ids of the files and of the links, by path. */
interface Tree {
  readonly files: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
}

async function readTree(context: GitContext, options: ReadChangesOptions, commit: string): Promise<Tree> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  const { place, signal } = options;
  const listed = await gitBytes(context, place, { args, doing: 'Listing files', signal });
  const files = new Map<string, string>();
  const links = new Map<string, string>();
  for (const line of listed.toString('utf8').split('\0')) {
    const [mode, , id = ''] = line.slice(0, line.indexOf('\t')).split(' ');
    const path = line.slice(line.indexOf('\t') + 1);
    if (mode === '120000') links.set(path, id);
    else if (mode === '100644' || mode === '100755') files.set(path, id);
  }
  return { files, links };
}
