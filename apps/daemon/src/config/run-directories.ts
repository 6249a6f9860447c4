import { join, resolve } from 'node:path';
import type { RunDirectories } from '@agent/orchestrator';
import type { LoadedConfig } from './load-config.ts';
import type { Config } from './schema.ts';

/** Paused runs and the pause signal lie in the directory of runs unless the configuration puts them elsewhere. */
export function toRunDirectories({
  config,
  directory,
}: Pick<LoadedConfig, 'config' | 'directory'>): RunDirectories {
  const { context_storage: storage, pause_resume: pause, workspaces } = config;
  const base = storage.base_dir;
  return {
    contexts: resolve(directory, base),
    workspaces: resolve(directory, workspaces.base_dir),
    paused: resolve(directory, pause.paused_dir ?? join(base, 'paused')),
    pauseSignalFile: resolve(directory, pause.signal_file ?? join(base, 'pause_signal')),
  };
}

/** Days that say how long a run is kept once it ended: the longer of the two counts (decision X8). */
export function toExpiryDays({ context_storage, context_inheritance }: Config) {
  return {
    cleanupDays: context_storage.cleanup_days,
    contextExpiryDays: context_inheritance.context_expiry_days,
  };
}
