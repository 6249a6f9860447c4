import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CallOptions } from '@agent/platforms';
import PQueue from 'p-queue';
import type { GitPlace } from '../git/git-environment.ts';
import type { GitContext } from '../git/git-repository.ts';
import type { TaskPlace } from '../git/task-place.ts';
import { parseCloneAddress, type WorkspaceTask } from '../git/workspace-task.ts';
import { removeTree, temporaryPath } from '../machine/directories.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { batchSize, createObjectCheck, download, findDownloads, type LfsObject } from './lfs-client.ts';
import { isObject, type LfsFile, listLfsFiles, lookAt, markForGit } from './lfs-files.ts';

/** `unavailable`: the server did not give it; `too-large`: it takes more than is left. */
export type MissingLfsFile = 'unavailable' | 'too-large';

/** Files of a worktree that LFS keeps. */
export interface FetchedLfsFiles {
  /** Paths of those that this call has written. */
  readonly made: readonly string[];
  readonly missing: readonly { readonly path: string; readonly why: MissingLfsFile }[];
}

export interface LfsOptions extends CallOptions {
  readonly task: Pick<WorkspaceTask, 'cloneUrl'>;
  readonly place: TaskPlace;
  /** Most bytes that the files of a worktree take. */
  readonly maxBytes: number;
}

/**
 * Writes what LFS keeps in the places of its pointers, from the copy of the repository or from its server. Git does not look at these files any
 * more, so that no content gets into a commit in the place of its pointer. What a run has put there itself stays.
 *
 * @throws WorkspaceError `storage-full`; an object that cannot be had is a file that is missing
 */
export async function fetchLfsFiles(context: GitContext, options: LfsOptions): Promise<FetchedLfsFiles> {
  const { place, signal } = options;
  const files = await listLfsFiles(context, { place, signal });
  if (files.length === 0) return { made: [], missing: [] };
  const states = new Map<string, Awaited<ReturnType<typeof lookAt>>>();
  for (const file of files) states.set(file.path, await lookAt(place, file));
  const wanted = files.filter(({ path }) => states.get(path) === 'pointer');
  const isThere = (path: string) => states.get(path) === 'content';
  const taken = files.filter(({ path }) => isThere(path)).reduce((sum, { size }) => sum + size, 0);
  const fitting = fit(wanted, options.maxBytes - taken);
  await fetchObjects(context, { ...options, objects: fitting });
  const made: string[] = [];
  for (const file of fitting) if (await putIn(place, file)) made.push(file.path);
  await markForGit(context, {
    place,
    mark: '--assume-unchanged',
    paths: [...made, ...files.map(({ path }) => path).filter(isThere)],
    signal,
  });
  const lacking = wanted.filter(({ path }) => !made.includes(path));
  const missing = lacking.map((file) => ({
    path: file.path,
    why: fitting.includes(file) ? ('unavailable' as const) : ('too-large' as const),
  }));
  return { made, missing };
}

/** Takes files from the smallest on, as long as there is room. */
function fit(files: readonly LfsFile[], bytes: number): readonly LfsFile[] {
  let left = bytes;
  return files
    .toSorted((one, other) => one.size - other.size)
    .filter(({ size }) => {
      left -= size;
      return left >= 0;
    });
}

/** Names the file in which git-lfs would keep it, too: in the copy of its own repository, so that no other one is given it. */
function objectPath({ commonDirectory }: GitPlace, { oid }: LfsObject): string {
  return join(commonDirectory, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
}

/** Brings objects into the copy of the repository, as far as they can be had. */
async function fetchObjects(
  context: GitContext,
  { task, place, objects, signal }: LfsOptions & { readonly objects: readonly LfsObject[] },
): Promise<void> {
  const { server } = parseCloneAddress(task.cloneUrl, context);
  const distinct = [...new Map(objects.map((object) => [object.oid, object])).values()];
  const absent: LfsObject[] = [];
  for (const object of distinct)
    if (!(await isObject(objectPath(place, object), object))) absent.push(object);
  const queue = new PQueue({ concurrency: 8 });
  for (let at = 0; server !== null && at < absent.length; at += batchSize) {
    const some = absent.slice(at, at + batchSize);
    const found = await findDownloads(context, { server, objects: some, signal }).catch(tell(context));
    const one = async (object: LfsObject) => {
      const way = found?.get(object.oid);
      if (way === undefined) return;
      const path = objectPath(place, object);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = temporaryPath(dirname(path));
      try {
        await download(context, way, { object, file, signal });
        await rename(file, path);
      } finally {
        await removeTree(file);
      }
    };
    await queue.addAll(some.map((object) => () => one(object).catch(tell(context))));
  }
}

function tell({ logger }: Pick<GitContext, 'logger'>) {
  return (error: unknown): null => {
    if (!(error instanceof WorkspaceError)) throw error;
    logger?.warn({ err: error }, 'failed to fetch LFS object');
    return null;
  };
}

/** @returns false where the object is not there */
async function putIn(place: TaskPlace, { path, mode, ...object }: LfsFile): Promise<boolean> {
  const source = objectPath(place, object);
  const made = join(place.gitDirectory, 'lfs-file');
  await removeTree(made);
  if ((await lstat(source).catch(() => null)) === null) return false;
  const target = createWriteStream(made, { flags: 'wx' });
  await pipeline(createReadStream(source), createObjectCheck(object), target);
  await chmod(made, mode === '100755' ? 0o755 : 0o644);
  await rename(made, join(place.workTree, path));
  return true;
}
