import {
  type OpenStorageOptions,
  openFileStorage,
  openPostgresStorage,
  type PostgresPlace,
} from '@agent/orchestrator';
import { readSecret } from '@agent/orchestrator/config';
import type { RunStorage } from '@agent/run-store';
import type { Environment } from '@agent/workspace';
import type { LoadedSettings } from './load-config.ts';
import type { PlaceName, Sections } from './schema.ts';
import { toRecordPlaces } from './settings.ts';

interface OpenOptions extends OpenStorageOptions {
  readonly ended?: AbortSignal;
  /** True for the files beside a database, too. Default false. */
  readonly isInFiles?: boolean;
}

/**
 * Opens the storage of runs that a configuration names; `ended` closes it. Nothing is read or written before it is asked for
 * something.
 *
 * @throws ConfigError when the variable with the address of the database is not set
 */
export async function openStorage(
  loaded: LoadedSettings<Sections<PlaceName>>,
  { ended, isInFiles = false, ...options }: OpenOptions,
): Promise<RunStorage> {
  const { postgres } = loaded.config.storage;
  const storage =
    postgres === null || isInFiles
      ? await openFileStorage(toRecordPlaces(loaded), options)
      : await openPostgresStorage(toPlace(loaded, postgres), options);
  ended?.addEventListener('abort', () => void storage.close(), { once: true });
  return storage;
}

function toPlace(
  { environment, readEnvironment }: LoadedSettings<unknown>,
  { url_env: name, schema }: { readonly url_env: string; readonly schema: string },
): PostgresPlace {
  const readUrl = (from: Environment) =>
    readSecret(from, { name, purpose: 'the address of the database that keeps the runs' });
  const readPassword = async () =>
    decodeURIComponent(URL.parse(readUrl(await readEnvironment()))?.password ?? '');
  const url = readUrl(environment);
  return { url, schema, password: URL.parse(url)?.password ? readPassword : undefined };
}
