import { join } from 'node:path';
import type { RunStorage } from '@agent/run-store';
import type { RunDirectories, RunLogger } from './ports.ts';

/** The directories of records where one holds them all. */
export function toRecordDirectories(contexts: string): Omit<RunDirectories, 'workspaces'> {
  return { contexts, paused: join(contexts, 'paused'), pauseSignalFile: join(contexts, 'pause_signal') };
}

/** Options of every storage. */
export interface OpenStorageOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Default silent. */
  readonly logger?: RunLogger | undefined;
  /** Milliseconds for which a database that is away is waited for. Default as long as it takes. */
  readonly patienceMs?: number | undefined;
}

/**
 * Opens the storage that keeps runs in files of these directories; nothing is read or written before it is asked for
 * something. Nobody else above the run store names files.
 *
 * @example
 * const storage = await openFileStorage(directories);
 * const orchestrator = createOrchestrator({ platforms, model, directory: directories, storage });
 */
export async function openFileStorage(
  { contexts, paused, pauseSignalFile }: Omit<RunDirectories, 'workspaces'>,
  { now, logger }: OpenStorageOptions = {},
): Promise<RunStorage> {
  const { createFileStorage } = await import('@agent/run-store/file');
  const places = { baseDirectory: contexts, pausedDirectory: paused, pauseSignalFile };
  return createFileStorage({ ...places, now, logger });
}

/** A place in a PostgreSQL server. */
export interface PostgresPlace {
  /** Address with its password. */
  readonly url: string;
  /** Schema that holds the tables; one for each cluster. */
  readonly schema: string;
  /** Asked for at each connect, so that a password may change meanwhile. Default that of the address. */
  readonly password?: (() => string | Promise<string>) | undefined;
}

/**
 * Opens the storage that keeps runs in a schema of a database; nothing is asked of the server before it is asked for something.
 * What it takes is loaded here, so that files cost nothing of it.
 *
 * @throws ContextStoreError where the package `pg` is not installed, or the address is none
 */
export async function openPostgresStorage(
  { url, password, schema }: PostgresPlace,
  { now, logger, patienceMs }: OpenStorageOptions = {},
): Promise<RunStorage> {
  const { connectPostgres, createPostgresStorage } = await import('@agent/run-store/postgres');
  return createPostgresStorage({
    database: await connectPostgres({ url, password, patienceMs, logger }),
    ...{ schema, now, logger },
  });
}
