import { join } from 'node:path';
import type { TaskReference } from '@agent/platforms';
import type { Logger } from '@agent/text';
import { ContextStoreError, toSystemCode } from '../context-store-error.ts';
import { listEntries } from '../disk/files.ts';
import { isRunDirectory } from '../disk/run-directories.ts';
import type { RunPlaces } from '../places.ts';
import { readMetadata } from '../record/run-record.ts';
import type { RunPlace } from '../run-model.ts';
import { isUuid } from '../storage-names.ts';

/** Directories that are read at the same time. */
const width = 16;

/** A run with the place where it lies, and the task it belongs to. */
export interface TaskDirectory extends TaskReference {
  readonly uuid: string;
  readonly place: RunPlace;
  readonly directory: string;
}

/**
 * Every run's directory, with the task that it belongs to. What cannot be read is logged and left out: one of them
 * must not hide the others.
 * @throws when the system refuses to read, which is not the same as a run that is not there
 */
export async function* listTaskDirectories(
  places: RunPlaces,
  logger: Logger | null,
): AsyncGenerator<TaskDirectory> {
  // In the order in which runs move: one that moves meanwhile is seen twice rather than never.
  for (const place of ['paused', 'running', 'completed'] as const) {
    const uuids = await listRunNames(places[place]);
    for (let from = 0; from < uuids.length; from += width) {
      const found = await Promise.all(
        uuids.slice(from, from + width).map(async (uuid) => {
          const directory = join(places[place], uuid);
          const task = await skipDamaged(() => readTask(directory), { directory, logger });
          return task === null ? null : { ...task, uuid, place, directory };
        }),
      );
      yield* found.filter((one) => one !== null);
    }
  }
}

/** Reads from a run's directory; null, and a line in the log, when it does not say what it must. */
export async function skipDamaged<Result>(
  read: () => Promise<Result | null>,
  { directory, logger }: { readonly directory: string; readonly logger: Logger | null },
): Promise<Result | null> {
  try {
    return await read();
  } catch (err) {
    if (!isDamage(err)) throw err;
    if (await isThere(directory)) {
      logger?.warn({ err, directory }, 'failed to read run; leaving it out of index');
    }
    return null;
  }
}

/** Names of the directories that may be runs; none when the parent is missing. */
async function listRunNames(parent: string): Promise<readonly string[]> {
  const names = await listEntries(parent);
  return names.filter(isUuid).sort();
}

async function readTask(directory: string): Promise<TaskReference | null> {
  if (!(await isRunDirectory(directory))) return null;
  const { taskKeyHash, host } = await readMetadata(directory);
  return { taskKeyHash, host };
}

/** A file that is missing or says nothing; not one that the system could not read just now. */
function isDamage(error: unknown): boolean {
  if (!ContextStoreError.isInstance(error)) return false;
  if (error.code === 'other-version') return true;
  if (error.code !== 'damaged') return false;
  const code = toSystemCode(error.cause);
  return code === null || code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR';
}

/** Whoever reads without the lock may look while a run is moved away. */
async function isThere(directory: string): Promise<boolean> {
  return isRunDirectory(directory).catch(() => true);
}
