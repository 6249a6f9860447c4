import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@agent/text';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectOptions,
  expectPort,
} from '@agent/text/options';
import { ContextStoreError, type Sleep, translated } from '../context-store-error.ts';
import { privateDirectory, privateFile, unlessMissing } from '../disk/files.ts';
import { parseWritten } from '../disk/stored-values.ts';
import { createFileStorage } from '../file/file-storage.ts';
import type { Json } from '../journal-model.ts';
import { placesExpectations } from '../places.ts';
import type { Ownership, RecordOwner } from '../ports.ts';
import type { KeptSnapshot, RunStorage, StorageSnapshots } from '../storage.ts';
import { requireUuid } from '../storage-names.ts';
import { type CarriedProcess, CarriedRecord, type RecordMedium } from './carried-record.ts';
import { type RedactOptions, redactOpenings } from './redact-openings.ts';
import { createFileSeal } from './sealed-files.ts';

/** Options of `createCarriedStorage`. */
export interface CarriedStorageOptions {
  readonly medium: RecordMedium;
  /** Directory of this machine for the files, which is replaced by what the medium has. */
  readonly baseDirectory: string;
  /** While this file exists, everything pauses; it stays on this machine. Default `pause_signal` in the base directory. */
  readonly pauseSignalFile?: string | undefined;
  /** Secret that encrypts the files, of at least 32 characters. Default null: everyone who can read the medium can read them. */
  readonly key?: string | null | undefined;
  /** Removes secrets from what the model and its tools say. */
  readonly redact: (text: string) => string;
  /** Most bytes of all files together. Default 20 MiB. */
  readonly maxBytes?: number | undefined;
  /** This process, and how others are recognized. Default: by its number, and it is not known whether others are at work. */
  readonly process?: CarriedProcess | undefined;
  /** Milliseconds to wait before this process writes instead of another process of which it is not known that it has ended. Default 30,000. */
  readonly leaseMs?: number | undefined;
  /** Default real time. */
  readonly sleep?: Sleep | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Silent by default. */
  readonly logger?: Logger | null | undefined;
}

const expectations: ExpectationsOf<CarriedStorageOptions> = {
  medium: expectPort('read', 'readVersion', 'replace'),
  baseDirectory: placesExpectations.baseDirectory,
  pauseSignalFile: placesExpectations.baseDirectory,
  key: { ...expectNullable(expected.text), isSecret: true },
  redact: expected.function,
  maxBytes: expectNumber(1),
  process: expectOptions({ name: expected.text, isAtWork: expected.function }, ['name', 'isAtWork']),
  leaseMs: expectNumber(0),
  sleep: expected.function,
  now: expected.function,
  logger: expected.logger,
};

/** Milliseconds of a run after which a message stores it, so that a crash repeats no more model calls than those. */
const maxUnstoredMs = 60_000;

/**
 * Stores runs in files that are carried from one machine to the next: the process that acquires the storage gets them as the one
 * before stored them last. They are stored before each write to a platform, after a message that delivers comments, once a minute, and at the end. A
 * process that lost the record to another one writes nothing more.
 *
 * @example
 * const medium = createGitRef({ cloneUrl, ref: 'refs/agent/records/github_issue-42', directory, token });
 * const storage = createCarriedStorage({ medium, baseDirectory, redact });
 */
export function createCarriedStorage(options: CarriedStorageOptions): RunStorage {
  checkOptions('CarriedStorageOptions', options, expectations, ['medium', 'baseDirectory', 'redact']);
  const { medium, key = null, redact, maxBytes = 20 * 1024 * 1024, leaseMs = 30_000 } = options;
  const { sleep = wait, now = Date.now, logger = null, pauseSignalFile } = options;
  const { process: itself = { name: `process ${process.pid}`, isAtWork: async () => null } } = options;
  const baseDirectory = resolve(options.baseDirectory);
  const workDirectory = join(dirname(baseDirectory), `${basename(baseDirectory)}-work`);
  const files = createFileStorage({ baseDirectory, pauseSignalFile, now, logger });
  const places = { runs: baseDirectory, work: workDirectory };
  const seal = key === null ? null : createFileSeal(key);
  const record = new CarriedRecord({
    ...{ medium, places, seal, process: itself },
    ...{ maxBytes, leaseMs, sleep, now, logger },
  });
  let owned: Ownership | null = null;
  const snapshots = createFileSnapshots(workDirectory, {
    guard: (write) => {
      if (owned === null) throw notOwned(medium.location);
      return owned.guard(write);
    },
  });
  const store = () =>
    record.requireStored().catch((err: unknown) => {
      logger?.warn({ err }, 'failed to store the record; storing it before the next write');
    });
  const onMessage: RedactOptions['onMessage'] = async ({ delivers }) => {
    if (delivers) await store();
    else if (record.unstoredMs >= maxUnstoredMs) void store();
  };
  return {
    ...files,
    location: medium.location,
    members: {
      ...files.members,
      acquire: async (given) => {
        if ((await files.members.list()).length === 0) await record.fetch();
        const owner = await files.members.acquire(given);
        await record.take().catch(async (error: unknown) => {
          await owner.release();
          throw error;
        });
        owned = carryOwnership(owner, record);
        return owned;
      },
    },
    openStore: (given) => {
      const opened = files.openStore(given);
      return { ...opened, ...redactOpenings(opened, { redact, onMessage }) };
    },
    upkeep: {
      ...files.upkeep,
      cleanUp: async (given) => {
        const removed = await files.upkeep.cleanUp(given);
        for (const uuid of removed) await snapshots.remove(uuid);
        return removed;
      },
      purge: async (task) => {
        const purged = await files.upkeep.purge(task);
        for (const uuid of purged.removed) await snapshots.remove(uuid);
        return purged;
      },
    },
    snapshots,
  };
}

function carryOwnership(owner: Ownership, record: CarriedRecord): Ownership {
  const lost = AbortSignal.any([owner.lost, record.lost]);
  return {
    number: owner.number,
    lost,
    guard: (write) => {
      record.lost.throwIfAborted();
      return owner.guard(write);
    },
    requireOwned: () => {
      record.lost.throwIfAborted();
      return owner.requireOwned();
    },
    requireStored: async () => {
      await owner.requireOwned();
      await record.requireStored();
    },
    release: async () => {
      await record.release().finally(owner.release);
    },
  };
}

function notOwned(location: string): ContextStoreError {
  return new ContextStoreError(`${location} was not acquired. Acquire it first.`, { code: 'invalid' });
}

/** Stores the work of each run in one file: a line of JSON, then the bundle where there is one. */
function createFileSnapshots(
  directory: string,
  { guard }: { /** Of the process that owns the runs. */ readonly guard: RecordOwner['guard'] },
): StorageSnapshots {
  const at = (uuid: string) => {
    requireUuid(uuid);
    return join(directory, `${uuid}.work`);
  };
  const read = async (path: string) => {
    const contents = await translated(unlessMissing(readFile(path), null), `read "${path}"`);
    return contents && parseSnapshot(contents, path);
  };
  return {
    keep: async (uuid, { about, bundle }) => {
      const path = at(uuid);
      const write = async () => {
        const kept = bundle ?? (await read(path))?.bundle ?? null;
        await replaceBytes(path, formatSnapshot({ about, bundle: kept }));
      };
      await guard(() => translated(write(), `write "${path}"`));
    },
    read: async (uuid) => read(at(uuid)),
    remove: async (uuid) => rm(at(uuid), { force: true }),
  };
}

function formatSnapshot({ about, bundle }: KeptSnapshot): Uint8Array {
  return Buffer.concat([
    Buffer.from(`${JSON.stringify({ about, hasBundle: bundle !== null })}\n`),
    bundle ?? Buffer.alloc(0),
  ]);
}

function parseSnapshot(contents: Buffer, path: string): KeptSnapshot {
  const end = contents.indexOf(0x0a);
  const head = parseWritten(contents.toString('utf8', 0, end), `"${path}"`);
  const { about, hasBundle } = head as { readonly about: Json; readonly hasBundle: boolean };
  return { about, bundle: hasBundle ? contents.subarray(end + 1) : null };
}

async function replaceBytes(path: string, contents: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  const temporary = `${path}.tmp`;
  await writeFile(temporary, contents, { mode: privateFile });
  await rename(temporary, path);
}
