import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Call of a tool, as an agent describes it when it asks for permission. */
interface DescribedCall {
  readonly locations?: unknown;
  readonly content?: unknown;
  readonly rawInput?: unknown;
}

const maxPaths = 500;
const maxDepth = 8;

const locationSchema = z.object({ path: z.string() });
const partSchema = z.object({ type: z.string() }).loose();

/**
 * Lists all paths that a call names: its locations, its diffs, and what its input calls a file or a directory, whatever its locations say.
 * Null where that cannot be told: too many, or something that has no form of a path.
 */
export function listNamedPaths({ locations, content, rawInput }: DescribedCall): readonly string[] | null {
  const named = [
    ...listItems(locations).map((item) => locationSchema.safeParse(item).data?.path ?? null),
    ...listItems(content).map(toDiffPath),
    ...listInInput(rawInput, 0),
  ].filter((path) => path !== undefined);
  const paths = named.filter((path) => path !== null);
  return paths.length < named.length || paths.length > maxPaths ? null : [...new Set(paths)];
}

function listItems(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.slice(0, maxPaths + 1) : [value];
}

/** @returns undefined for a part that is no diff; null for a diff without a path */
function toDiffPath(part: unknown): string | null | undefined {
  if (partSchema.safeParse(part).data?.type !== 'diff') return undefined;
  return locationSchema.safeParse(part).data?.path ?? null;
}

const pathWords: ReadonlySet<string> = new Set([
  ...['path', 'paths', 'file', 'files', 'filename', 'filenames', 'filepath', 'filepaths', 'glob', 'globs'],
  ...[
    'dir',
    'dirs',
    'directory',
    'directories',
    'folder',
    'cwd',
    'workdir',
    'root',
    'uri',
    'uris',
    'url',
    'urls',
  ],
]);

/** Keys that name a path where they stand alone: at the end of others, such as `new_source`, they do not. */
const pathKeys: ReadonlySet<string> = new Set(['source', 'destination', 'target', 'from', 'to']);

const commandWords: ReadonlySet<string> = new Set(['command', 'commands', 'cmd', 'script', 'argv']);

function listInInput(value: unknown, depth: number): readonly (string | null)[] {
  if (typeof value !== 'object' || value === null) return [];
  if (depth > maxDepth) return [null];
  if (Array.isArray(value)) return listItems(value).flatMap((item) => listInInput(item, depth + 1));
  return Object.entries(value)
    .slice(0, maxPaths)
    .flatMap(([key, item]) => (namesPath(key) ? listTexts(item, depth) : listInInput(item, depth + 1)));
}

function namesPath(key: string): boolean {
  return pathWords.has(toLastWord(key)) || pathKeys.has(key.toLowerCase());
}

function listTexts(value: unknown, depth: number): readonly (string | null)[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return listItems(value).flatMap((item) => listTexts(item, depth + 1));
  return listInInput(value, depth + 1);
}

/** Tells whether the input of a call names a program to run. */
export function namesCommand(rawInput: unknown): boolean {
  if (typeof rawInput !== 'object' || rawInput === null) return false;
  return Object.entries(rawInput).some(
    ([key, value]) => commandWords.has(toLastWord(key)) && value !== null && value !== '',
  );
}

/** `filePath`, `file_path` and `file-path` end in the same word. */
function toLastWord(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/gu, '$1 $2').split(/[^A-Za-z0-9]+/u);
  return (
    words
      .filter((word) => word !== '')
      .at(-1)
      ?.toLowerCase() ?? ''
  );
}

interface PathRules {
  readonly directory: string;
  /** True where the file is to be changed: then none of git's own. */
  readonly changes: boolean;
}

const outside = 'is outside of the working directory';
const unclear = 'is not a plain path';

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
  if (root === null || real === null) return 'cannot be resolved';
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
