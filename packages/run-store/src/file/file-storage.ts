import { dirname, join, resolve } from 'node:path';
import type { Logger } from '@agent/text';
import { createFilePauseSignal, createFileRunControls } from '../controls/run-controls.ts';
import { leadsSomewhere } from '../disk/files.ts';
import type { OwnedIndex } from '../index/open-owned-index.ts';
import { createLocalSignals } from '../local-signals.ts';
import { acquireOwnership } from '../ownership/acquire-ownership.ts';
import { probeRunDirectory, readOwner } from '../ownership/read-owner.ts';
import type { RunPlacesOptions } from '../places.ts';
import type { RunStorage, StorageMembers } from '../storage.ts';
import { checkDisk } from './check-disk.ts';
import { createFileNotes } from './file-notes.ts';
import { createFileRunStore } from './file-run-store.ts';
import { keepPrivate } from './keep-private.ts';
import { createFileRunLines, createFileRunReader } from './run-reader.ts';

/** Options of a storage in files. */
export interface FileStorageOptions extends RunPlacesOptions {
  /** While this file exists, everything pauses. Default `pause_signal` in the base directory. */
  readonly pauseSignalFile?: string | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

interface Opened extends RunPlacesOptions {
  readonly now: () => number;
  readonly logger: Logger | null;
}

/**
 * Keeps runs in a directory of this machine, which one process at a time owns. What reads and heals the index is loaded when
 * it is asked: a start that finds no work spends nothing on it.
 *
 * @example
 * const storage = createFileStorage({ baseDirectory: './agent/contexts' });
 * const owner = await storage.members.acquire();
 * const store = storage.openStore({ owner, parseMessage });
 */
export function createFileStorage(options: FileStorageOptions): RunStorage {
  const { pausedDirectory, now = Date.now, logger = null } = options;
  const baseDirectory = resolve(options.baseDirectory);
  const { pauseSignalFile = join(baseDirectory, 'pause_signal') } = options;
  const opened = { baseDirectory, pausedDirectory, now, logger };
  const { openIndex, ...past } = createPast(opened);
  return {
    location: baseDirectory,
    members: createMembers(opened),
    openStore: (given) => createFileRunStore({ ...opened, ...given, openIndex }),
    openReader: (given) => createFileRunReader({ ...opened, ...given }),
    lines: createFileRunLines(opened),
    controls: createFileRunControls(opened),
    pauseSignal: createFilePauseSignal(pauseSignalFile, { now }),
    ...past,
    notes: createFileNotes(baseDirectory),
    signals: createLocalSignals(),
    sharing: null,
    health: { check: () => checkDisk(baseDirectory), probe: () => probe(baseDirectory) },
    close: async () => {},
  };
}

function createMembers({ now, ...opened }: Opened): StorageMembers {
  const { baseDirectory } = opened;
  return {
    acquire: async ({ signal } = {}) => {
      await keepPrivate(baseDirectory);
      return acquireOwnership({ ...opened, signal });
    },
    list: async () => {
      const owner = await readOwner(baseDirectory, { now: now() });
      return owner === null ? [] : [owner];
    },
  };
}

/** Creates what has to do with runs that ended. */
function createPast(
  opened: Opened,
): Pick<RunStorage, 'index' | 'upkeep'> & { readonly openIndex: () => Promise<OwnedIndex> } {
  const load = () => import('../index/open-owned-index.ts');
  let opening: Promise<OwnedIndex> | null = null;
  const openIndex = () => {
    opening ??= load().then(({ openOwnedIndex }) => openOwnedIndex(opened));
    return opening;
  };
  return {
    openIndex,
    index: {
      find: async (task) => (await load()).createFileTaskIndex({ ...opened, readOnly: true }).find(task),
      open: async () => (await openIndex()).index,
    },
    upkeep: {
      cleanUp: async ({ keepDays }) => {
        const { index, expiry } = await openIndex();
        const { cleanUpRuns } = await load();
        return cleanUpRuns({ ...opened, index, expiry, now: new Date(opened.now()), keepDays });
      },
      purge: async (task) => {
        const { createFileTaskIndex, purgeTask } = await load();
        return purgeTask(task, { ...opened, index: createFileTaskIndex(opened) });
      },
      rebuildIndex: async () => (await load()).createFileTaskIndex(opened).rebuild(),
    },
  };
}

/** Tries the directory, or the nearest one above it that is there. */
async function probe(baseDirectory: string): Promise<Readonly<Record<string, never>>> {
  let place = baseDirectory;
  while (!(await leadsSomewhere(place)) && dirname(place) !== place) place = dirname(place);
  await probeRunDirectory(place);
  return {};
}
