import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, lstat, mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../machine/directories.ts';
import { guardPath } from '../machine/guarded-path.ts';

/** Directory, in that of the workspaces, of what set-ups made. */
const cacheName = '.set-ups';

/** Owner of what is kept: the files of one branch of one repository decide what is in it, and nobody else reads or writes it. */
export interface SetupOwner {
  /** Directory of the workspaces. */
  readonly directory: string;
  readonly repository: string;
  readonly branch: string;
}

/** Directories to which kept paths are relative. */
export interface SetupRoots {
  readonly worktree: string;
  /** Asked for where a path begins with `~/`. */
  readonly home: () => Promise<string>;
}

export interface KeptPaths {
  readonly key: string;
  /** Relative to the worktree, or to the home with `~/`. */
  readonly paths: readonly string[];
  readonly roots: SetupRoots;
}

/** Copies of what set-ups of one branch made, by the key of each. */
export interface SetupCache {
  /** Brings back what is kept, or only what belongs into the home; false where there is nothing. */
  readonly restore: (kept: KeptPaths & { readonly part: 'all' | 'home' }) => Promise<boolean>;
  /** Keeps what is there of the paths; what was kept under the key stays. */
  readonly keep: (kept: KeptPaths) => Promise<void>;
}

/** Most set-ups that are kept of one branch. */
const maxKept = 3;

/**
 * Opens what is kept for a branch. Everything is copied, in and out: a command that changes its files does not change what is
 * kept.
 *
 * @example
 * const cache = openSetupCache({ directory: '/srv/workspaces', repository: 'github.com/acme/shop', branch: 'main' });
 * await cache.restore({ key, paths: ['node_modules'], roots: { worktree, home }, part: 'all' });
 */
export function openSetupCache({ directory, repository, branch }: SetupOwner): SetupCache {
  const name = createHash('sha256')
    .update(JSON.stringify([repository.toLowerCase(), branch]))
    .digest('hex');
  const own = join(directory, cacheName, name);
  return {
    restore: async ({ key, paths, roots, part }) => {
      const source = join(own, key);
      if (!(await isThere(source))) return false;
      for (const [at, path] of paths.entries()) {
        const kept = join(source, String(at));
        if ((part === 'home' && !isOfHome(path)) || !(await isThere(kept))) continue;
        const target = await findPlace(path, roots);
        await removeTree(target);
        await mkdir(dirname(target), { recursive: true });
        await copy(kept, target);
      }
      await touch(source);
      return true;
    },
    keep: async ({ key, paths, roots }) => {
      if (await isThere(join(own, key))) return;
      await mkdir(own, { recursive: true, mode: 0o700 });
      const made = join(own, `.new-${randomName()}`);
      await mkdir(made);
      try {
        for (const [at, path] of paths.entries()) {
          const source = await findPlace(path, roots);
          if (await isThere(source)) await copy(source, join(made, String(at)));
        }
        await touch(made);
        await rename(made, join(own, key)).catch(ignoreKept);
      } finally {
        await removeTree(made);
      }
      await dropOldest(own);
    },
  };
}

const randomName = (draw = randomUUID) => draw();

/** A set-up of another run may have been kept meanwhile. */
function ignoreKept(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

const isOfHome = (path: string) => path.startsWith('~/');

/** Finds where a path really leads. @throws ToolError when that is outside of its root */
async function findPlace(path: string, { worktree, home }: SetupRoots): Promise<string> {
  const { real } = isOfHome(path)
    ? await guardPath(await home(), path.slice(2))
    : await guardPath(worktree, path);
  return real;
}

/** Links stay links, and what is neither file, directory nor link is left out. */
async function copy(source: string, target: string): Promise<void> {
  await cp(source, target, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: async (path) => {
      const found = await lstat(path);
      return found.isFile() || found.isDirectory() || found.isSymbolicLink();
    },
  });
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

/** Marks when it was last used. */
async function touch(path: string, now: () => number = Date.now): Promise<void> {
  const seconds = now() / 1_000;
  await utimes(path, seconds, seconds);
}

async function dropOldest(directory: string): Promise<void> {
  const kept = (await listKept(directory)).toSorted((one, other) => other.usedAt - one.usedAt);
  for (const { path } of kept.slice(maxKept)) await removeTree(path);
}

async function listKept(directory: string) {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const paths = names.map((name) => join(directory, name));
  return Promise.all(paths.map(async (path) => ({ path, usedAt: (await stat(path)).mtimeMs })));
}

/**
 * Removes what no set-up has used since a moment, in milliseconds since 1970.
 *
 * @param options directory: that of the workspaces
 */
export async function removeOldSetups({
  directory,
  before,
}: {
  readonly directory: string;
  readonly before: number;
}): Promise<void> {
  for (const { path } of await listKept(join(directory, cacheName))) {
    const kept = await listKept(path);
    const old = kept.filter(({ usedAt }) => usedAt < before);
    for (const one of old) await removeTree(one.path);
    if (old.length === kept.length) await removeTree(path);
  }
}
