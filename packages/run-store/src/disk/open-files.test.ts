import { readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createOpenFiles, type OpenFiles } from './open-files.ts';

const directory = useDirectory();
let files: OpenFiles;
beforeEach(() => {
  files = createOpenFiles({ maxOpen: 2 });
});
afterEach(async () => {
  await files.close(['a', 'b', 'c', 'd', 'e'].map(path));
  expect(await listOpen()).toEqual([]);
});

const path = (name: string) => join(directory.path, name);
const read = (name: string) => readFile(path(name), 'utf8');
const synced = { sync: true };

/** Names of the files below the directory that this process holds open. */
async function listOpen(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(directory.path)).map((target) => target.slice(-1));
}

describe('files that stay open', () => {
  it('take each text at their end, whoever else wrote to them or cut them', async () => {
    await writeFile(path('a'), 'old ');
    await files.append(path('a'), Buffer.from('1 '), synced);
    await writeFile(path('a'), 'theirs ', { flag: 'a' });
    await files.append(path('a'), Buffer.from('2 '), { sync: false });
    await writeFile(path('a'), '');
    await files.append(path('a'), Buffer.from('3'), synced);
    expect(await read('a')).toBe('3');
  });

  it('are not made, and are noticed when they vanish, move or are exchanged', async () => {
    await expect(files.append(path('a'), Buffer.from('x'), synced)).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(path('a'), '');
    await files.append(path('a'), Buffer.from('1'), synced);
    await rename(path('a'), path('b'));
    await expect(files.append(path('a'), Buffer.from('2'), synced)).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(path('c'), 'new ');
    await rename(path('c'), path('a'));
    await files.append(path('a'), Buffer.from('3'), synced);
    await writeFile(path('c'), 'newer ');
    await rename(path('c'), path('a'));
    await files.append(path('a'), Buffer.from('4'), synced);
    expect([await read('a'), await read('b')]).toEqual(['newer 4', '1']);
  });

  it('keep every text when more are written at once than may be open', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await writeFile(path(name), '');
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    await Promise.all(
      rounds.flatMap(() => names.map((name) => files.append(path(name), Buffer.from('.'), synced))),
    );
    expect(await Promise.all(names.map(read))).toEqual(names.map(() => '.'.repeat(rounds.length)));
    await files.append(path('a'), Buffer.from('!'), synced);
    await files.close(names.map(path));
    await files.append(path('a'), Buffer.from('!'), synced);
    expect(await read('a')).toBe(`${'.'.repeat(rounds.length)}!!`);
  });

  it('are no more than they may be, and none once closed', async () => {
    for (const name of ['a', 'b', 'c', 'a', 'd']) {
      await writeFile(path(name), '');
      await files.append(path(name), Buffer.from('.'), synced);
    }
    expect((await listOpen()).sort()).toEqual(['a', 'd']);
    await files.close([path('a'), path('d'), path('never opened')]);
    expect(await listOpen()).toEqual([]);
  });

  it('say that the disk is full, and are opened anew after it', async () => {
    await symlink('/dev/full', path('a'));
    await expect(files.append(path('a'), Buffer.from('x'), synced)).rejects.toMatchObject({ code: 'ENOSPC' });
    await rm(path('a'));
    await writeFile(path('a'), '');
    await files.append(path('a'), Buffer.from('1'), synced);
    expect(await read('a')).toBe('1');
  });
});
