import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Logger } from '@agent/text';
import { ContextStoreError, toStorageError, toSystemCode } from '../context-store-error.ts';
import { privateDirectory, privateFile } from '../disk/files.ts';

import {
  type AbandonedLockOptions,
  type FoundLock,
  isAbandoned,
  type LockRecord,
  readLock,
  readProcessStatus,
  touchLock,
} from './lock-record.ts';

/** Options of `acquireLock`. */
export interface AcquireLockOptions {
  /** The lock's file; its directory is made when it is missing. */
  readonly path: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Name of this machine. Default the system's. */
  readonly host?: string | undefined;
  readonly nonce?: string | undefined;
  /** Milliseconds of silence after which an owner on another machine counts as gone. Default 60,000. */
  readonly silenceMs?: number | undefined;
  /** Milliseconds between signs of life. Default 15,000. */
  readonly heartbeatMs?: number | undefined;
  /** Runs a task again and again until the function it gave back is called. Default an unreferenced interval. */
  readonly repeat?: ((task: () => void, everyMs: number) => () => void) | undefined;
  /** Called once when another process has taken the lock, because this one was silent for too long. */
  readonly onLost?: (() => void) | undefined;
  readonly logger?: Logger | null | undefined;
}

/** A lock that is held until it is given back. */
export interface Lock {
  /** Gives the lock back; does nothing the second time. */
  readonly release: () => Promise<void>;
}

/**
 * Makes this process the only owner of what the lock stands for. A dead owner on this machine is replaced at
 * once, one on another machine after a minute of silence.
 * @throws {ContextStoreError} `owned`, naming the owner; `storage-…` when the file cannot be written
 * @see decision X16
 *
 * @example
 * const lock = await acquireLock({ path: join(baseDirectory, 'running.lock') });
 */
export async function acquireLock(options: AcquireLockOptions): Promise<Lock> {
  try {
    await mkdir(dirname(options.path), { recursive: true, mode: privateDirectory });
    const record = await createRecord(options);
    await claim(record, options);
    const { mtimeMs: nowMs } = await stat(options.path);
    const { silenceMs = 60_000 } = options;
    await removeAbandonedFiles(options.path, { host: record.host, nowMs, silenceMs });
    return keepAlive(record, options);
  } catch (error) {
    throw toStorageError(error, `take the lock "${options.path}"`);
  }
}

async function createRecord(options: AcquireLockOptions): Promise<LockRecord> {
  const { now = Date.now, host = hostname(), nonce = randomUUID() } = options;
  const status = await readProcessStatus(process.pid);
  return {
    pid: process.pid,
    process_start_time: status.alive ? status.startTime : null,
    host,
    nonce,
    acquired_at: new Date(now()).toISOString(),
  };
}

async function claim(record: LockRecord, options: AcquireLockOptions): Promise<void> {
  const { path, silenceMs = 60_000 } = options;
  const own = `${path}.${record.nonce}`;
  await writeFile(own, JSON.stringify(record), { mode: privateFile });
  try {
    while (!(await linkIfFree(own, path))) {
      const found = await readLock(path);
      if (found === null) continue;
      // A file just written shows the file system's own clock, which need not be ours.
      const nowMs = (await stat(own)).mtimeMs;
      if (!(await isAbandoned(found, { host: record.host, nowMs, silenceMs }))) throw isOwned(found, path);
      if (await takeOver(own, { found, options })) return;
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** A hard link appears whole or not at all, and never replaces a file. */
async function linkIfFree(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (toSystemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces a dead owner's file. Two processes may have judged it dead; the right to replace just this owner is a
 * lock of its own, and who holds it looks again. False when there is nothing left to replace.
 */
async function takeOver(
  own: string,
  { found, options }: { readonly found: FoundLock; readonly options: AcquireLockOptions },
): Promise<boolean> {
  const { path } = options;
  const right = await acquireLock({
    ...options,
    path: `${path}.takeover-${found.record?.nonce ?? 'unreadable'}`,
    nonce: undefined,
    onLost: undefined,
  });
  try {
    const again = await readLock(path);
    if (again === null) return false;
    if (again.record?.nonce !== found.record?.nonce) throw isOwned(again, path);
    options.logger?.warn({ path, owner: found.record }, 'replaced a lock whose owner is gone');
    await rename(own, path);
    return true;
  } finally {
    await right.release();
  }
}

function keepAlive(record: LockRecord, options: AcquireLockOptions): Lock {
  const { path, heartbeatMs = 15_000, repeat = repeatUnreferenced, onLost, logger } = options;
  let held = true;
  const beat = async () => {
    const ours = await touchLock(path, record);
    if (ours || !held) return;
    held = false;
    stop();
    logger?.error({ path }, 'another process has taken the lock; this one must not write here any more');
    onLost?.();
  };
  const stop = repeat(() => {
    beat().catch((err: unknown) => logger?.warn({ err, path }, 'could not renew the lock'));
  }, heartbeatMs);
  return {
    release: async () => {
      if (!held) return;
      held = false;
      stop();
      if ((await readLock(path))?.record?.nonce === record.nonce) await rm(path, { force: true });
    },
  };
}

function repeatUnreferenced(task: () => void, everyMs: number): () => void {
  const timer = setInterval(task, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function isOwned({ record }: FoundLock, path: string): ContextStoreError {
  const owner =
    record === null
      ? 'a process that is just taking it, or a damaged file'
      : `process ${record.pid} on ${record.host}, since ${record.acquired_at}`;
  const message = `"${path}" is held by ${owner}. Stop that process, or give this one a directory of its own; a lock whose owner is gone frees itself.`;
  return new ContextStoreError(message, { code: 'owned' });
}

/**
 * Removes what processes that died in the middle of taking a lock left beside it. Only its owner may call this.
 * One that says nothing may be in the making: it goes once it has been silent long enough.
 */
async function removeAbandonedFiles(path: string, options: AbandonedLockOptions): Promise<void> {
  const names = await readdir(dirname(path));
  for (const name of names.filter((other) => other.startsWith(`${basename(path)}.`))) {
    const file = join(dirname(path), name);
    const found = await readLock(file);
    if (found !== null && (await isAbandoned(found, options))) await rm(file, { force: true });
  }
}
