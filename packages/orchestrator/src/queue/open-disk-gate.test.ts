import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageCondition } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import { TaskBoard } from '../board/task-board.ts';
import { silentLogger } from '../host/ports.ts';
import { type DiskGateOptions, openDiskGate } from './open-disk-gate.ts';

const ok: StorageCondition = { part: 'disk', state: 'ok', reason: null };
const full: StorageCondition = { part: 'disk', state: 'failed', reason: 'less than 64 MiB left' };
const database: StorageCondition = { part: 'database', state: 'ok', reason: null };

function openGate(given: Partial<DiskGateOptions> = {}) {
  let condition = ok;
  const lines: (readonly [string, object])[] = [];
  const note = (fields: object, message: string) => void lines.push([message, fields]);
  const board = new TaskBoard({ now: () => 7 });
  const gate = openDiskGate({
    storage: {
      location: tmpdir(),
      health: { check: async () => condition, probe: async () => ({}) },
    },
    ...{ worktrees: null, once: false, observe: board.observe, now: () => 7 },
    logger: { ...silentLogger, info: note, warn: note },
    ...given,
  });
  const see = (seen: StorageCondition) => {
    condition = seen;
    return gate.check();
  };
  const list = () => [...board.state.conditions.values()].map(({ part, state }) => `${part} ${state}`);
  return { gate, board, lines, list, see };
}

describe('the gate of the disk', () => {
  it('holds all tasks back while the disk is full, however often it is checked, with one log line at the start and one at the end', async () => {
    const { gate, board, lines, see } = openGate();
    await see(ok);
    expect(gate.holdMs()).toBe(0);
    await see(full);
    await see(full);
    expect(gate.holdMs()).toBeGreaterThan(0);
    const condition = { part: 'disk', state: 'failed', since: 7, reason: 'less than 64 MiB left' };
    expect(board.state.conditions.get('disk')).toEqual(condition);
    await see(ok);
    expect(gate.holdMs()).toBe(0);
    expect(lines).toEqual([
      ['not starting tasks', { cause: 'disk', reason: 'less than 64 MiB left' }],
      ['starting tasks again', { cause: 'disk', durationMs: 0 }],
    ]);
    expect(gate.givenUp.aborted).toBe(false);
  });

  it('waits for a database, and with "once" for no disk', async () => {
    const { gate, see } = openGate({ once: true });
    await see({ part: 'database', state: 'waiting', reason: 'ECONNREFUSED' });
    expect([gate.holdMs() > 0, gate.givenUp.aborted]).toEqual([true, false]);
    await see(full);
    expect(gate.givenUp.aborted).toBe(true);
  });

  it('holds all tasks back while the disk of the worktrees is full beside a storage elsewhere, and names it', async () => {
    // Not created before the first task.
    const worktrees = join(tmpdir(), 'no-worktrees-yet', 'below');
    const { gate, board, lines, list, see } = openGate({ worktrees, minFreeBytes: 2 ** 60 });
    await see(database);
    expect(gate.holdMs()).toBeGreaterThan(0);
    expect(list()).toEqual(['database ok', 'worktrees failed']);
    expect(board.state.conditions.get('worktrees')?.reason).toContain(
      `The disk of the worktrees (${tmpdir()}) has less than`,
    );
    expect(lines).toMatchObject([['not starting tasks', { cause: 'disk_worktrees' }]]);
  });

  it('checks a disk that runs and worktrees share once', async () => {
    const { gate, list, see } = openGate({ worktrees: tmpdir(), minFreeBytes: 2 ** 60 });
    await see(ok);
    expect([gate.holdMs(), list()]).toEqual([0, ['disk ok']]);
  });
});
