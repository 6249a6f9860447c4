import { closeSync, constants, fstatSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { ContextStoreError, toStorageError } from '../context-store-error.ts';
import { listEntries, privateDirectory, privateFile, syncDirectory } from '../disk/files.ts';
import { readLastLines } from '../disk/lines.ts';
import {
  placesExpectations,
  type RunPlaces,
  type RunPlacesOptions,
  toJournalFiles,
  toRunPlaces,
} from '../places.ts';
import type { Ownership } from '../ports.ts';
import {
  loadSystemLocks,
  type Machine,
  readMachine,
  refuseNetworkFileSystem,
  type SystemLocks,
} from './machine.ts';
import {
  createRecord,
  formatRecord,
  inodeAt,
  inodeOf,
  judgeOwner,
  type OwnerRecord,
  type OwnerVerdict,
  parseRecord,
  readBytes,
  requireDirectoryVersion,
  type SeenOwner,
  writeBytes,
} from './owner-record.ts';
import { type HeartbeatOptions, keepOwnership, type OwnedFiles } from './ownership.ts';

/** Options of `acquireOwnership`. */
export interface AcquireOwnershipOptions extends RunPlacesOptions, HeartbeatOptions {
  /** Milliseconds of silence after which an owner that still lives loses the directory. Default 60,000. */
  readonly silenceMs?: number | undefined;
  /** System that this process runs on. Default read from the system. */
  readonly machine?: Machine | undefined;
  /** Ends the waiting for an owner that may be gone. Default never. */
  readonly signal?: AbortSignal | undefined;
}

const expectations: ExpectationsOf<AcquireOwnershipOptions> = {
  ...placesExpectations,
  silenceMs: expectNumber(0),
  machine: expected.object,
  signal: expected.signal,
  heartbeatMs: expectNumber(0),
  repeat: expected.function,
  sleep: expected.function,
  now: expected.function,
  logger: expected.logger,
};

/**
 * Makes this process the only owner of a directory of runs, under a number higher than any owner before. An owner whose
 * process is gone is replaced at once, one that shows no sign of life after a minute.
 *
 * @throws {ContextStoreError} `owned`, naming the owner; `invalid` on a file system of a network; `storage-…` when the lock
 *   files cannot be written, or this system has no locks
 * @see docs/decisions/0036-an-owner-has-a-number.md
 *
 * @example
 * const owner = await acquireOwnership({ baseDirectory });
 * const store = createFileRunStore({ baseDirectory, parseMessage, owner });
 */
export async function acquireOwnership(options: AcquireOwnershipOptions): Promise<Ownership> {
  checkOptions('AcquireOwnershipOptions', options, expectations, ['baseDirectory']);
  const directory = resolve(options.baseDirectory);
  try {
    await mkdir(directory, { recursive: true, mode: privateDirectory });
    await refuseNetworkFileSystem(directory);
    const locks = await loadSystemLocks();
    return keepOwnership(await waitForOwnership(directory, locks, options), options);
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw toStorageError(error, `take the directory of runs "${directory}"`);
  }
}

/** Obstacle between this process and the directory. */
type Obstacle =
  | { readonly kind: 'alive'; readonly record: OwnerRecord | null }
  | { readonly kind: 'busy'; readonly record: OwnerRecord | null }
  | {
      readonly kind: 'watch';
      readonly reason: WatchReason;
      readonly record: OwnerRecord | null;
      readonly beatMs: number;
    };

type WatchReason = Extract<OwnerVerdict, { kind: 'watch' }>['reason'];

async function waitForOwnership(
  directory: string,
  locks: SystemLocks,
  options: AcquireOwnershipOptions,
): Promise<OwnedFiles> {
  const { sleep = wait, signal } = options;
  const tell = createTeller(directory, options);
  let sawAlive = false;
  let watched: number | null = null;
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    signal?.throwIfAborted();
    const taken = await tryToTake(directory, locks, options);
    if ('locks' in taken) return taken;
    if (taken.kind === 'alive') {
      // Whoever only asks holds that lock for a moment: it is seen twice.
      if (sawAlive) throw isOwned(taken.record, directory);
      sawAlive = true;
    } else if (taken.kind === 'watch') {
      if (watched !== null && watched !== taken.beatMs)
        throw (taken.reason === 'other-machine' ? isShared : isOwned)(taken.record, directory);
      watched = taken.beatMs;
      tell(taken.reason, taken.record);
    } else if (waitMs === 1_000) tell('busy', taken.record);
    await sleep(waitMs);
  }
}

async function tryToTake(
  directory: string,
  locks: SystemLocks,
  options: AcquireOwnershipOptions,
): Promise<OwnedFiles | Obstacle> {
  const { machine = readMachine(), silenceMs = 60_000, now = Date.now } = options;
  const paths = { recordPath: join(directory, 'lock.json'), lifePath: join(directory, 'lock.held') };
  const recordFd = openSync(paths.recordPath, constants.O_RDWR | constants.O_CREAT, privateFile);
  let lifeFd: number | null = openSync(paths.lifePath, constants.O_RDWR | constants.O_CREAT, privateFile);
  let taken: OwnedFiles | null = null;
  try {
    const mayTake = locks.tryLock(recordFd) && inodeAt(paths.recordPath) === inodeOf(recordFd);
    requireDirectoryVersion(readBytes(recordFd), paths.recordPath);
    const { seen, beatMs } = seeOwner({ recordFd, lifeFd, locks });
    const { record } = seen;
    const verdict = judgeOwner(seen, { machine, silenceMs });
    if (verdict.kind === 'alive') return { kind: 'alive', record };
    if (verdict.kind === 'watch') return { ...verdict, record, beatMs };
    if (!mayTake) return { kind: 'busy', record };
    if (verdict.kind === 'silent') {
      closeSync(lifeFd);
      lifeFd = null;
      lifeFd = await replaceLife(paths.lifePath, locks);
    }
    const last = record === null ? await readHighestOwner(toRunPlaces(options)) : record.number;
    const next = createRecord({ number: last + 1, life: inodeOf(lifeFd), now: now() }, machine);
    writeBytes(recordFd, formatRecord(next));
    fsyncSync(recordFd);
    await syncDirectory(directory);
    locks.unlock(recordFd);
    const other = record === null || record.released_at !== null ? null : record;
    if (other !== null)
      options.logger?.warn({ path: paths.recordPath, owner: other }, 'replaced unresponsive owner');
    taken = { ...paths, recordFd, lifeFd, record: next, locks };
    return taken;
  } finally {
    // Closing gives back what was locked.
    if (taken === null) {
      closeSync(recordFd);
      if (lifeFd !== null) closeSync(lifeFd);
    }
  }
}

function seeOwner({ recordFd, lifeFd, locks }: Pick<OwnedFiles, 'recordFd' | 'lifeFd' | 'locks'>): {
  readonly seen: SeenOwner;
  readonly beatMs: number;
} {
  const lockIsFree = locks.tryLock(lifeFd);
  // A file just written shows the file system's own clock, which need not be ours.
  writeBytes(lifeFd, Buffer.from('\n'));
  const beatMs = fstatSync(recordFd).mtimeMs;
  const silentMs = fstatSync(lifeFd).mtimeMs - beatMs;
  return {
    seen: { record: parseRecord(readBytes(recordFd)), silentMs, lockIsFree, life: inodeOf(lifeFd) },
    beatMs,
  };
}

/** Puts a new file in the place of one whose lock a silent owner keeps. */
async function replaceLife(path: string, locks: SystemLocks): Promise<number> {
  await rm(path, { force: true });
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, privateFile);
  locks.tryLock(fd);
  return fd;
}

/**
 * Reads from the records of all runs the highest number of an owner that wrote there; 0 when none says one. Asked when the
 * file that counts owners is gone or damaged: no later owner may have a number that was given before.
 */
async function readHighestOwner({ running, paused, completed }: RunPlaces): Promise<number> {
  let highest = 0;
  for (const parent of [running, paused, completed]) {
    for (const name of await listEntries(parent)) {
      const { messages } = toJournalFiles(join(parent, name));
      const [line = ''] = await readLastLines(messages, 1).catch(() => []);
      highest = Math.max(highest, toOwner(line));
    }
  }
  return highest;
}

function toOwner(line: string): number {
  try {
    const { owner } = JSON.parse(line) as { readonly owner?: unknown };
    return typeof owner === 'number' && Number.isSafeInteger(owner) ? owner : 0;
  } catch {
    return 0;
  }
}

const waits = {
  busy: 'waiting for directory: owner stopped in the middle of a write',
  'other-machine': 'waiting for directory: owner was active on another system less than a minute ago',
  'lock-deleted': 'waiting for directory: lock file of owner was deleted',
} as const;

/** Says once what is waited for. */
function createTeller(directory: string, { logger }: AcquireOwnershipOptions) {
  let told: keyof typeof waits | null = null;
  return (why: keyof typeof waits, owner: OwnerRecord | null): void => {
    if (told === why) return;
    told = why;
    logger?.warn({ directory, owner }, waits[why]);
  };
}

function isOwned(record: OwnerRecord | null, directory: string): ContextStoreError {
  const owner =
    record === null
      ? 'a process that is just taking it, or whose lock.json is damaged'
      : `process ${record.pid} on ${record.host}, since ${record.acquired_at}`;
  const message = `"${directory}" is held by ${owner}. Stop that process, or give this one its own directory. A directory is released when its owner is gone.`;
  return new ContextStoreError(message, { code: 'owned' });
}

function isShared(record: OwnerRecord | null, directory: string): ContextStoreError {
  const owner = record === null ? 'a process' : `process ${record.pid} on ${record.host}`;
  const message = `"${directory}" is held by ${owner}, another system, which is still active. Systems cannot share a directory of runs, because locks do not work between them. Give each system its own directory, or keep the runs in a PostgreSQL database (README of @agent/run-store).`;
  return new ContextStoreError(message, { code: 'owned' });
}
