import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from './git-environment.ts';
import { type GitContext, gitBytes } from './git-repository.ts';
import { refuseUnsuitableRules, ruleFiles } from './worktree-files.ts';

/** A file or directory that a snapshot does not hold. */
export interface LeftOut {
  /** Relative to the worktree. */
  readonly path: string;
  /** `repository`: one inside the worktree, made by a tool or a submodule. `special`: a pipe or a device. */
  readonly why: 'large' | 'repository' | 'special' | 'unreadable';
}

/** Paths that differ from an index, as git spells them: one character for each byte, for names need not be UTF-8. */
export interface Changes {
  readonly there: readonly string[];
  readonly gone: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

type Found = 'there' | 'gone' | LeftOut['why'];

/**
 * Lists what differs from the index of a place, new files included, ignored ones not. One look at the worktree, which
 * reads what changed alone.
 *
 * @throws WorkspaceError `unsuitable-file` for rules of git that are none
 */
export async function findChanges(
  context: GitContext,
  {
    place,
    maxFileBytes,
    signal,
  }: {
    readonly place: GitPlace & { readonly workTree: string };
    /** A larger file is left out. */
    readonly maxFileBytes: number;
  } & CallOptions,
): Promise<Changes> {
  const output = await gitBytes(context, place, {
    args: ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard'],
    doing: 'Looking through the worktree',
    signal,
  });
  const entries = output.toString('latin1').split('\0').filter(Boolean);
  const fresh = new Set(entries.filter((entry) => entry.startsWith('? ')).map((entry) => entry.slice(2)));
  const paths = new Set(entries.map((entry) => entry.slice(2)));
  const rules = [...paths].filter((path) => ruleFiles.has(path.slice(path.lastIndexOf('/') + 1)));
  await refuseUnsuitableRules(place.workTree, rules);
  const found: Record<'there' | 'gone', string[]> = { there: [], gone: [] };
  const leftOut: LeftOut[] = [];
  for (const path of paths) {
    const state = isBelow(path, fresh) ? 'gone' : await lookAt(place.workTree, path, maxFileBytes);
    if (state === 'there' || state === 'gone') found[state].push(path);
    else leftOut.push({ path: toText(path), why: state });
  }
  return { ...found, leftOut };
}

/** Tells whether a file or a link stands where one of the path's directories was. */
function isBelow(path: string, files: ReadonlySet<string>): boolean {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
    if (files.has(path.slice(0, end))) return true;
  return false;
}

async function lookAt(workTree: string, path: string, maxFileBytes: number): Promise<Found> {
  const at = toBytes(`${Buffer.from(`${workTree}/`).toString('latin1')}${path}`);
  const state = await lstat(at).catch((error: NodeJS.ErrnoException) => error.code);
  if (state === 'ENOENT' || state === 'ENOTDIR') return 'gone';
  if (typeof state !== 'object') return 'unreadable';
  if (state.isSymbolicLink()) return 'there';
  if (state.isDirectory()) {
    const isRepository = path.endsWith('/') || (await isThere(Buffer.concat([at, Buffer.from('/.git')])));
    return isRepository ? 'repository' : 'gone';
  }
  if (!state.isFile()) return 'special';
  if (state.size > maxFileBytes) return 'large';
  return access(at, constants.R_OK).then(
    () => 'there',
    () => 'unreadable',
  );
}

async function isThere(path: Buffer): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** The bytes that such a path stands for. */
export function toBytes(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function toText(path: string): string {
  return toBytes(path).toString('utf8').replace(/\/$/, '');
}
