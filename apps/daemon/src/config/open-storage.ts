import { openFileStorage } from '@agent/orchestrator';
import type { RunStorage } from '@agent/run-store';
import type { DaemonLogger } from '../log/logger.ts';
import type { LoadedConfig } from './load-config.ts';
import { toRunDirectories } from './settings.ts';

interface OpenStorageOptions {
  readonly now: () => number;
  readonly logger?: DaemonLogger | undefined;
  /** Closes it. Default never. */
  readonly ended?: AbortSignal | undefined;
}

/** Opens the storage of runs that a configuration names. Nothing is read or written before it is asked for something. */
export async function openStorage(loaded: LoadedConfig, options: OpenStorageOptions): Promise<RunStorage> {
  const storage = await openFileStorage(toRunDirectories(loaded), options);
  options.ended?.addEventListener('abort', () => void storage.close(), { once: true });
  return storage;
}
