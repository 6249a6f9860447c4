import { join } from 'node:path';
import type { ThreadReference } from '@agent/platforms';
import { ContextStoreError, toStorageError } from '../context-store-error.ts';
import { isThere, removeEntries } from '../disk/files.ts';
import { isHalfMade, isRunDirectory, listNames } from '../disk/run-directories.ts';
import type { ListedRun, ListedRuns } from '../driver.ts';
import type { TaskState } from '../lines/task-state.ts';
import { type RunPlaces, toJournalFiles } from '../places.ts';
import { lostBeginning } from '../record/read-record.ts';
import { readMetadata, readRunFacts, readTaskState } from '../record/run-record.ts';
import type { DamagedRun, RunPlace } from '../run-model.ts';
import { isUuid, requireUuid } from '../storage-names.ts';
import { type FoundRun, findRun } from '../store/create-run-reader.ts';
import { isOfThread, toListedRun } from '../store/list-runs.ts';

/** Lists the runs in `running/`, or those that may be of one thread; changes nothing. */
export function listRunningDirectories(running: string, of?: ThreadReference): Promise<ListedRuns> {
  return readRunDirectories(running, async (directory) => {
    if (!(await mayBeOf(directory, of))) return null;
    // The record alone: what is done with these runs rests on it.
    return toListedRun(await readRunFacts(directory));
  });
}

/** Tells by the small file alone what need not be read whole; what that file does not say is read. */
async function mayBeOf(directory: string, of: ThreadReference | undefined): Promise<boolean> {
  if (of === undefined) return true;
  return readMetadata(directory).then(
    (metadata) => isOfThread(metadata, of),
    () => true,
  );
}

/** Removes what a crash left of directories in the making. */
export function removeHalfMade(running: string): Promise<void> {
  return removeEntries(running, isHalfMade);
}

/** Lists the runs that are paused; changes nothing. */
export function listPausedDirectories(paused: string): Promise<ListedRuns> {
  return readRunDirectories(paused, async (directory) => {
    // The files beside a record of another version may still be of this one.
    await lostBeginning(toJournalFiles(directory).messages);
    const metadata = await readMetadata(directory);
    return { metadata, pause: await readPausedState(directory), outcome: null, openIntents: [] };
  });
}

/** @throws {ContextStoreError} `damaged` when the directory does not say that its run is paused */
export async function readPausedState(directory: string): Promise<TaskState> {
  const file = await readTaskState(directory);
  if (file?.status === 'paused') return file;
  // A letter of the file may have changed: the record says it, too.
  const { pause: state } = await readRunFacts(directory);
  if (state?.status === 'paused') return state;
  const found = state === null ? 'has no task_state.json' : `has the status ${JSON.stringify(state.status)}`;
  const message = `"${directory}" ${found}, so that it is not resumed. Put a task_state.json with the status "paused" there, or move the directory away.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

/**
 * Reads every run of a directory of runs, and reports what cannot be read, whatever the reason: one of them must
 * not hide the others. `read` gives null for what is to be left out. Names that no run can have, links and files
 * are damage.
 */
async function readRunDirectories(
  parent: string,
  read: (directory: string) => Promise<ListedRun | null>,
): Promise<ListedRuns> {
  const found: ListedRun[] = [];
  const damaged: DamagedRun[] = [];
  for (const name of await listNames(parent)) {
    const directory = join(parent, name);
    try {
      requireUuid(name);
      const run = (await isRunDirectory(directory)) ? await read(directory) : null;
      if (run !== null) found.push(run);
    } catch (error) {
      // Whoever reads without the lock may look while a run is moved away.
      if (!(await isThere(directory))) continue;
      damaged.push({ name, reason: toStorageError(error, `read "${directory}"`).message });
    }
  }
  return { found, damaged };
}

const placeNames: readonly RunPlace[] = ['running', 'paused', 'completed'];

/** The directories of a store in words for people. */
export function describePlaces(places: RunPlaces): string {
  return placeNames.map((place) => `"${places[place]}"`).join(', ');
}

/** Finds the directories of runs whose uuid begins like this. */
export async function findDirectories(places: RunPlaces, prefix: string): Promise<readonly FoundRun[]> {
  let found: readonly FoundRun[] = [];
  // It may have moved from a place not yet looked at to one already looked at, or be seen at both.
  for (let looks = 0; looks < 3 && found.length === 0; looks += 1)
    found = await filterStanding(await listFound(places, prefix));
  return found;
}

/** Finds the directory of a run. @throws {ContextStoreError} `invalid` if there is none */
export async function findDirectory(places: RunPlaces, uuid: string): Promise<string> {
  const find = (prefix: string) => findDirectories(places, prefix);
  return (await findRun({ location: describePlaces(places), find }, uuid)).location;
}

async function listFound(places: RunPlaces, prefix: string): Promise<readonly FoundRun[]> {
  const found: FoundRun[] = [];
  for (const place of placeNames) {
    for (const uuid of await listCandidates(places[place], prefix)) {
      found.push({ uuid, place, location: join(places[place], uuid) });
    }
  }
  return found;
}

async function filterStanding(found: readonly FoundRun[]): Promise<readonly FoundRun[]> {
  if (found.length < 2) return found;
  const standing = await Promise.all(found.map(({ location }) => isThere(location)));
  return found.filter((_, index) => standing[index]);
}

/**
 * Reads the directory of a run, and again if it was moved meanwhile: a file that is not there any more reads as one that never was.
 * @throws {ContextStoreError} `invalid` if there is no such run
 */
export async function readWhereItLies<Result>(
  { places, uuid }: { readonly places: RunPlaces; readonly uuid: string },
  read: (directory: string) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const directory = await findDirectory(places, uuid);
    const result = await readUnlessMoved(directory, () => read(directory));
    if (result !== null) return result.value;
  }
}

/** Reads a directory, whole or not at all; null where it was moved away meanwhile. */
export async function readUnlessMoved<Result>(
  directory: string,
  read: () => Promise<Result>,
): Promise<{ readonly value: Result } | null> {
  const [result] = await Promise.allSettled([read()]);
  if (!(await isThere(directory))) return null;
  if (result.status === 'rejected') throw result.reason;
  return result;
}

async function listCandidates(parent: string, prefix: string): Promise<readonly string[]> {
  // A whole uuid needs no listing, however many runs there are.
  if (isUuid(prefix)) return (await isRunDirectory(join(parent, prefix))) ? [prefix] : [];
  return (await listNames(parent)).filter((name) => name.startsWith(prefix) && isUuid(name));
}
