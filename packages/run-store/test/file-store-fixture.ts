import { appendFile, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { listEntries } from '../src/disk/files.ts';
import { createFileRunStore } from '../src/file/file-run-store.ts';
import { createFileRunLines, createFileRunReader } from '../src/file/run-reader.ts';
import { createExpiryFiles } from '../src/index/expiry-files.ts';
import { createFileTaskIndex } from '../src/index/file-task-index.ts';
import { createRunIndexer } from '../src/index/read-indexed-run.ts';
import type { MessageLike, Ownership } from '../src/index.ts';
import { acquireOwnership } from '../src/ownership/acquire-ownership.ts';
import { openFailingDisk } from '../src/testing/failing-disk.ts';
import type { RecordDamageFixture, StoreProcess } from '../src/testing/index.ts';
import { makeDirectory } from '../src/testing/store-setup.ts';

/** The message of any caller: each may bring its own. */
const parseMessage = (json: unknown) => json as MessageLike;

/** The store in files, on a disk that fails, with real ownership; what a power cut tears is a line in its middle. */
export async function createFileStoreFixture({
  now,
}: {
  readonly now: () => number;
}): Promise<RecordDamageFixture & { readonly path: string; readonly close: () => Promise<void> }> {
  const { path: baseDirectory, remove } = await makeDirectory();
  const disk = await openFailingDisk();
  const owners: Ownership[] = [];

  async function start(): Promise<StoreProcess> {
    await silence(join(baseDirectory, 'lock.json'));
    const owner = await acquireOwnership({
      ...{ baseDirectory, now, repeat: () => () => undefined },
      sleep: () => setImmediate(undefined),
    });
    owners.push(owner);
    const index = createFileTaskIndex({ baseDirectory, now, sleep: async () => {} });
    const indexRun = createRunIndexer({ index, expiry: createExpiryFiles({ baseDirectory }) });
    return {
      owner,
      store: createFileRunStore({
        baseDirectory,
        now,
        parseMessage,
        owner,
        openIndex: async () => ({ indexRun }),
      }),
      reader: createFileRunReader({ baseDirectory, parseMessage }),
      lines: createFileRunLines({ baseDirectory }),
      index,
      failNext: (when) => disk.failNext(when === 'before' ? 'torn' : 'after'),
      kill: () => cutPower(join(baseDirectory, 'running')),
    };
  }

  async function cutPower(running: string): Promise<void> {
    for (const uuid of await listEntries(running)) {
      const record = join(running, uuid, 'messages.jsonl');
      await disk.cutPower(record);
      await appendFile(record, '{"seq":99,"role":"user","con');
    }
  }

  return {
    path: baseDirectory,
    start,
    damage: async (uuid, text) => {
      const record = join(baseDirectory, 'running', uuid, 'messages.jsonl');
      const changed = text.replace(/.$/, (letter) => (letter === 'x' ? 'y' : 'x'));
      await writeFile(record, (await readFile(record, 'utf8')).replace(`"${text}"`, `"${changed}"`));
    },
    close: async () => {
      for (const owner of owners) await owner.release();
      disk.close();
      await remove();
    },
  };
}

/** Lets an owner that may be there look as if it had shown no sign of life for a minute. */
async function silence(path: string): Promise<void> {
  const then = Date.now() / 1000 - 61;
  await utimes(path, then, then).catch(() => undefined);
}
