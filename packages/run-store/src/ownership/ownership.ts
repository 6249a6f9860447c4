import { closeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ErrorEpisodes, type Logger } from '@agent/text';
import { ContextStoreError, type Sleep, toStorageError } from '../context-store-error.ts';
import type { Ownership } from '../ports.ts';
import type { SystemLocks } from './machine.ts';
import {
  formatRecord,
  inodeAt,
  inodeOf,
  type OwnerRecord,
  parseRecord,
  readBytes,
  writeBytes,
} from './owner-record.ts';

/** Signs of life that an owner gives. */
export interface HeartbeatOptions {
  /** Milliseconds between signs of life. Default 15,000. */
  readonly heartbeatMs?: number | undefined;
  /** Runs a task again and again until the function it gave back is called. Default an unreferenced interval. */
  readonly repeat?: ((task: () => void, everyMs: number) => () => void) | undefined;
  /** Waits for the short lock, which another process holds for a moment. Default real time. */
  readonly sleep?: Sleep | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  readonly logger?: Logger | null | undefined;
}

/** Open files of an owner. */
export interface OwnedFiles {
  /** File that names the owner; its lock, the short one, is held while something is written. */
  readonly recordPath: string;
  readonly recordFd: number;
  /** File whose lock shows that the owner lives. */
  readonly lifePath: string;
  readonly lifeFd: number;
  readonly record: OwnerRecord;
  readonly locks: SystemLocks;
}

/** Keeps a directory that was just taken: shows life, and lets nothing be written once another process owns it. */
export function keepOwnership(files: OwnedFiles, options: HeartbeatOptions): Ownership {
  const { recordPath, recordFd, lifePath, lifeFd, record, locks } = files;
  const { heartbeatMs = 15_000, repeat = repeatUnreferenced, sleep = wait, logger, now = Date.now } = options;
  const lost = new AbortController();
  const inodes = { record: inodeOf(recordFd), life: record.life };
  const ours = formatRecord(record);
  const found = Buffer.alloc(ours.length);
  let released = false;
  let writers = 0;

  /** Asks nothing of the disk: a file that was given back must not even be locked. */
  function requireHeld(): void {
    if (released) throw wasReleased(recordPath);
    lost.signal.throwIfAborted();
  }

  /**
   * Compares what stands in `lock.json`, and that it is still the file of that name. Whoever exchanges `lock.held` alone
   * has to wait for silence: that file is looked at before what has an effect outside, and at each sign of life.
   */
  function requireRecord(): void {
    requireHeld();
    const bytes = readBytes(recordFd, found);
    if (!bytes.equals(ours)) lose(wasTaken(recordPath, parseRecord(bytes)));
    if (inodeAt(recordPath) !== inodes.record) lose(wasDeleted(recordPath));
  }

  function requireOwned(): void {
    requireRecord();
    if (inodeAt(lifePath) !== inodes.life) lose(wasDeleted(lifePath));
  }

  function lose(loss: ContextStoreError): never {
    stop();
    logger?.error({ path: recordPath, number: record.number, reason: loss.message }, 'lost ownership');
    lost.abort(loss);
    throw loss;
  }

  /** One process writes at a time, with as many writes at once as it likes. */
  function tryToEnter(): boolean {
    if (writers === 0 && !locks.tryLock(recordFd)) return false;
    writers += 1;
    return true;
  }

  /** False when `mayWait` ends the waiting. */
  async function enter(mayWait: () => boolean): Promise<boolean> {
    for (let waitMs = 1; !tryToEnter(); waitMs = Math.min(waitMs * 2, 100)) {
      if (!mayWait()) return false;
      await sleep(waitMs);
    }
    return true;
  }

  function leave(): void {
    writers -= 1;
    if (writers > 0) return;
    locks.unlock(recordFd);
    if (released) close();
  }

  function close(): void {
    closeSync(recordFd);
    closeSync(lifeFd);
  }

  async function guard<T>(write: () => Promise<T>): Promise<T> {
    requireHeld();
    if (!tryToEnter()) {
      await enter(() => {
        requireRecord();
        return true;
      });
    }
    try {
      requireRecord();
      return await write();
    } finally {
      leave();
    }
  }

  const episodes = new ErrorEpisodes({ now });
  let beating = false;
  async function beat(): Promise<void> {
    if (beating) return;
    beating = true;
    try {
      // The same bytes again: the file's time, set by the file system, is what others read.
      await guard(async () => {
        requireOwned();
        writeBytes(recordFd, ours);
      });
      episodes.end('');
    } catch (err) {
      const line = { message: 'failed to write heartbeat', fields: { path: recordPath } };
      if (!lost.signal.aborted && !released && logger) episodes.fail('', err, { ...line, logger });
    } finally {
      beating = false;
    }
  }
  const stop = repeat(() => void beat(), heartbeatMs);

  async function release(): Promise<void> {
    if (released) return;
    stop();
    const entered = await enter(() => !lost.signal.aborted);
    const isOurs = entered && readBytes(recordFd).equals(ours);
    if (isOurs) writeBytes(recordFd, formatRecord({ ...record, released_at: new Date(now()).toISOString() }));
    released = true;
    if (entered) leave();
    else close();
  }

  return {
    number: record.number,
    lost: lost.signal,
    requireOwned,
    guard,
    release: () =>
      release().catch((error: unknown) => {
        throw toStorageError(error, `give back "${recordPath}"`);
      }),
  };
}

/** Runs a task again and again, without keeping the process alive for it. */
export function repeatUnreferenced(task: () => void, everyMs: number): () => void {
  const timer = setInterval(task, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function wasTaken(path: string, heir: OwnerRecord | null): ContextStoreError {
  const who = heir === null ? 'Another process' : `Process ${heir.pid} on ${heir.host}`;
  const message = `${who} has taken over the directory of "${path}", because this process was silent for too long. This process exits and writes nothing more there.`;
  return new ContextStoreError(message, { code: 'owned' });
}

function wasDeleted(path: string): ContextStoreError {
  const message = `"${path}", the lock file of this process, was deleted or replaced. This process exits, because another one may be working there now. Start it again, and leave the file alone.`;
  return new ContextStoreError(message, { code: 'owned' });
}

function wasReleased(path: string): ContextStoreError {
  const message = `The directory of "${path}" was released: nothing more is written there. Acquire it again first.`;
  return new ContextStoreError(message, { code: 'invalid' });
}
