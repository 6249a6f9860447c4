import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@agent/platforms';
import { type GitContext, git } from '../git/git-repository.ts';
import { listChanged } from '../git/list-changed.ts';
import type { TaskPlace } from '../git/task-place.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { parsePointer } from './lfs-client.ts';
import { listLfsFiles, lookAt, markForGit, namesLfs } from './lfs-files.ts';

/**
 * Refuses a commit that would put content in the place of a pointer: changed files and new ones that LFS keeps by `.gitattributes`.
 * Those that were removed are removed from git, too.
 *
 * @throws WorkspaceError `unsuitable-file`
 */
export async function refuseLfsChanges(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<void> {
  if (!(await namesLfs(context, { place, signal }))) return;
  const own = new Set<string>();
  const gone: string[] = [];
  for (const file of await listLfsFiles(context, { place, signal })) {
    const state = await lookAt(place, file);
    if (state === 'own') own.add(file.path);
    if (state === 'gone') gone.push(file.path);
  }
  await markForGit(context, { place, mark: '--no-assume-unchanged', paths: gone, signal });
  for (const path of await listFiltered(context, { place, signal }))
    if (await holdsContent(place, path)) own.add(path);
  if (own.size > 0) throw refused([...own]);
}

/** Lists changed files that LFS keeps. */
async function listFiltered(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<readonly string[]> {
  const changed = await listChanged(context, { place, signal });
  const { stdout } = await git(context, place, {
    args: ['check-attr', '-z', '--stdin', 'filter'],
    input: changed.map(({ path }) => `${path}\0`).join(''),
    doing: 'Reading attributes',
    signal,
  });
  // Path, name of the attribute and its value, one after the other.
  const cells = stdout.split('\0');
  return cells.flatMap((value, at) => (at % 3 === 2 && value === 'lfs' ? (cells[at - 2] ?? []) : []));
}

async function holdsContent({ workTree }: TaskPlace, path: string): Promise<boolean> {
  const state = await lstat(join(workTree, path)).catch(() => null);
  if (state?.isFile() !== true) return false;
  return state.size > 1_024 || parsePointer(await readFile(join(workTree, path))) === null;
}

function refused(paths: readonly string[]): WorkspaceError {
  const names = paths.slice(0, 5).map((path) => JSON.stringify(path));
  const more = paths.length > names.length ? ` and ${paths.length - names.length} more` : '';
  return new WorkspaceError(
    `The changes cannot be committed: changes to files in Git LFS are not pushed (${names.join(', ')}${more}). Nothing was committed; the files are kept in the task's worktree. Change them yourself with git-lfs, or start the task again and ask to leave them unchanged.`,
    { code: 'unsuitable-file' },
  );
}
