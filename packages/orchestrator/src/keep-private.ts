import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ownership } from '@agent/run-store';
import { acquireOwnership } from '@agent/run-store/file';
import type { Logger } from '@agent/text';
import type { RunDirectories } from './ports.ts';

/**
 * Makes the directory of runs, for this account alone, and takes it for this process.
 *
 * @throws ContextStoreError when another process owns it
 */
export async function holdDirectory(
  { contexts, paused }: Pick<RunDirectories, 'contexts' | 'paused'>,
  { logger, signal }: { readonly logger: Logger; readonly signal?: AbortSignal | undefined },
): Promise<Ownership> {
  await keepPrivate(contexts);
  return acquireOwnership({ baseDirectory: contexts, pausedDirectory: paused, logger, signal });
}

/** Entries that an older version made in the directory of runs, open to everybody. */
const kept = [
  ...['running', 'completed', 'paused', 'index', 'control'],
  ...['recent.jsonl', 'conditions.json', 'lock.json', 'lock.held'],
];

/**
 * Makes the directory of runs, for this account alone. One that is there may hold other things too and keeps its mode; what
 * lies in it of ours is closed to other accounts, and with it everything below.
 */
export async function keepPrivate(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await Promise.all(kept.map((name) => closeToOthers(join(directory, name))));
}

/** Takes from other accounts what they may do with a file or directory; nothing when it is not there, or a link. */
async function closeToOthers(path: string): Promise<void> {
  const state = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (state === null || state.isSymbolicLink() || (state.mode & 0o077) === 0) return;
  await chmod(path, state.mode & 0o700);
}
