import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PathRules {
  readonly directory: string;
  /** True where the file is to be changed: then none of git's own. */
  readonly changes: boolean;
}

const outside = 'is outside of the working directory';
const unclear = 'is no plain path';

/** Finds out why a path may not be used; null where it leads to a place inside the directory. In doubt it does not. */
export async function findPathRefusal(
  named: string,
  { directory, changes }: PathRules,
): Promise<string | null> {
  const path = toPlainPath(named);
  if (path === null) return unclear;
  const segments = path.split(/[\\/]/u);
  if (segments.includes('..')) return `${unclear}: it uses ".."`;
  if (changes && segments.some((segment) => /^\.git$/iu.test(segment))) return "belongs to git's own files";
  const lexical = resolve(directory, path);
  const root = await realpath(directory).catch(() => null);
  const real = root === null ? null : await findRealPlace(lexical);
  if (root === null || real === null) return 'leads nobody knows where';
  return isInside(real, root) ? null : outside;
}

/** Gives the path that a file's URL names, or a path as it is; null for a home, another kind of URL, and what no terminal could show. */
function toPlainPath(named: string): string | null {
  if (/^file:/iu.test(named)) {
    try {
      return toPlainPath(fileURLToPath(named));
    } catch {
      return null;
    }
  }
  const isOther = named.startsWith('~') || /^[a-z][a-z0-9+.-]+:/iu.test(named);
  return named === '' || isOther || /\p{Cc}/u.test(named) || named.length > 4_000 ? null : named;
}

/** Finds the place to which a path leads over all links; null where one leads to nothing. Its last parts need not exist. */
async function findRealPlace(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ENOENT') return null;
  }
  const isDangling = (await lstat(path).catch(() => null)) !== null;
  if (isDangling || dirname(path) === path) return null;
  const parent = await findRealPlace(dirname(path));
  return parent === null ? null : join(parent, basename(path));
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
