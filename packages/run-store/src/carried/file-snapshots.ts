import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { translated } from '../context-store-error.ts';
import { privateDirectory, privateFile, unlessMissing } from '../disk/files.ts';
import { parseWritten } from '../disk/stored-values.ts';
import type { Json } from '../journal-model.ts';
import type { RecordOwner } from '../ports.ts';
import type { KeptSnapshot, StorageSnapshots } from '../storage.ts';
import { requireUuid } from '../storage-names.ts';

/** Stores the work of each run in one file: a line of JSON, then the bundle where there is one. */
export function createFileSnapshots(
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
