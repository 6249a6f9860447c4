import { randomUUID } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileRunStore } from '../file/file-run-store.ts';
import { newRun, parseMessage, says, toArray } from '../testing/store-setup.ts';

const directory = useDirectory();

const createStore = () => createFileRunStore({ baseDirectory: directory.path, parseMessage });

/** A run with a record of some 400 KB, in which no file beside it has a share. */
async function writeRun(): Promise<string> {
  const uuid = randomUUID();
  const { journal } = await createStore().open(newRun(uuid));
  const data = { text: 'observed '.repeat(1_000) };
  for (let turn = 1; turn <= 40; turn += 1) {
    await journal.append({ type: 'fact', name: 'observed', data });
    await journal.append(says('user', `turn ${turn}`));
  }
  return uuid;
}

/** Counts the bytes that file handles of this process read during the work: the files beside the record are read without them. */
async function countBytesRead(work: () => Promise<void>): Promise<number> {
  const file = await open(fileURLToPath(import.meta.url));
  await file.close();
  const handles = Object.getPrototypeOf(file) as {
    read: (...given: unknown[]) => ReturnType<FileHandle['read']>;
  };
  const { read } = handles;
  let bytes = 0;
  handles.read = async function (this: FileHandle, ...given) {
    const result = await read.apply(this, given);
    bytes += result.bytesRead;
    return result;
  };
  try {
    await work();
  } finally {
    handles.read = read;
  }
  return bytes;
}

/** What an opening reads besides: the ends of files, to repair them. */
const endsOfFiles = 64 * 1024;

const messagesOf = (entries: readonly { readonly type: string }[]) =>
  entries.filter(({ type }) => type === 'message').length;

describe('the record of a run that is opened', () => {
  it('is read once, however many replay it', async () => {
    const uuid = await writeRun();
    const { size } = await stat(join(directory.path, 'running', uuid, 'messages.jsonl'));
    const read = await countBytesRead(async () => {
      const { journal } = await createStore().restore(uuid);
      for (let reader = 1; reader <= 3; reader += 1)
        expect(messagesOf(await toArray(journal.read()))).toBe(40);
    });
    expect(read).toBeGreaterThanOrEqual(size);
    expect(read).toBeLessThan(size + endsOfFiles);
  });

  it('is read once where a pause is resumed, too: what was checked before the run was moved is what is replayed', async () => {
    const uuid = await writeRun();
    await createStore().pause(uuid, { lastError: null, planningState: null });
    const { size } = await stat(join(directory.path, 'paused', uuid, 'messages.jsonl'));
    const read = await countBytesRead(async () => {
      const { journal, pause } = await createStore().resume(uuid);
      expect(pause.status).toBe('running');
      expect(messagesOf(await toArray(journal.read()))).toBe(40);
    });
    expect(read).toBeLessThan(size + endsOfFiles);
  });

  it('shows what was written since, before the run goes on and after', async () => {
    const uuid = await writeRun();
    const { journal } = await createStore().restore(uuid);
    const found = await toArray(journal.read());
    await journal.append({ type: 'fact', name: 'observed', data: 'before' });
    expect(await toArray(journal.read())).toEqual([
      ...found,
      expect.objectContaining({ name: 'observed', data: 'before' }),
    ]);
    await journal.append(says('assistant', 'goes on'));
    const entries = await toArray(journal.read());
    expect(entries.slice(0, -2)).toEqual(found);
    expect(entries.at(-1)).toMatchObject({ seq: 41, message: { content: 'goes on' } });
  });
});
