import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ContextStoreError, toSystemCode } from '../context-store-error.ts';
import { listEntries, privateDirectory, privateFile, replaceFile, syncDirectory } from '../disk/files.ts';
import { toJournalFiles } from '../places.ts';
import { formatFact, sealLine } from '../record/record-line.ts';
import type { RunMetadata } from '../run-model.ts';
import { formatMetadata, toMetadataFile } from './run-documents.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Tells whether a text is a uuid as runs have them. */
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
 * Tells whether a run's directory is there.
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

/** Beginning of the name of a directory in `running/` that is being made. */
export const halfMadePrefix = '.new-';

/** Makes `running/{uuid}` with a record that says what the run is, or nothing: it is built aside and renamed. */
export async function createRunDirectory(
  running: string,
  { metadata, owner }: { readonly metadata: RunMetadata; readonly owner: number | null },
): Promise<void> {
  const aside = join(running, `${halfMadePrefix}${metadata.uuid}`);
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: privateDirectory });
  const files = toJournalFiles(aside);
  const data = toMetadataFile(metadata);
  const opened = formatFact({ name: 'opened', data, timestamp: metadata.createdAt });
  const { bytes } = sealLine(opened, { previous: '', owner });
  await writeFile(files.messages, bytes, { mode: privateFile, flush: true });
  await replaceFile(files.metadata, formatMetadata(metadata), { sync: false });
  await syncDirectory(aside);
  await rename(aside, join(running, metadata.uuid));
  await syncDirectory(running);
}

/** Tells whether an entry of `running/` is a directory that a crash left half made. */
export function isHalfMade(name: string): boolean {
  return name.startsWith(halfMadePrefix);
}

/**
 * Moves a directory, durably at both ends; the target's parent is made when it is missing.
 * @throws {ContextStoreError} when something is in the way, or the target lies on another file system
 */
export async function moveDirectory(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: privateDirectory });
  await rename(from, to).catch((error: unknown) => {
    throw explain(error, { from, to }) ?? error;
  });
  await syncDirectory(dirname(to));
  await syncDirectory(dirname(from));
}

function explain(
  error: unknown,
  { from, to }: { readonly from: string; readonly to: string },
): ContextStoreError | null {
  const code = toSystemCode(error);
  if (code === 'EXDEV') {
    const message = `"${from}" cannot be moved to "${to}", which is on another file system. Put both on the same one.`;
    return new ContextStoreError(message, { code: 'storage-failed', cause: error });
  }
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') return null;
  const message = `"${from}" cannot be moved to "${to}", which already exists. Move one of the two away.`;
  return new ContextStoreError(message, { code: 'damaged', cause: error });
}

const removedPrefix = '.removed-';

/** Removes a run, whole or not at all: a crash in the middle leaves what no longer looks like a run. */
export async function removeRunDirectory(directory: string): Promise<void> {
  const removed = join(dirname(directory), `${removedPrefix}${basename(directory)}`);
  await rm(removed, { recursive: true, force: true });
  await rename(directory, removed);
  await syncDirectory(dirname(directory));
  await rm(removed, { recursive: true, force: true });
}

/** As `removeRunDirectory`; false when there is none. */
export async function removeIfThere(directory: string): Promise<boolean> {
  if (!(await isRunDirectory(directory))) return false;
  await removeRunDirectory(directory);
  return true;
}

/** Removes what a crash left of runs that were being removed. */
export async function removeLeftovers(parent: string): Promise<void> {
  const names = await listEntries(parent);
  for (const name of names.filter((other) => other.startsWith(removedPrefix))) {
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

export function hasEnded(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} has ended. Start a new run with a new uuid.`, {
    code: 'invalid',
  });
}

export function isMissing(uuid: string, parent: string): ContextStoreError {
  return new ContextStoreError(`There is no run ${uuid} in "${parent}". Check the uuid.`, {
    code: 'invalid',
  });
}

export function isThereTwice(uuid: string): ContextStoreError {
  const message = `Run ${uuid} exists twice, as running and as paused. Compare the two directories and move one away.`;
  return new ContextStoreError(message, { code: 'damaged' });
}

export function isPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is paused. Resume it instead.`, { code: 'invalid' });
}
