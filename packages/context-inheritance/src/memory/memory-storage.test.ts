import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeMemoryDirectory, thread } from '../../test/memory-setup.ts';
import { describeMemoryStorage } from '../../test/memory-storage-contract.ts';
import { hashText } from '../hash-text.ts';
import { createFileMemoryStorage } from './file-memory-storage.ts';
import { createTransientStorage } from './memory-storage.ts';

const now = () => new Date();

describe('createTransientStorage', () => {
  describeMemoryStorage(async () => createTransientStorage());
});

describe('createFileMemoryStorage', () => {
  describeMemoryStorage(async () => createFileMemoryStorage({ directory: await makeMemoryDirectory(), now }));

  it('gives only the owner of the process access to its files', async () => {
    const directory = await makeMemoryDirectory();
    const storage = createFileMemoryStorage({ directory: join(directory, 'new', 'place'), now });
    await storage.write(thread, { key: '1.open', text: '{}' });
    const folder = join(directory, 'new', 'place', hashText(thread));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, '1.open.json'))).mode & 0o777).toBe(0o600);
  });

  it('deletes partial files of crashed processes after an hour', async () => {
    const directory = await makeMemoryDirectory();
    const folder = join(directory, hashText(thread));
    await mkdir(folder);
    for (const name of ['1.open.json.a.tmp', '1.open.json.b.tmp']) await writeFile(join(folder, name), '{');
    const twoHoursAgo = new Date(now().getTime() - 2 * 60 * 60_000);
    await utimes(join(folder, '1.open.json.a.tmp'), twoHoursAgo, twoHoursAgo);
    expect(await createFileMemoryStorage({ directory, now }).list(thread)).toEqual([]);
    expect(await readdir(folder)).toEqual(['1.open.json.b.tmp']);
  });

  it('says what could not be read or written', async () => {
    const directory = await makeMemoryDirectory();
    await writeFile(join(directory, 'file'), '');
    const storage = createFileMemoryStorage({ directory: join(directory, 'file'), now });
    const error = {
      name: 'MemoryError',
      code: 'storage',
      message: expect.stringMatching(/ENOTDIR.*writable/),
    };
    await expect(storage.list(thread)).rejects.toMatchObject(error);
    await expect(storage.write(thread, { key: '1.open', text: '' })).rejects.toMatchObject({
      code: 'storage',
    });
  });
});
