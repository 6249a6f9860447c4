import { readFile, stat } from 'node:fs/promises';
import { hostname as readHostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const lockSchema = z.object({ pid: z.number().int().positive(), host: z.string() });

/** The daemon that works on a directory, as far as this process can tell. */
export interface DirectoryOwner {
  readonly pid: number;
  readonly host: string;
}

export interface ReadOwnerOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Name of this machine. Default the system's. */
  readonly hostname?: string | undefined;
}

/** An owner on another machine that has been silent for this long is taken for gone, as by whoever starts there. */
const silenceMs = 60_000;

/**
 * Finds who holds the lock of a directory of runs; null when nobody does, or whoever did is gone.
 *
 * @see decision X16
 */
export async function readOwner(
  directory: string,
  { now, hostname = readHostname() }: ReadOwnerOptions,
): Promise<DirectoryOwner | null> {
  const path = join(directory, 'lock.json');
  try {
    const { pid, host } = lockSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    const alive = host === hostname ? isAlive(pid) : now - (await stat(path)).mtimeMs < silenceMs;
    return alive ? { pid, host } : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || !isSystemError(error)) return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
