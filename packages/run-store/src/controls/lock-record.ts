import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { toSystemCode } from '../context-store-error.ts';
import { withFile } from '../disk/files.ts';

const recordSchema = z.object({
  pid: z.number().int().positive(),
  process_start_time: z.string().nullable(),
  host: z.string(),
  nonce: z.string(),
  acquired_at: z.string(),
});

/** Owner of a lock, as its file names it. @see decision X16 */
export type LockRecord = z.infer<typeof recordSchema>;

/** A lock's file as it was found. */
export interface FoundLock {
  /** Null for a file that says nothing readable. */
  readonly record: LockRecord | null;
  /** When its owner last showed a sign of life, by the file system's clock. */
  readonly modifiedAtMs: number;
}

/** The lock's file; null when there is none. */
export async function readLock(path: string): Promise<FoundLock | null> {
  try {
    const { mtimeMs: modifiedAtMs } = await stat(path);
    return { record: parseRecord(await readFile(path, 'utf8')), modifiedAtMs };
  } catch (error) {
    if (toSystemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes the same bytes again, so that the file's time, set by the file system, shows that the owner lives. False
 * when the lock is not ours any more.
 */
export async function touchLock(path: string, record: LockRecord): Promise<boolean> {
  try {
    // One handle for both: a file that replaces ours in between is not written to.
    return await withFile(path, 'r+', async (file) => {
      if (parseRecord(await file.readFile('utf8'))?.nonce !== record.nonce) return false;
      await file.write(JSON.stringify(record), 0);
      return true;
    });
  } catch (error) {
    if (toSystemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

export interface AbandonedLockOptions {
  readonly host: string;
  /** The file system's time now. */
  readonly nowMs: number;
  /** Milliseconds of silence after which an owner that cannot be asked counts as gone. */
  readonly silenceMs: number;
}

/** Tells whether the owner is gone: asks the system on the same host, judges by its silence elsewhere. */
export async function isAbandoned(lock: FoundLock, options: AbandonedLockOptions): Promise<boolean> {
  const { record } = lock;
  if (record === null || record.host !== options.host) {
    return options.nowMs - lock.modifiedAtMs > options.silenceMs;
  }
  const status = await readProcessStatus(record.pid);
  if (!status.alive) return true;
  // The number was given to another process since.
  return (
    status.startTime !== null &&
    record.process_start_time !== null &&
    status.startTime !== record.process_start_time
  );
}

function parseRecord(text: string): LockRecord | null {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** State of a process by the system; `startTime` null where it does not tell (only Linux does, in /proc). */
type ProcessStatus = { readonly alive: false } | { readonly alive: true; readonly startTime: string | null };

/** Tells whether a process of this machine lives. A zombie, which only waits to be noticed, does not. */
export async function readProcessStatus(pid: number): Promise<ProcessStatus> {
  if (!exists(pid)) return { alive: false };
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return { alive: exists(pid), startTime: null };
  // The second field is the program's name in parentheses and may itself contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return { alive: false };
  return { alive: true, startTime: fields[19] ?? null };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
