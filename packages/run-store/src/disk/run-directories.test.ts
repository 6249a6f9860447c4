import { statSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { moveDirectory } from './run-directories.ts';

/** Lists what is synced during the work, by its numbers in the file system. */
async function listSynced(work: () => Promise<void>): Promise<readonly number[]> {
  const file = await open(fileURLToPath(import.meta.url));
  await file.close();
  const handles = Object.getPrototypeOf(file) as Pick<FileHandle, 'sync'>;
  const { sync } = handles;
  const synced: number[] = [];
  handles.sync = async function (this: FileHandle) {
    await sync.call(this);
    synced.push((await this.stat()).ino);
  };
  try {
    await work();
  } finally {
    handles.sync = sync;
  }
  return synced;
}

it('makes a move durable at both ends, the new name before the old one is forgotten', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'run-directory-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const [running, paused] = [join(directory, 'running'), join(directory, 'paused')];
  await mkdir(join(running, 'one'), { recursive: true });
  const synced = await listSynced(() => moveDirectory(join(running, 'one'), join(paused, 'one')));
  const ends = process.platform === 'win32' ? [] : [paused, running];
  expect(synced).toEqual(ends.map((path) => statSync(path).ino));
});

it('says that there is something already only where there is, and else what the system said', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'run-directory-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const [from, to] = [join(directory, 'from'), join(directory, 'to')];
  await expect(moveDirectory(from, to)).rejects.toMatchObject({ code: 'ENOENT' });
  await mkdir(from);
  await mkdir(to);
  await writeFile(join(to, 'file'), '');
  await expect(moveDirectory(from, to)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining('which already exists'),
  });
});
