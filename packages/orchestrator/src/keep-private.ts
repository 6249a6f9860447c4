import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock } from '@agent/run-store/file';
import type { Logger } from '@agent/text';

/** A directory of runs that this process owns. */
export interface HeldDirectory {
  /** Aborted when another process has taken it. */
  readonly lost: AbortSignal;
  readonly release: () => Promise<void>;
}

/**
 * Makes the directory of runs, for this account alone, and takes it for this process.
 *
 * @throws ContextStoreError when another process owns it
 */
export async function holdDirectory(
  directory: string,
  { logger }: { readonly logger?: Logger | undefined } = {},
): Promise<HeldDirectory> {
  await keepPrivate(directory);
  const lost = new AbortController();
  const onLost = (): void => lost.abort(new Error('another process has taken the directory of runs'));
  const path = join(directory, 'lock.json');
  const { release } = await acquireLock({ path, onLost, ...(logger === undefined ? {} : { logger }) });
  return { lost: lost.signal, release };
}

/** Entries that an older version made in the directory of runs, open to everybody. */
const kept = [
  ...['running', 'completed', 'paused', 'index', 'control'],
  ...['recent.jsonl', 'conditions.json', 'lock.json'],
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
