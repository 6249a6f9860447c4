import { join } from 'node:path';
import type { Ownership, PausedRuns, RestingRuns, RunControls, RunReader, RunStore } from '@agent/run-store';
import { createFileRunControls, createFileRunReader, createFileRunStore } from '@agent/run-store/file';
import type { ModelMessage } from 'ai';
import { z } from 'zod';
import type { RunSettings } from './config/run-settings.ts';
import { createUpkeep, openRunIndex, type RunIndex, removeExpiredWork, type Upkeep } from './past/upkeep.ts';
import type { Environment, RunDirectories, RunLogger } from './ports.ts';

/** The records of runs, as all parts of one process share them. */
export interface RunRecords {
  readonly store: RunStore<ModelMessage> & PausedRuns<ModelMessage> & RestingRuns<ModelMessage>;
  /** Reads runs without owning them. */
  readonly reader: RunReader<ShownMessage>;
  /** Requests of people to single runs. */
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
  owner,
  now,
  logger,
}: {
  readonly directories: Pick<RunDirectories, 'contexts' | 'paused'>;
  readonly owner: Ownership;
  readonly now: () => number;
  readonly logger: RunLogger;
}): RunRecords {
  const places = toPlaces(directories);
  const openIndex = openRunIndex({ ...places, now, logger });
  return {
    store: openStore(places, { openIndex, owner, logger }),
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

/** The store of runs. It does not load the AI SDK, so that looking for unfinished runs costs nothing at start. */
function openStore(
  directories: { readonly baseDirectory: string; readonly pausedDirectory: string },
  options: {
    readonly openIndex: () => Promise<RunIndex>;
    readonly owner: Ownership;
    readonly logger: RunLogger;
  },
): RunStore<ModelMessage> & PausedRuns<ModelMessage> & RestingRuns<ModelMessage> {
  return createFileRunStore<ModelMessage>({ ...directories, ...options, parseMessage });
}

/** A message of any run, as it is shown: nothing of it is sent to a model again, so its parts are not checked. */
const shownSchema = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

/** A message of a run, as far as it is shown. */
export type ShownMessage = z.infer<typeof shownSchema>;

/**
 * Reads runs without owning them: works beside a daemon that runs, and without one.
 *
 * @example
 * const reader = openReader({ contexts: 'contexts', paused: 'contexts/paused' });
 * const { metadata } = await reader.readRun(uuid);
 */
export function openReader({
  contexts,
  paused,
}: {
  readonly contexts: string;
  readonly paused: string;
}): RunReader<ShownMessage> {
  return createFileRunReader({
    baseDirectory: contexts,
    pausedDirectory: paused,
    parseMessage: (json) => shownSchema.parse(json),
  });
}

/** Form that every message has; the AI SDK checks the parts again before each call. */
const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  providerOptions: z.record(z.string(), z.unknown()).optional(),
});

/** A message as it comes back from a journal. It does not load the AI SDK. @throws for what is none */
export function parseMessage(json: unknown): ModelMessage {
  return messageSchema.parse(json) as ModelMessage;
}
