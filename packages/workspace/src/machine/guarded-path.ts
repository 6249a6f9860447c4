import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ToolError } from '../workspace-error.ts';

/** A path that was shown to lie inside the worktree. */
export interface GuardedPath {
  /** As the model wrote it, tidied: `src/a.ts`; `.` for the root. */
  readonly shown: string;
  /** Its real place: no part of it that exists is a link. */
  readonly real: string;
  readonly exists: boolean;
  /** The worktree, free of links. */
  readonly root: string;
}

/**
 * Finds where a path of the model's really leads.
 *
 * @throws ToolError when it leads out of the worktree or into git's own files, by whatever means
 */
export async function guardPath(root: string, path: string): Promise<GuardedPath> {
  const segments = checkSegments(path);
  const realRoot = await realpath(root);
  const shown = segments.join('/') || '.';
  const { real, exists } = await resolveLinks(join(realRoot, ...segments), shown);
  checkInside(realRoot, { real, shown });
  return { shown, real, exists, root: realRoot };
}

/** The parts of a relative path, without `.` and empty ones. Refuses what can only be meant to lead elsewhere. */
export function checkSegments(path: string): readonly string[] {
  if (path.includes('\0')) throw new ToolError('A path cannot hold a NUL character.');
  if (isAbsolute(path))
    throw new ToolError(`"${path}" is absolute. Give paths relative to the repository's root.`);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..'))
    throw new ToolError(`"${path}" uses "..". Give paths relative to the repository's root.`);
  refuseGit(segments, path);
  return segments;
}

/** Tells whether a file system might take this name for `.git`: other case, trailing dots, invisible characters. */
export function isGitName(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(?<![. ])[. ]+$/, '');
  return /^(\.git|git~\d)$/i.test(plain.split(':')[0] ?? '');
}

function refuseGit(segments: readonly string[], shown: string): void {
  if (segments.some(isGitName)) {
    throw new ToolError(`"${shown}" belongs to git. Commits are made for you; work on the other files.`);
  }
}

function checkInside(
  realRoot: string,
  { real, shown }: { readonly real: string; readonly shown: string },
): void {
  const inside = relative(realRoot, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new ToolError(
      `"${shown}" leads out of the repository through a link. Only files inside can be used.`,
    );
  }
  refuseGit(inside.split(sep), shown);
}

async function resolveLinks(path: string, shown: string): Promise<{ real: string; exists: boolean }> {
  try {
    return { real: await realpath(path), exists: true };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ELOOP') throw new ToolError(`"${shown}" is a link that leads to itself.`);
    if (code === 'ENOTDIR') throw new ToolError(`A part of "${shown}" is a file, not a directory.`);
    if (code === 'ENAMETOOLONG') throw new ToolError('That path is too long for the file system.');
    if (code !== 'ENOENT') throw error;
  }
  if ((await lstat(path).catch(() => null)) !== null) {
    throw new ToolError(`"${shown}" is a link to something that does not exist.`);
  }
  const parent = await resolveLinks(dirname(path), shown);
  return { real: join(parent.real, basename(path)), exists: false };
}
