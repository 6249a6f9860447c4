import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Logger } from '@agent/text';
import { createKeyedTurns } from '@agent/text/waiting';
import { z } from 'zod';
import { ContextStoreError, requireVersion, type Sleep } from '../context-store-error.ts';
import { isThere, listEntries, privateDirectory } from '../disk/files.ts';
import {
  type CarriedFiles,
  type CarriedPlaces,
  fitFiles,
  readFiles,
  readStamps,
  writeFiles,
} from './carried-files.ts';
import type { FileSeal } from './sealed-files.ts';

/** Place elsewhere that holds the files of a record, such as a git ref. */
export interface RecordMedium {
  /** In words for people. */
  readonly location: string;
  /** Reads the files as they are now; null if there is no record. */
  readonly read: () => Promise<{ readonly version: string; readonly files: CarriedFiles } | null>;
  /** Asks for the version that is there now; null if there is no record. */
  readonly readVersion: () => Promise<string | null>;
  /** Replaces all files if `expected` is the version that is there. Resolves with the new one, or null if it is another one. */
  readonly replace: (
    files: CarriedFiles,
    options: { readonly expected: string | null },
  ) => Promise<string | null>;
}

/** A process that owns a record, as other machines know it. */
export interface CarriedProcess {
  /** Name by which `isAtWork` of another machine finds it, such as the address of a job. */
  readonly name: string;
  /** Tells whether the process of this name is at work; null if that is not known. */
  readonly isAtWork: (name: string) => Promise<boolean | null>;
}

/** Options of a record that is carried from machine to machine. */
export interface CarriedRecordOptions {
  readonly medium: RecordMedium;
  readonly places: CarriedPlaces;
  /** Encrypts the files. Null: everyone who can read the medium can read them. */
  readonly seal: FileSeal | null;
  /** Most bytes of all files together. */
  readonly maxBytes: number;
  readonly process: CarriedProcess;
  /** Milliseconds for which a write to a platform may still be on its way after the record was last stored. */
  readonly leaseMs: number;
  readonly sleep: Sleep;
  readonly now: () => number;
  readonly logger: Logger | null;
}

const ownerSchema = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  taken_at: z.string(),
  released_at: z.string().nullable(),
});

const headSchema = z.object({ version: z.literal(1), sealed: z.boolean(), owner: ownerSchema });

type Head = z.infer<typeof headSchema>;

/** Name of the file that says whose record it is. It is never encrypted. */
const headName = 'record.json';

/**
 * Files of this machine that are stored elsewhere before anything depends on them. One process at a time owns them: each write says
 * which version it follows, and the process that took the record last is the only one whose writes follow the last version.
 */
export class CarriedRecord {
  readonly #options: CarriedRecordOptions;
  readonly #inTurn = createKeyedTurns();
  readonly #lost = new AbortController();
  #owner: Head['owner'] | null = null;
  #version: string | null = null;
  #stamps: string | null = null;
  #storedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CarriedRecordOptions) {
    this.#options = options;
  }

  /** Aborted once another process has taken the record, with the error as its reason. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Milliseconds since the files were stored last. */
  get unstoredMs(): number {
    return this.#options.now() - this.#storedAt;
  }

  /**
   * Brings the files here as they were stored last. Where there is no record, the files that are here stay.
   * @throws {ContextStoreError} `damaged` for a record that cannot be read, `other-version` for one of another program
   */
  async fetch(): Promise<void> {
    const { medium, places, seal, logger } = this.#options;
    const found = await medium.read();
    this.#version = found?.version ?? null;
    if (found === null) return;
    const { head, files } = splitHead(found.files, medium.location);
    if (head.sealed && seal === null) throw isSealed(medium.location);
    await requireOwnPlaces(places);
    await writeFiles(places, head.sealed && seal !== null ? seal.open(files) : files);
    this.#owner = head.owner;
    logger?.info({ record: medium.location, files: files.size, owner: head.owner.id }, 'fetched record');
  }

  /**
   * Makes this process the owner of the record. Where it is not known that the owner before has ended, waits until nothing of that is on its
   * way any more.
   * @throws {ContextStoreError} `owned` if another process is at work, or is faster
   */
  async take(newId: () => string = randomUUID): Promise<void> {
    const { places, now, leaseMs, sleep, logger } = this.#options;
    const before = this.#owner;
    const isAtWork = before?.released_at === null ? await this.#options.process.isAtWork(before.name) : false;
    if (before !== null && isAtWork === true) {
      this.#owner = null;
      throw isHeld(this.#options.medium.location, before.name);
    }
    const takenAt = new Date(now()).toISOString();
    this.#owner = {
      id: newId(),
      name: this.#options.process.name,
      host: hostname(),
      taken_at: takenAt,
      released_at: null,
    };
    for (const directory of Object.values(places))
      await mkdir(directory, { recursive: true, mode: privateDirectory });
    await this.#store({ isForced: true });
    if (isAtWork === false) return;
    logger?.warn({ owner: before, waitMs: leaseMs }, 'replaced owner of the record');
    await sleep(leaseMs);
  }

  /**
   * Resolves once everything that was written here is stored, and this process was the owner a moment ago.
   * @throws {ContextStoreError} `owned` if another process has taken the record
   */
  readonly requireStored = (): Promise<void> => this.#store({ isForced: false });

  /** Stores what is left, and lets the next process begin at once. */
  async release(): Promise<void> {
    if (this.#owner === null || this.#lost.signal.aborted) return;
    this.#owner = { ...this.#owner, released_at: new Date(this.#options.now()).toISOString() };
    await this.#store({ isForced: true });
  }

  #store(options: { readonly isForced: boolean }): Promise<void> {
    return this.#inTurn('store', () => this.#storeInTurn(options));
  }

  async #storeInTurn({ isForced }: { readonly isForced: boolean }): Promise<void> {
    const { medium, places, leaseMs, now } = this.#options;
    this.#lost.signal.throwIfAborted();
    const isUnchanged = !isForced && (await readStamps(places)) === this.#stamps;
    const askedAt = now();
    if (isUnchanged) {
      if (askedAt - this.#storedAt < leaseMs / 2) return;
      if ((await medium.readVersion()) !== this.#version) throw this.#lose();
    } else {
      const { files, stamps } = await readFiles(places);
      const version = await medium.replace(this.#pack(files), { expected: this.#version });
      if (version === null) throw this.#lose();
      this.#version = version;
      this.#stamps = stamps;
    }
    this.#storedAt = askedAt;
  }

  #pack(files: CarriedFiles): CarriedFiles {
    const { seal, maxBytes, logger, medium } = this.#options;
    if (this.#owner === null) throw new TypeError('owner: expected a record that was taken');
    const head: Head = { version: 1, sealed: seal !== null, owner: this.#owner };
    const { location } = medium;
    const fitted = fitFiles(files, { maxBytes, location, logger });
    const packed = seal === null ? fitted : seal.seal(fitted);
    return new Map([...packed, [headName, Buffer.from(`${JSON.stringify(head)}\n`)]]);
  }

  #lose(): ContextStoreError {
    const message = `Another process has taken ${this.#options.medium.location}. This process exits and writes nothing more.`;
    const error = new ContextStoreError(message, { code: 'owned' });
    this.#options.logger?.error({ record: this.#options.medium.location }, 'lost ownership of the record');
    this.#lost.abort(error);
    return error;
  }
}

/**
 * Refuses directories that hold runs of a process that stores them nowhere else.
 * @throws {ContextStoreError} `invalid`
 */
async function requireOwnPlaces({ runs, work }: CarriedPlaces): Promise<void> {
  const isUsed = runs !== undefined && (await listEntries(runs)).length > 0;
  if (!isUsed || (work !== undefined && (await isThere(work)))) return;
  const message = `"${runs}" holds runs that belong to no record. Give the job a directory of its own (context_storage.base_dir).`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

function splitHead(
  all: CarriedFiles,
  location: string,
): { readonly head: Head; readonly files: CarriedFiles } {
  const files = new Map(all);
  const text = files.get(headName);
  files.delete(headName);
  try {
    const json: unknown = JSON.parse(Buffer.from(text ?? []).toString('utf8'));
    requireVersion(json, { version: 1, place: location });
    return { head: headSchema.parse(json), files };
  } catch (cause) {
    if (ContextStoreError.isInstance(cause)) throw cause;
    const message = `${location} is not a record of the agent. Remove it, and start the task again.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
}

function isHeld(location: string, name: string): ContextStoreError {
  const message = `${name} is at work with ${location}. It receives what is said there.`;
  return new ContextStoreError(message, { code: 'owned' });
}

function isSealed(location: string): ContextStoreError {
  const message = `${location} is encrypted, and no key is set. Set the key of before, or remove the record and start the task again.`;
  return new ContextStoreError(message, { code: 'invalid' });
}
