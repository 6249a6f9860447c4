import { readFile as readFileWithCallback } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { ContextStoreError } from '../context-store-error.ts';
import { toSystemCode } from '../disk/storage-error.ts';
import { toJournalFiles } from '../journal/journal-files.ts';
import { parseOutcome } from '../journal/outcome-file.ts';
import type { RunEnd } from '../journal-model.ts';
import type { RunMetadata } from '../run-model.ts';
import { parseMetadata } from './metadata-file.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text is a uuid as runs have them. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** @throws {ContextStoreError} `invalid`: a name that is no uuid could lead out of the directory */
export function requireUuid(uuid: string): void {
  if (isUuid(uuid)) return;
  const message = `${JSON.stringify(uuid)} is not a uuid in lower case, as randomUUID() makes them.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

/**
 * Whether a run's directory is there.
 * @throws {ContextStoreError} `damaged` when a link or a file stands in its place
 */
export async function isRunDirectory(path: string): Promise<boolean> {
  const status = await lstat(path).catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (status === null) return false;
  if (status.isDirectory()) return true;
  throw new ContextStoreError(`"${path}" is not a directory. Move it away.`, { code: 'damaged' });
}

/** @throws {ContextStoreError} `damaged` when the file is missing, unreadable or another run's */
export async function readMetadata(directory: string): Promise<RunMetadata> {
  const path = toJournalFiles(directory).metadata;
  const metadata = await readFile(path, 'utf8').then(parseMetadata).catch(toDamaged(path));
  if (metadata.uuid === basename(directory)) return metadata;
  return toDamaged(path)(new Error(`it belongs to run ${metadata.uuid}`));
}

/** The run's end; null while it has none. */
export async function readOutcome(
  directory: string,
): Promise<(RunEnd & { readonly finishedAt: string }) | null> {
  const path = toJournalFiles(directory).outcome;
  const text = await readFileIfThere(path);
  if (text === null) return null;
  return Promise.resolve(text).then(parseOutcome).catch(toDamaged(path));
}

/** Without the handle that `node:fs/promises` opens for each file, which costs a third of reading a small one. */
const readWhole = promisify(readFileWithCallback);

/** A file's text; null when there is no such file. */
export function readFileIfThere(path: string): Promise<string | null> {
  return readWhole(path, 'utf8').catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOENT') return null;
    throw error;
  });
}

/** Turns whatever a parser threw into this package's error, which names the file. */
export function toDamaged(path: string): (error: unknown) => never {
  return (error) => {
    const message = `"${path}" is missing or damaged. Put it back from a copy, or move its directory away.`;
    throw new ContextStoreError(message, { code: 'damaged', cause: error });
  };
}
