import { lstat, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import { z } from 'zod';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, gitLine, tipOf } from '../git/git-repository.ts';
import { fetchCommits, mirrorPlace, type RemoteRepository } from '../git/mirror.ts';
import { readBaseFiles } from '../git/read-branch.ts';
import type { TaskPlace } from '../git/task-place.ts';
import { parseCloneAddress, type WorkspaceTask } from '../git/workspace-task.ts';
import { removeTree } from '../machine/directories.ts';
import { guardPath } from '../machine/guarded-path.ts';
import { WorkspaceError } from '../workspace-error.ts';
import {
  findSubmoduleAddress,
  type RefusedAddress,
  type SubmoduleAddress,
  type SubmoduleRules,
} from './submodule-address.ts';
import { type Link, measure, modulesName, parseLinks, parseModules } from './submodule-listing.ts';

/**
 * Reason why a submodule is not there. `unnamed`: the base branch does not name it; `unavailable`: its server did not give it;
 * `too-large`: it takes more than is allowed; `too-deep`: it lies in too many others, or there are too many.
 */
export type MissingSubmodule = RefusedAddress | 'unnamed' | 'unavailable' | 'too-large' | 'too-deep';

/** Part of a repository that is not in its worktree. */
export interface MissingContent<Why extends string> {
  /** Relative to the worktree. */
  readonly path: string;
  readonly why: Why;
}

/** Submodules of a worktree. */
export interface CheckedOutSubmodules {
  /** Paths of those that this call has checked out. */
  readonly made: readonly string[];
  readonly missing: readonly MissingContent<MissingSubmodule>[];
}

export interface SubmodulesOptions extends CallOptions {
  readonly task: WorkspaceTask;
  readonly place: TaskPlace;
  readonly rules: SubmoduleRules;
  /** Brings a copy of a repository up to date, with all that wait for the same. */
  readonly fetchRemote: (
    context: GitContext,
    options: { readonly task: RemoteRepository; readonly mirror: GitPlace } & CallOptions,
  ) => Promise<void>;
}

const maxDepth = 3;
const maxSubmodules = 100;

/**
 * Checks out the submodules of a worktree, as files without a repository of their own. `.gitmodules` of the base branch says where they come
 * from, whatever the branch under work says. What another call has checked out stays, unless the branch has another commit there now.
 *
 * @throws WorkspaceError `storage-full`; everything else is a submodule that is missing
 */
export async function checkOutSubmodules(
  context: GitContext,
  options: SubmodulesOptions,
): Promise<CheckedOutSubmodules> {
  const { task, place, signal } = options;
  const [named = null] = await readBaseFiles(context, { task, place, paths: [modulesName], signal });
  const isThere = (await lstat(join(place.workTree, modulesName)).catch(() => null)) !== null;
  if (named === null && !isThere) return { made: [], missing: [] };
  const list = ['ls-files', '--stage', '-z'];
  const { stdout } = await git(context, place, { args: list, doing: 'Listing submodules', signal });
  const held = await readHeld(place);
  const filling = {
    ...options,
    addresses: await parseModules(context, { place, text: named ?? '', signal }),
    server: parseCloneAddress(task.cloneUrl, context).server,
    left: { bytes: options.rules.maxBytes, count: maxSubmodules },
  };
  const made: string[] = [];
  const missing: MissingContent<MissingSubmodule>[] = [];
  for (const { path, sha } of parseLinks(stdout)) {
    if (held[path] === sha || !(await isFree(place, { path, isHeld: held[path] !== undefined }))) continue;
    const directory = join(place.gitDirectory, 'submodule');
    await removeTree(directory);
    const link = { path, sha, parentUrl: task.cloneUrl, directory, depth: 1 };
    const lacking = await fill(context, filling, link);
    missing.push(...lacking);
    if (lacking.some((one) => one.path === path)) continue;
    await moveIn(place, { directory, path });
    held[path] = sha;
    await writeFile(heldPath(place), JSON.stringify(held));
    made.push(path);
  }
  return { made, missing };
}

interface Filling extends SubmodulesOptions {
  /** Addresses by the path of the submodule. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly server: URL | null;
  /** Room that is left, for bytes and for submodules. */
  readonly left: { bytes: number; count: number };
}

interface FilledLink extends Link {
  readonly parentUrl: string;
  /** Directory that its files go to. */
  readonly directory: string;
  readonly depth: number;
}

/** @returns what is missing: itself under its own path, or others in it */
async function fill(
  context: GitContext,
  filling: Filling,
  link: FilledLink,
): Promise<readonly MissingContent<MissingSubmodule>[]> {
  const { addresses, server, rules, left, signal } = filling;
  const { path, sha, parentUrl, directory, depth } = link;
  const lacking = (why: MissingSubmodule) => [{ path, why }];
  const url = addresses.get(path);
  if (url === undefined) return lacking('unnamed');
  if (depth > maxDepth || left.count <= 0) return lacking('too-deep');
  left.count -= 1;
  const address = findSubmoduleAddress(url, { parentUrl, server, allow: rules.allow });
  if (typeof address === 'string') return lacking(address);
  const token: GitContext['token'] = address.withLogin ? context.token : () => null;
  const asking = { ...context, token, maxFileBytes: rules.maxBytes };
  const mirror = submoduleMirror(context.directory, address);
  if (!(await fetchSubmodule(asking, filling, { address, mirror, sha }))) return lacking('unavailable');
  const { bytes, links } = await measure(asking, mirror, { sha, signal });
  if (bytes > left.bytes) return lacking('too-large');
  left.bytes -= bytes;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const indexFile = `${directory}.index`;
  const checkOut = { args: ['read-tree', '--reset', '-u', sha], doing: `Checking out ${path}`, signal };
  await git(asking, { ...mirror, workTree: directory, indexFile }, checkOut);
  await removeTree(indexFile);
  if (links.length === 0) return [];
  const text = await gitLine(asking, mirror, { args: ['cat-file', 'blob', `${sha}:${modulesName}`], signal });
  const own = {
    ...filling,
    addresses: await parseModules(asking, { place: mirror, text: text ?? '', signal }),
  };
  const found: MissingContent<MissingSubmodule>[] = [];
  for (const inner of links) {
    const nested = {
      ...inner,
      parentUrl: address.cloneUrl,
      directory: join(directory, inner.path),
      depth: depth + 1,
    };
    const missing = await fill(context, own, nested);
    found.push(...missing.map((one) => ({ ...one, path: `${path}/${one.path}` })));
  }
  return found;
}

/** A copy for those who may log in and one for all others, so that nobody is given what only a login has shown. */
function submoduleMirror(directory: string, address: SubmoduleAddress): GitPlace {
  return mirrorPlace(join(directory, '.submodules', address.withLogin ? 'login' : 'public'), address);
}

/** @returns false where its server does not give the commit now */
async function fetchSubmodule(
  context: GitContext,
  { fetchRemote, signal }: Pick<SubmodulesOptions, 'fetchRemote' | 'signal'>,
  {
    address,
    mirror,
    sha,
  }: { readonly address: SubmoduleAddress; readonly mirror: GitPlace; readonly sha: string },
): Promise<boolean> {
  const isHere = async () => (await tipOf(context, mirror, { ref: sha, signal })) !== null;
  if (await isHere()) return true;
  try {
    await fetchRemote(context, { task: address, mirror, signal });
    if (!(await isHere())) await fetchCommits(context, { task: address, mirror, missing: [sha], signal });
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code === 'storage-full') throw error;
    context.logger?.warn({ repository: address.repositoryPath, err: error }, 'failed to fetch submodule');
    await removeHalves(mirror);
  }
  return isHere();
}

/** Removes packs that git had not received to their end. */
async function removeHalves({ commonDirectory }: GitPlace): Promise<void> {
  const packs = join(commonDirectory, 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('tmp_'))) await removeTree(join(packs, name));
}

/** Tells whether nothing of the run's own stands at a path, which commands may have changed. */
async function isFree(
  { workTree }: TaskPlace,
  { path, isHeld }: { readonly path: string; readonly isHeld: boolean },
): Promise<boolean> {
  const parent = await guardPath(workTree, dirname(path)).catch(() => null);
  if (parent === null || parent.real !== join(parent.root, dirname(path))) return false;
  const names = await readdir(join(workTree, path)).catch((error: NodeJS.ErrnoException) => error.code);
  // A submodule that was removed stays so.
  if (names === 'ENOENT') return !isHeld;
  if (!Array.isArray(names) || (await lstat(join(workTree, path))).isSymbolicLink()) return false;
  return isHeld || names.length === 0;
}

async function moveIn(
  { workTree }: TaskPlace,
  { directory, path }: { readonly directory: string; readonly path: string },
): Promise<void> {
  const target = join(workTree, path);
  await removeTree(target);
  await mkdir(dirname(target), { recursive: true });
  await rename(directory, target);
}

const heldPath = ({ gitDirectory }: TaskPlace) => join(gitDirectory, 'submodules.json');
const heldSchema = z.record(z.string(), z.string());

/** Reads the commits that are checked out, by path. */
async function readHeld(place: TaskPlace): Promise<Record<string, string>> {
  const text = await readFile(heldPath(place), 'utf8').catch(() => '{}');
  const read = heldSchema.safeParse(tryParse(text));
  return read.success ? read.data : {};
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Half written by a process that died: what is there counts as the run's own.
    return {};
  }
}
