import { createReadStream } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallOptions } from '@agent/platforms';
import type { GitPlace } from '../git/git-environment.ts';
import { type GitContext, git, gitBytes } from '../git/git-repository.ts';
import { snapshotPlace, type TaskPlace } from '../git/task-place.ts';
import { guardPath } from '../machine/guarded-path.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { createObjectCheck, type LfsObject, parsePointer } from './lfs-client.ts';

/** A file whose pointer stands in git. */
export interface LfsFile extends LfsObject {
  readonly path: string;
  readonly mode: string;
}

/** Tells whether any `.gitattributes` of a worktree names LFS. */
export async function namesLfs(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<boolean> {
  const args = ['grep', '--untracked', '-q', '-F', 'filter=lfs', '--', ':(glob)**/.gitattributes'];
  const doing = 'Looking for files of LFS';
  return (await git(context, place, { args, doing, anyExit: true, signal })).exitCode === 0;
}

/** Lists the files of the index whose pointers stand there. */
export async function listLfsFiles(
  context: GitContext,
  { place, signal }: { readonly place: GitPlace } & CallOptions,
): Promise<readonly LfsFile[]> {
  const doing = 'Listing files of LFS';
  if (!(await namesLfs(context, { place, signal }))) return [];
  const list = ['ls-files', '--stage', '-z', '--', ':(attr:filter=lfs)'];
  const { stdout } = await git(context, place, { args: list, doing, signal });
  const entries = stdout.split('\0').flatMap((entry) => {
    const [, mode, blob] = /^(100644|100755) ([0-9a-f]{40,64}) 0\t/.exec(entry) ?? [];
    return mode === undefined || blob === undefined
      ? []
      : [{ mode, blob, path: entry.slice(entry.indexOf('\t') + 1) }];
  });
  const pointers = await readPointers(context, { place, blobs: entries.map(({ blob }) => blob), signal });
  return entries.flatMap(({ path, mode, blob }) => {
    const object = pointers.get(blob);
    return object === undefined ? [] : [{ path, mode, ...object }];
  });
}

/** Reads the pointers among blobs, by their names. What is too large for one is not read. */
async function readPointers(
  context: GitContext,
  { place, blobs, signal }: { readonly place: GitPlace; readonly blobs: readonly string[] } & CallOptions,
): Promise<ReadonlyMap<string, LfsObject>> {
  const doing = 'Reading pointers of LFS';
  const toInput = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');
  const check = { args: ['cat-file', '--batch-check'], input: toInput([...new Set(blobs)]), doing, signal };
  const sizes = (await git(context, place, check)).stdout.split('\n').map((line) => line.split(' '));
  const small = sizes.flatMap(([name = '', type, size]) =>
    type === 'blob' && Number(size) <= 1_024 ? [name] : [],
  );
  const all = await gitBytes(context, place, {
    args: ['cat-file', '--batch'],
    input: toInput(small),
    doing,
    signal,
  });
  const pointers = new Map<string, LfsObject>();
  for (let at = 0; at < all.length; ) {
    const lineEnd = all.indexOf(10, at);
    const [name = '', , size] = all.subarray(at, lineEnd).toString('latin1').split(' ');
    const end = lineEnd + 1 + Number(size);
    const object = parsePointer(all.subarray(lineEnd + 1, end));
    if (object !== null) pointers.set(name, object);
    at = end + 1;
  }
  return pointers;
}

/** Tells what stands in the worktree: the pointer, its content, nothing, or something that the run has put there. */
export async function lookAt(
  place: TaskPlace,
  { path, ...object }: LfsFile,
): Promise<'pointer' | 'content' | 'gone' | 'own'> {
  const parent = await guardPath(place.workTree, dirname(path)).catch(() => null);
  if (parent === null || parent.real !== join(parent.root, dirname(path))) return 'own';
  const file = join(place.workTree, path);
  const state = await lstat(file).catch(() => null);
  if (state === null) return 'gone';
  if (!state.isFile()) return 'own';
  if (state.size <= 1_024 && parsePointer(await readFile(file))?.oid === object.oid) return 'pointer';
  return state.size === object.size && (await isObject(file, object)) ? 'content' : 'own';
}

/** Tells whether a file holds an object. */
export async function isObject(file: string, object: LfsObject): Promise<boolean> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  return pipeline(createReadStream(file), createObjectCheck(object), sink).then(
    () => true,
    (error: unknown) => {
      if (error instanceof WorkspaceError || (error as { code?: unknown }).code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Has git take these files for what stands in its index, whatever they hold, or look at them again: in the worktree's, and in that of snapshots. */
export async function markForGit(
  context: GitContext,
  {
    place,
    mark,
    paths,
    signal,
  }: {
    readonly place: TaskPlace;
    readonly mark: '--assume-unchanged' | '--no-assume-unchanged';
    readonly paths: readonly string[];
  } & CallOptions,
): Promise<void> {
  if (paths.length === 0) return;
  const command = {
    args: ['update-index', mark, '-z', '--stdin'],
    input: paths.map((path) => `${path}\0`).join(''),
    doing: 'Marking files of LFS',
    signal,
  };
  await git(context, place, command);
  const snapshots = snapshotPlace(place);
  // Runs whose work stays here have none, and one may lack a file that was removed.
  if ((await lstat(join(snapshots.gitDirectory, 'index')).catch(() => null)) !== null)
    await git(context, snapshots, { ...command, anyExit: true });
}

/** Puts pointers back in the places of their content, for a git that is to change such files itself. */
export async function putPointersBack(
  context: GitContext,
  { place, signal }: { readonly place: TaskPlace } & CallOptions,
): Promise<void> {
  const paths: string[] = [];
  for (const file of await listLfsFiles(context, { place, signal }))
    if ((await lookAt(place, file)) === 'content') paths.push(file.path);
  if (paths.length === 0) return;
  await markForGit(context, { place, mark: '--no-assume-unchanged', paths, signal });
  await git(context, place, {
    args: ['checkout-index', '--force', '--index', '-z', '--stdin'],
    input: paths.map((path) => `${path}\0`).join(''),
    doing: 'Putting back pointers of LFS',
    signal,
  });
}
