import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashText } from '../hash-text.ts';
import { MemoryError } from './memory-error.ts';
import type { MemoryDocument, MemoryStorage } from './memory-storage.ts';

const extension = '.json';
const partial = '.tmp';
/** A write takes milliseconds: an older partial file is of a crashed process. */
const partialKeptMs = 60 * 60_000;
const mostListings = 20;

export interface FileMemoryOptions {
  readonly directory: string;
  readonly now: () => Date;
  readonly createId?: () => string;
}

/**
 * Stores each document in a file of its own: `{directory}/{SHA-256 of the thread}/{key}.json`. A file is written under another name,
 * synced and renamed. Needs no lock and no native add-on.
 */
export function createFileMemoryStorage({
  directory,
  now,
  createId = randomUUID,
}: FileMemoryOptions): MemoryStorage {
  const folderOf = (thread: string) => join(directory, hashText(thread));
  return {
    list: (thread) =>
      explained(`read the memory in ${folderOf(thread)}`, () => listFiles(folderOf(thread), now)),
    write: (thread, { key, text }) => {
      const folder = folderOf(thread);
      return explained(`write to ${folder}`, async () => {
        await makeFolder(directory, folder);
        const path = join(folder, `${key}${extension}`);
        const written = `${path}.${createId()}${partial}`;
        try {
          await writeSynced(written, text);
          await rename(written, path);
        } catch (error) {
          await rm(written, { force: true }).catch(() => undefined);
          throw error;
        }
        await syncFolder(folder);
      });
    },
    remove: (thread, key) => {
      const path = join(folderOf(thread), `${key}${extension}`);
      return explained(`delete ${path}`, () => rm(path, { force: true }));
    },
  };
}

/** Lists again while files are replaced or deleted by other processes, so that no document is missed between two places. */
async function listFiles(folder: string, now: () => Date): Promise<readonly MemoryDocument[]> {
  for (let attempt = 1; ; attempt += 1) {
    const names = await readdir(folder).catch(ifMissing(() => []));
    const documents = names
      .filter((name) => name.endsWith(extension))
      .map(async (name) => {
        const text = await readFile(join(folder, name), 'utf8').catch(ifMissing(() => null));
        return text === null ? null : { key: name.slice(0, -extension.length), text };
      });
    const read = await Promise.all(documents);
    const found = read.filter((document) => document !== null);
    if (found.length < read.length && attempt < mostListings) continue;
    await removePartial(folder, { names, before: now().getTime() - partialKeptMs });
    return found;
  }
}

async function removePartial(
  folder: string,
  { names, before }: { readonly names: readonly string[]; readonly before: number },
): Promise<void> {
  for (const name of names.filter((one) => one.endsWith(partial))) {
    const path = join(folder, name);
    // It costs nothing but space: what cannot be deleted stays.
    const modified = await stat(path).catch(() => null);
    if (modified !== null && modified.mtimeMs < before)
      await rm(path, { force: true }).catch(() => undefined);
  }
}

async function makeFolder(directory: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first !== undefined) await syncFolder(directory);
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename durable. Windows and some file systems cannot sync a directory; there the rename itself has to do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  if (handle === null) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

function ifMissing<Value>(otherwise: () => Value): (error: unknown) => Value {
  return (error) => {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return otherwise();
    throw error;
  };
}

async function explained<Value>(action: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const code = (cause as { readonly code?: unknown }).code;
    const why = typeof code === 'string' ? `The system reported ${code}. ` : '';
    throw new MemoryError(
      `Could not ${action}. ${why}Check that the directory is writable and has space, then try again.`,
      {
        code: 'storage',
        cause,
      },
    );
  }
}
