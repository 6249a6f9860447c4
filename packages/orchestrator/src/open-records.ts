import { join } from 'node:path';
import type { PausedRuns, RestingRuns, RunControls, RunReader, RunStore } from '@agent/run-store';
import { createFileRunControls } from '@agent/run-store/file';
import type { ModelMessage } from 'ai';
import type { RunSettings } from './config/run-settings.ts';
import { openReader, type ShownMessage } from './open-reader.ts';
import { openStore } from './open-store.ts';
import { createUpkeep, openRunIndex, type RunIndex, removeExpiredWork, type Upkeep } from './past/upkeep.ts';
import type { Environment, RunDirectories, RunLogger } from './ports.ts';

/** The records of runs, as all parts of one process share them. */
export interface RunRecords {
  readonly store: RunStore<ModelMessage> & PausedRuns<ModelMessage> & RestingRuns<ModelMessage>;
  /** Reads runs without owning them. */
  readonly reader: RunReader<ShownMessage>;
  /** What people ask of single runs. */
  readonly controls: RunControls;
  readonly openIndex: () => Promise<RunIndex>;
}

/** The directories of records where one holds them all. */
export function toRecordDirectories(contexts: string): Omit<RunDirectories, 'workspaces'> {
  return { contexts, paused: join(contexts, 'paused'), pauseSignalFile: join(contexts, 'pause_signal') };
}

/** Opens the records in files of these directories. */
export function openRecords({
  directories,
  now,
  logger,
}: {
  readonly directories: Pick<RunDirectories, 'contexts' | 'paused'>;
  readonly now: () => number;
  readonly logger: RunLogger;
}): RunRecords {
  const places = toPlaces(directories);
  const openIndex = openRunIndex({ ...places, now, logger });
  return {
    store: openStore(places, { openIndex, logger }),
    reader: openReader(directories),
    controls: createFileRunControls({ baseDirectory: directories.contexts, now }),
    openIndex,
  };
}

/** Opens what keeps the records in order beside the work. */
export function openUpkeep(
  { openIndex, reader }: Pick<RunRecords, 'openIndex' | 'reader'>,
  {
    directories,
    settings,
    environment,
    now,
    logger,
  }: {
    readonly directories: RunDirectories;
    readonly settings: Pick<RunSettings, 'context_storage' | 'context_inheritance'>;
    readonly environment: Environment;
    readonly now: () => number;
    readonly logger: RunLogger;
  },
): Upkeep {
  const days = {
    cleanupDays: settings.context_storage.cleanup_days,
    contextExpiryDays: settings.context_inheritance.context_expiry_days,
  };
  const { workspaces } = directories;
  const { listKept } = reader;
  const removeEndedWork = (before: number) =>
    removeExpiredWork({ workspaces, listKept, environment, logger }, before);
  return createUpkeep({ ...toPlaces(directories), openIndex, days, now, removeEndedWork, logger });
}

function toPlaces({ contexts, paused }: Pick<RunDirectories, 'contexts' | 'paused'>) {
  return { baseDirectory: contexts, pausedDirectory: paused };
}
