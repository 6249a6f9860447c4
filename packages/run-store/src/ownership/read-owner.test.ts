import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeDirectory } from '../testing/store-setup.ts';
import { acquireOwnership } from './acquire-ownership.ts';
import { readOwner } from './read-owner.ts';

const script = fileURLToPath(new URL('../../test/own-directory.ts', import.meta.url));

it('names a process that lives, nobody once it was killed or gave the directory back, and leaves no trace [NX-83]', async () => {
  const directory = await makeDirectory();
  expect(await readOwner(directory.path)).toBeNull();
  expect(await readdir(directory.path)).toEqual([]);
  const child = spawn(process.execPath, ['--conditions=@agent/source', script, directory.path]);
  await once(child.stdout, 'data');
  const path = join(directory.path, 'lock.json');
  const before = await readFile(path, 'utf8');
  expect(await readOwner(directory.path)).toMatchObject({ number: 1, pid: child.pid, host: hostname() });
  expect(await readFile(path, 'utf8')).toBe(before);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  expect(await readOwner(directory.path)).toBeNull();
  const owner = await acquireOwnership({ baseDirectory: directory.path });
  expect(await readOwner(directory.path)).toMatchObject({ number: 2, pid: process.pid, host: hostname() });
  await owner.release();
  expect(await readOwner(directory.path)).toBeNull();
  await directory.remove();
});
