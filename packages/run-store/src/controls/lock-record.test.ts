import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectory } from '../testing/store-setup.ts';
import { readLock, touchLock } from './lock-record.ts';

const record = {
  pid: 1,
  process_start_time: null,
  host: 'here',
  nonce: 'mine',
  acquired_at: '2026-03-01T12:00:00.000Z',
};

it('renews the time of a lock that is ours, and leaves one that is not', async () => {
  const directory = await makeDirectory();
  const path = join(directory.path, 'lock');
  await writeFile(path, JSON.stringify(record));
  await utimes(path, 1_000, 1_000);
  expect(await touchLock(path, record)).toBe(true);
  expect((await stat(path)).mtimeMs).toBeGreaterThan(1_000_000);
  expect(await readFile(path, 'utf8')).toBe(JSON.stringify(record));
  await utimes(path, 1_000, 1_000);
  expect(await touchLock(path, { ...record, nonce: 'theirs' })).toBe(false);
  expect((await stat(path)).mtimeMs).toBe(1_000_000);
  await directory.remove();
});

it('there is no lock where there is no file, and one that cannot be read is not none', async () => {
  const directory = await makeDirectory();
  expect(await readLock(join(directory.path, 'lock'))).toBeNull();
  await expect(readLock(directory.path)).rejects.toMatchObject({ code: 'EISDIR' });
  await directory.remove();
});
