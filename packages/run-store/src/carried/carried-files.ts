import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@agent/text';
import { ContextStoreError } from '../context-store-error.ts';
import { privateDirectory, privateFile, unlessMissing } from '../disk/files.ts';

/** Files by their paths, which have `/` between segments. */
export type CarriedFiles = ReadonlyMap<string, Uint8Array>;

/** Directories of this machine by the first segment that their files have in a record. */
export type CarriedPlaces = Readonly<Record<string, string>>;

/** Files of one process, files in the making, and what tells a process of this machine to pause. */
function staysHere(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isOfProcess = ['lock.json', 'lock.held', 'pause_signal'].includes(name) || name.endsWith('.tmp');
  return isOfProcess || `/${path}/`.includes('/index/making/');
}

interface ListedFile {
  /** Path in the record. */
  readonly path: string;
  readonly at: string;
  /** Another one after each change. */
  readonly stamp: string;
}

/** Text that changes whenever a file is written, appears or is removed. */
export async function readStamps(places: CarriedPlaces): Promise<string> {
  return toStamps(await listFiles(places));
}

function toStamps(files: readonly ListedFile[]): string {
  return files.map(({ path, stamp }) => `${path} ${stamp}`).join('\n');
}

const attempts = 50;

/**
 * Reads all files as they were at one moment.
 * @throws {ContextStoreError} `storage-failed` if they change all the time
 */
export async function readFiles(
  places: CarriedPlaces,
): Promise<{ readonly files: CarriedFiles; readonly stamps: string }> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const listed = await listFiles(places);
    const files = new Map<string, Uint8Array>();
    let isWhole = true;
    for (const { path, at } of listed) {
      const contents = await unlessMissing(readFile(at), null);
      if (contents === null) isWhole = false;
      else files.set(path, contents);
    }
    const stamps = toStamps(listed);
    if (isWhole && (await readStamps(places)) === stamps) return { files, stamps };
    await wait(10 + attempt * 5);
  }
  const message = `The files of ${Object.values(places).join(' and ')} changed all the time while they were read. Try again.`;
  throw new ContextStoreError(message, { code: 'storage-failed' });
}

async function listFiles(places: CarriedPlaces): Promise<readonly ListedFile[]> {
  const found = await Promise.all(
    Object.entries(places).map(async ([segment, directory]) => {
      const names = await unlessMissing(readdir(directory, { recursive: true }), []);
      const kept = names.filter((name) => !staysHere(name)).sort();
      return Promise.all(kept.map((name) => describeFile(directory, { segment, name })));
    }),
  );
  return found.flat().filter((file) => file !== null);
}

async function describeFile(
  directory: string,
  { segment, name }: { readonly segment: string; readonly name: string },
): Promise<ListedFile | null> {
  const at = join(directory, name);
  const found = await unlessMissing(lstat(at, { bigint: true }), null);
  if (found === null || !found.isFile()) return null;
  return { path: `${segment}/${name}`, at, stamp: `${found.size} ${found.mtimeNs} ${found.ino}` };
}

const segmentForm = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,255}$/;

/**
 * Replaces what is in the directories by these files.
 * @throws {ContextStoreError} `damaged` for a path that leads elsewhere: nothing was changed
 */
export async function writeFiles(places: CarriedPlaces, files: CarriedFiles): Promise<void> {
  const targets = [...files].map(([path, contents]) => [toTarget(places, path), contents] as const);
  for (const directory of Object.values(places)) {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true, mode: privateDirectory });
  }
  for (const [target, contents] of targets) {
    await mkdir(dirname(target), { recursive: true, mode: privateDirectory });
    await writeFile(target, contents, { mode: privateFile });
  }
}

function toTarget(places: CarriedPlaces, path: string): string {
  const [first = '', ...rest] = path.split('/');
  const directory = Object.hasOwn(places, first) ? places[first] : undefined;
  if (directory !== undefined && rest.length > 0 && rest.every((segment) => segmentForm.test(segment)))
    return join(directory, ...rest);
  const message = `The record contains ${JSON.stringify(path)}, which no run stores. Remove the record, and start the task again.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

/** Options of `fitFiles`. */
export interface FitFilesOptions {
  readonly maxBytes: number;
  /** Place of the record, in words for people. */
  readonly location: string;
  readonly logger: Logger | null;
}

/** Directory of a run that has ended: an earlier one of the task. */
const ended = /^runs\/completed\/[^/]+\//;

/** Files that are made again from the record of their run. */
const derived = /^runs\/(?:running|paused|completed)\/[^/]+\/(?:current|tools|summaries)\.jsonl$/;

/**
 * Leaves out what the next process can do without until the rest fits: files that are made again from the record, then whole runs that have
 * ended, the largest first.
 * @throws {ContextStoreError} `storage-full` if the run at work alone is too large
 */
export function fitFiles(files: CarriedFiles, { maxBytes, location, logger }: FitFilesOptions): CarriedFiles {
  if (countBytes(files) <= maxBytes) return files;
  const fitted = new Map(files);
  for (const path of files.keys()) if (derived.test(path) && !ended.test(path)) fitted.delete(path);
  for (const run of listBySize(files)) {
    if (countBytes(fitted) <= maxBytes) break;
    for (const path of files.keys()) if (path.startsWith(run)) fitted.delete(path);
    logger?.warn({ run, record: location }, 'left an ended run out of the record, which is too large');
  }
  const bytes = countBytes(fitted);
  if (bytes <= maxBytes) return fitted;
  const message = `${location} would take ${toMegabytes(bytes)} MB, and at most ${toMegabytes(maxBytes)} MB are stored. Raise the limit, or stop the task.`;
  throw new ContextStoreError(message, { code: 'storage-full' });
}

/** Lists the directories of runs that have ended, the largest first. */
function listBySize(files: CarriedFiles): readonly string[] {
  const sizes = new Map<string, number>();
  for (const [path, { length }] of files) {
    const [run] = ended.exec(path) ?? [];
    if (run !== undefined) sizes.set(run, (sizes.get(run) ?? 0) + length);
  }
  return [...sizes].sort(([, one], [, other]) => other - one).map(([run]) => run);
}

function countBytes(files: CarriedFiles): number {
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}

function toMegabytes(bytes: number): number {
  return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
