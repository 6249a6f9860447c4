import { basename, dirname, join } from 'node:path';
import type { TaskReference } from '@agent/platforms';
import type { Logger } from '@agent/text';
import { translated } from '../context-store-error.ts';
import { removeEntries } from '../disk/files.ts';
import { removeIfThere, removeLeftovers, removeRunDirectory } from '../disk/run-directories.ts';
import {
  type RunPlaces,
  type RunPlacesOptions,
  toIndexPlaces,
  toRecordPath,
  toRunPlaces,
} from '../places.ts';
import { hashTaskKey, isUuid } from '../storage-names.ts';
import type { TaskIndex } from './indexed-run.ts';
import { listTaskDirectories } from './list-task-directories.ts';
import { listRecentRuns, type RecentRun, removeRecentRuns } from './recent-runs.ts';

/** Options of the removal of all runs of a task. */
export interface PurgeOptions extends RunPlacesOptions {
  readonly index: Pick<TaskIndex, 'find' | 'remove'>;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

/** Result of a purge. */
export interface PurgedTask {
  /** Uuids of the runs that are gone. */
  readonly removed: readonly string[];
  /** Uuids of the runs that are running or paused: end them first, then purge again. */
  readonly kept: readonly string[];
}

/**
 * Removes all that is kept of one task's runs that ended: directories, index, the list of recent runs. Looks at every
 * directory, and at those that index and list name, which may be too damaged to say whose they are; safe to repeat.
 * Only the owner of the directory may call this.
 */
export function purgeTask(task: TaskReference, options: PurgeOptions): Promise<PurgedTask> {
  const places = toRunPlaces(options);
  return translated(purge(task, { places, options }), `purge task ${task.taskKeyHash}`);
}

async function purge(
  task: TaskReference,
  { places, options }: { readonly places: RunPlaces; readonly options: PurgeOptions },
): Promise<PurgedTask> {
  const path = toRecordPath(toIndexPlaces(options.baseDirectory), task.taskKeyHash);
  await removeLeftovers(places.completed);
  const indexed = (await options.index.find(task)).map(({ uuid }) => uuid);
  const isOfTask = ({ host, taskKeyText }: RecentRun) =>
    host === task.host && hashTaskKey(taskKeyText) === task.taskKeyHash;
  const recent = (await listRecentRuns(places.recent)).runs.filter(isOfTask).map(({ uuid }) => uuid);
  const unseen = new Set([...indexed, ...recent]);
  const [removed, kept]: [string[], string[]] = [[], []];
  for await (const found of listTaskDirectories(places, options.logger ?? null)) {
    unseen.delete(found.uuid);
    if (found.taskKeyHash !== task.taskKeyHash || found.host !== task.host) continue;
    if (found.place === 'completed') await removeRunDirectory(found.directory);
    (found.place === 'completed' ? removed : kept).push(found.uuid);
  }
  // A directory that no longer says whose it is still holds what was said.
  for (const uuid of [...unseen].filter(isUuid)) {
    if (await removeIfThere(join(places.completed, uuid))) removed.push(uuid);
  }
  await removeCopies(path);
  for (const uuid of indexed) {
    if (!kept.includes(uuid)) await options.index.remove(task, uuid);
  }
  await removeRecentRuns(places.recent, (run) => isOfTask(run) && !kept.includes(run.uuid));
  options.logger?.info({ ...task, removed: removed.length, kept: kept.length }, 'purged task');
  return { removed, kept };
}

/** Removes copies of a task's index file that were moved aside as damaged: they may still say something. */
export function removeCopies(path: string): Promise<void> {
  return removeEntries(dirname(path), (name) => name.startsWith(`${basename(path)}.corrupt-`));
}
