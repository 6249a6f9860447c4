import type { Dirent } from 'node:fs';
import { lstat, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from '../workspace-error.ts';
import type { GitContext } from './git-repository.ts';

/** Rules that git reads at every level. */
export const ruleFiles: ReadonlySet<string> = new Set(['.gitattributes', '.gitignore']);

/** Larger rules are none; git would read them whole. */
const maxRuleBytes = 1024 * 1024;

/**
 * Removes pipes and devices from a worktree: nobody can commit them, and git, which opens what it finds under names such as
 * `.gitattributes` or in a repository inside, would wait for them for ever.
 *
 * @returns the paths of git's rules
 * @throws WorkspaceError `unsuitable-file` when directories lie deeper than a path can name
 */
export async function dropSpecialFiles(
  { logger }: Pick<GitContext, 'logger'>,
  { workTree }: { readonly workTree: string },
): Promise<{ readonly rules: readonly string[] }> {
  const removed: string[] = [];
  const rules: string[] = [];
  const directories = ['.'];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    for (const entry of await list(workTree, directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) directories.push(path);
      else if (isSpecial(entry)) {
        await unlink(join(workTree, path));
        removed.push(path);
      } else if (ruleFiles.has(entry.name)) rules.push(path);
    }
  }
  if (removed.length > 0) logger?.warn({ removed }, 'removed pipes and devices from worktree');
  return { rules };
}

async function list(workTree: string, within: string): Promise<readonly Dirent[]> {
  return readdir(join(workTree, within), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // What cannot be opened, git cannot open either: it says so itself.
    if (error.code === 'EACCES' || error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    if (error.code === 'ENAMETOOLONG')
      throw unsuitable([within.slice(0, 200)], 'deeper than a path can name');
    throw error;
  });
}

function isSpecial(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
}

/**
 * Refuses files of rules that are too large to be some, or lead to what is no file: older versions of git follow a link of that name.
 *
 * @throws WorkspaceError `unsuitable-file`
 */
export async function refuseUnsuitableRules(workTree: string, rules: readonly string[]): Promise<void> {
  for (const path of rules) {
    const state = await stat(join(workTree, path)).catch(() => null);
    if (state === null || state.isDirectory()) continue;
    if (!state.isFile()) throw unsuitable([path], 'no regular file');
    if (state.size > maxRuleBytes) {
      throw unsuitable([path], `larger than ${toMegabytes(maxRuleBytes)}, too large for rules of git`);
    }
  }
}

/** Forges refuse larger files. */
const maxCommittedBytes = 100 * 1024 * 1024;

/** @throws WorkspaceError `unsuitable-file` when one of the paths is a file too large to be committed */
export async function refuseLargeFiles(workTree: string, paths: readonly string[]): Promise<void> {
  const large: string[] = [];
  for (const path of paths) {
    const state = await lstat(join(workTree, path)).catch(() => null);
    if (state?.isFile() === true && state.size > maxCommittedBytes) large.push(path);
  }
  if (large.length > 0) throw unsuitable(large, `larger than ${toMegabytes(maxCommittedBytes)}`);
}

function unsuitable(paths: readonly string[], what: string): WorkspaceError {
  const names = paths.slice(0, 5).map((path) => JSON.stringify(path));
  const more = paths.length > names.length ? ` and ${paths.length - names.length} more` : '';
  return new WorkspaceError(
    `The changes cannot be committed: ${names.join(', ')}${more} is ${what}. Nothing was committed; the files are kept in the task's worktree. Start the task again and have such files deleted, or named in .gitignore.`,
    { code: 'unsuitable-file' },
  );
}

function toMegabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}
