import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDisk } from './conditions.ts';
import { TaskBoard } from './task-board.ts';

const now = () => 1_000;

async function diskAfter(options: { readonly directory: string; readonly minFreeBytes?: number }) {
  const board = new TaskBoard({ now });
  await checkDisk({ ...options, observe: board.observe });
  return board.state.conditions.get('disk');
}

describe('checkDisk', () => {
  it('says that runs can be kept', async () => {
    const disk = await diskAfter({ directory: tmpdir(), minFreeBytes: 1 });
    expect(disk).toEqual({ part: 'disk', state: 'ok', since: 1_000, reason: null });
  });

  it('says that a disk is full [NX-17]', async () => {
    const disk = await diskAfter({ directory: tmpdir(), minFreeBytes: 2 ** 60 });
    expect(disk).toMatchObject({ state: 'failed', reason: expect.stringContaining('Make room') });
  });

  it('takes a directory that cannot be looked at for no good sign', async () => {
    const disk = await diskAfter({ directory: join(tmpdir(), 'there-is-no-such-directory') });
    expect(disk).toMatchObject({ state: 'failed', reason: expect.stringContaining('ENOENT') });
  });
});
