import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDisk } from './check-disk.ts';

describe('checkDisk', () => {
  it('says that runs can be kept', async () => {
    const disk = await checkDisk(tmpdir(), { minFreeBytes: 1 });
    expect(disk).toEqual({ part: 'disk', state: 'ok', reason: null });
  });

  it('says that a disk is full [NX-17]', async () => {
    const disk = await checkDisk(tmpdir(), { minFreeBytes: 2 ** 60 });
    expect(disk).toMatchObject({ state: 'failed', reason: expect.stringContaining('Free some space') });
  });

  it('takes a directory that cannot be looked at for no good sign', async () => {
    const disk = await checkDisk(join(tmpdir(), 'there-is-no-such-directory'));
    expect(disk).toMatchObject({ state: 'failed', reason: expect.stringContaining('ENOENT') });
  });
});
