import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { privateDirectory, readFileIfThere, replaceFile } from '../disk/files.ts';
import { createKeyedMutex } from '../disk/keyed-mutex.ts';
import type { Json } from '../journal-model.ts';
import type { StorageNotes } from '../storage.ts';
import { requireNoteName } from '../storage-names.ts';

/** One for the process, whose files they are. */
const mutex = createKeyedMutex();

/** Keeps notes as files below a directory of runs: `handovers/5f3a` as `handovers/5f3a.json`. */
export function createFileNotes(baseDirectory: string): StorageNotes {
  const base = resolve(baseDirectory);
  const locate = (name: string) => join(base, `${requireNoteName(name)}.json`);
  const replace = async (name: string, change: (path: string) => Promise<Json>) => {
    const path = locate(name);
    const work = () => change(path).then((value) => writeNote(path, value, { below: base }));
    return translated(mutex.run(path, work), `write "${path}"`);
  };
  return {
    read: async (name) => readNote(locate(name)),
    write: (name, value) => replace(name, async () => value),
    change: (name, change) => replace(name, async (path) => change(await readNote(path))),
    locate,
  };
}

async function readNote(path: string): Promise<unknown> {
  const text = await translated(readFileIfThere(path), `read "${path}"`);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `"${path}" is not the JSON that was written there. Put it back from a copy, or remove it.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
}

async function writeNote(path: string, value: Json, { below }: { readonly below: string }): Promise<void> {
  if (value === null) return rm(path, { force: true });
  // The directory of runs itself is its owner's to make: one that is gone may only be unmounted.
  if (dirname(path) !== below) await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await replaceFile(path, `${JSON.stringify(value)}\n`);
}
