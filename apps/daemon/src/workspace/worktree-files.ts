import type { Dirent } from 'node:fs';
import { lstat, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from './workspace-error.ts';

/** Rules that git reads at every level. */
const ruleFiles: ReadonlySet<string> = new Set(['.gitattributes', '.gitignore']);

/** Larger rules are none; git would read them whole. */
const maxRuleBytes = 1024 * 1024;

/**
 * Removes pipes and devices from a worktree: nobody can commit them, and git, which opens what it finds under names such as
 * `.gitattributes` or in a repository inside, would wait for them for ever.
 *
 * @returns the paths that were removed
 * @throws WorkspaceError `unsuitable-file` for a file of rules that is too large to be one
 */
export async function removeSpecialFiles(workTree: string): Promise<readonly string[]> {
  const removed: string[] = [];
  const directories = ['.'];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    for (const entry of await list(join(workTree, directory))) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) directories.push(path);
      else if (isSpecial(entry)) {
        await unlink(join(workTree, path));
        removed.push(path);
      } else if (ruleFiles.has(entry.name)) await checkRules(workTree, path);
    }
  }
  return removed;
}

async function list(directory: string): Promise<readonly Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // What cannot be opened, git cannot open either: it says so itself.
    if (error.code === 'EACCES' || error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

function isSpecial(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
}

/** Older versions of git follow a link of that name, so what it leads to counts. */
async function checkRules(workTree: string, path: string): Promise<void> {
  const state = await stat(join(workTree, path)).catch(() => null);
  if (state === null || state.isDirectory()) return;
  if (state.isFile() && state.size <= maxRuleBytes) return;
  throw unsuitable(
    [path],
    state.isFile()
      ? `larger than ${toMegabytes(maxRuleBytes)}, too large for rules of git`
      : 'no regular file',
  );
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
