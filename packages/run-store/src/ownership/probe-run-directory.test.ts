import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectory } from '../testing/store-setup.ts';
import { refuseNetworkFileSystem } from './machine.ts';
import { probeRunDirectory } from './read-owner.ts';

it('finds a disk of this machine fit for runs, and leaves nothing there [NX-86]', async () => {
  const directory = await makeDirectory();
  await probeRunDirectory(directory.path);
  expect(await readdir(directory.path)).toEqual([]);
  await expect(probeRunDirectory(join(directory.path, 'none'))).rejects.toMatchObject({
    code: 'storage-failed',
  });
  await directory.remove();
});

it.each([
  [0x6969, 'NFS'],
  [0xfe534d42, 'SMB'],
  [0x00c36400, 'Ceph'],
])('refuses the file system %i of a network, and names what to do instead [NX-86]', async (type, name) => {
  await expect(refuseNetworkFileSystem('/srv/runs', async () => type)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(
      new RegExp(`^"/srv/runs" is on ${name}, .*disk of this machine.*PostgreSQL`),
    ),
  });
  await refuseNetworkFileSystem('/srv/runs', async () => 0xef53);
});
