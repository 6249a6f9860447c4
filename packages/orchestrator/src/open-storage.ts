import { join } from 'node:path';
import type { RunStorage } from '@agent/run-store';
import type { RunDirectories, RunLogger } from './ports.ts';

/** The directories of records where one holds them all. */
export function toRecordDirectories(contexts: string): Omit<RunDirectories, 'workspaces'> {
  return { contexts, paused: join(contexts, 'paused'), pauseSignalFile: join(contexts, 'pause_signal') };
}

/**
 * Opens the storage that keeps runs in files of these directories; nothing is read or written before it is asked for
 * something. Nobody else names files.
 *
 * @example
 * const storage = await openFileStorage(directories);
 * const orchestrator = createOrchestrator({ platforms, model, directory: directories, storage });
 */
export async function openFileStorage(
  { contexts, paused, pauseSignalFile }: Omit<RunDirectories, 'workspaces'>,
  {
    now,
    logger,
  }: { readonly now?: (() => number) | undefined; readonly logger?: RunLogger | undefined } = {},
): Promise<RunStorage> {
  const { createFileStorage } = await import('@agent/run-store/file');
  return createFileStorage({
    baseDirectory: contexts,
    pausedDirectory: paused,
    pauseSignalFile,
    now,
    logger,
  });
}
