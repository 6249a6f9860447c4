import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from '@agent/text';
import { checkOptions, checkValue, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { createKeyedTurns } from '@agent/text/waiting';
import { translated } from '../context-store-error.ts';
import { createFilePauseSignal, createFileRunControls } from '../controls/run-controls.ts';
import { checkDisk } from '../disk/check-disk.ts';
import { privateDirectory, readFileIfThere, replaceFile } from '../disk/files.ts';
import { parseWritten } from '../disk/stored-values.ts';
import type { OwnedIndex } from '../index/open-owned-index.ts';
import type { Json } from '../journal-model.ts';
import { createLocalSignals } from '../local-signals.ts';
import { acquireOwnership } from '../ownership/acquire-ownership.ts';
import { readOwner } from '../ownership/read-owner.ts';
import { placesExpectations, type RunPlacesOptions } from '../places.ts';
import { createFileAccounts, createFileSpending } from '../spending/file-spending.ts';
import type { RunStorage, StorageMembers, StorageNotes } from '../storage.ts';
import { requireNoteName } from '../storage-names.ts';
import { keepPrivate, probeBaseDirectory } from './base-directory.ts';
import type { CheckedPlaces } from './check-places.ts';
import { createFileRunStore } from './file-run-store.ts';
import { createFileWatch } from './file-watch.ts';
import { createFileRunLines, createFileRunReader } from './run-reader.ts';
import { createFileTransfer } from './transfer-files.ts';

/** Options of a storage in files. */
export interface FileStorageOptions extends RunPlacesOptions {
  /** While this file exists, everything pauses. Default `pause_signal` in the base directory. */
  readonly pauseSignalFile?: string | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const expectations: ExpectationsOf<FileStorageOptions> = {
  ...placesExpectations,
  pauseSignalFile: placesExpectations.pausedDirectory,
  now: expected.function,
  logger: expected.logger,
};

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
  checkOptions('FileStorageOptions', options, expectations, ['baseDirectory']);
  const { pausedDirectory, now = Date.now, logger = null } = options;
  const baseDirectory = resolve(options.baseDirectory);
  const { pauseSignalFile = join(baseDirectory, 'pause_signal') } = options;
  const opened = { baseDirectory, pausedDirectory, now, logger };
  const notes = createFileNotes(baseDirectory);
  const accounts = createFileAccounts(opened);
  const transfer = createFileTransfer(opened);
  const { listNotes } = transfer;
  const { openIndex, ...past } = createPast({ ...opened, notes, accounts, listNotes });
  return {
    location: baseDirectory,
    members: createMembers(opened),
    openStore: (given) => createFileRunStore({ ...opened, ...given, openIndex }),
    openReader: (given) => createFileRunReader({ baseDirectory, pausedDirectory, ...given }),
    openSpending: ({ owner }) => createFileSpending({ ...opened, owner }),
    accounts,
    lines: createFileRunLines({ baseDirectory }),
    controls: createFileRunControls({ baseDirectory, now }),
    pauseSignal: createFilePauseSignal(pauseSignalFile, { now }),
    ...past,
    notes,
    transfer,
    watch: createFileWatch(opened),
    signals: createLocalSignals(),
    sharing: null,
    health: { check: () => checkDisk(baseDirectory), probe: () => probeBaseDirectory(baseDirectory) },
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
  opened: Opened & CheckedPlaces,
): Pick<RunStorage, 'index' | 'upkeep'> & { readonly openIndex: () => Promise<OwnedIndex> } {
  const { baseDirectory, pausedDirectory, now, logger } = opened;
  const indexed = { baseDirectory, pausedDirectory, now, logger };
  const load = () => import('../index/open-owned-index.ts');
  let opening: Promise<OwnedIndex> | null = null;
  const openIndex = () => {
    opening ??= load().then(({ openOwnedIndex }) => openOwnedIndex(opened));
    return opening;
  };
  return {
    openIndex,
    index: {
      find: async (task) => (await load()).createFileTaskIndex({ ...indexed, readOnly: true }).find(task),
      open: async () => (await openIndex()).index,
    },
    upkeep: {
      cleanUp: async ({ keepDays }) => {
        checkValue('keepDays', keepDays, expectNumber(0));
        const { index, expiry } = await openIndex();
        const { cleanUpRuns } = await load();
        return cleanUpRuns({ ...opened, index, expiry, now: new Date(opened.now()), keepDays });
      },
      purge: async (task) => {
        const { createFileTaskIndex, purgeTask } = await load();
        return purgeTask(task, { ...opened, index: createFileTaskIndex(indexed) });
      },
      rebuildIndex: async () => (await load()).createFileTaskIndex(indexed).rebuild(),
      verify: async () => (await import('./check-places.ts')).checkPlaces(opened),
    },
  };
}

/** One for the process, whose files they are. */
const inTurnOf = createKeyedTurns();

/** Keeps notes as files below a directory of runs: `handovers/5f3a` as `handovers/5f3a.json`. */
function createFileNotes(baseDirectory: string): StorageNotes {
  const base = resolve(baseDirectory);
  const locate = (name: string) => join(base, `${requireNoteName(name)}.json`);
  const replace = async (name: string, change: (path: string) => Promise<Json>) => {
    const path = locate(name);
    const work = () => change(path).then((value) => writeNote(path, value, { below: base }));
    return translated(inTurnOf(path, work), `write "${path}"`);
  };
  return {
    read: async (name) => readNote(locate(name)),
    write: (name, value) => replace(name, async () => value),
    change: (name, change) => replace(name, async (path) => change(await readNote(path))),
    locate,
  };
}

async function readNote(path: string): Promise<unknown> {
  const text = await translated(readFileIfThere(path), `read "${path}"`);
  return text === null ? null : parseWritten(text, `"${path}"`);
}

async function writeNote(path: string, value: Json, { below }: { readonly below: string }): Promise<void> {
  if (value === null) return rm(path, { force: true });
  // The directory of runs itself is its owner's to make: one that is gone may only be unmounted.
  if (dirname(path) !== below) await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await replaceFile(path, `${JSON.stringify(value)}\n`);
}
