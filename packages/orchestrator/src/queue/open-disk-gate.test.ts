import type { StorageCondition } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../ports.ts';
import { Holds } from '../state/holds.ts';
import { openDiskGate } from './open-disk-gate.ts';

const ok: StorageCondition = { part: 'disk', state: 'ok', reason: null };
const full: StorageCondition = { part: 'disk', state: 'failed', reason: 'less than 64 MiB left' };

function openGate({ once = false } = {}) {
  let condition = ok;
  const holds = new Holds({ now: () => 7, logger: silentLogger, onChange: () => undefined });
  const rooms: string[] = [];
  const gate = openDiskGate({
    health: { check: async () => condition, probe: async () => ({}) },
    ...{ once, holds, observe: () => undefined, onRoom: () => void rooms.push('room') },
  });
  const see = (seen: StorageCondition) => {
    condition = seen;
    return gate.check();
  };
  return { gate, holds, rooms, see };
}

describe('the gate of the disk', () => {
  it('holds all tasks back while the disk is full, and begins what waits once there is room', async () => {
    const { gate, holds, rooms, see } = openGate();
    await see(ok);
    expect([gate.holdMs(), holds.list()]).toEqual([0, []]);
    await see(full);
    expect(gate.holdMs()).toBeGreaterThan(0);
    expect(holds.list()).toMatchObject([{ cause: 'disk', since: 7, reason: 'less than 64 MiB left' }]);
    await see(ok);
    expect([gate.holdMs(), holds.list(), rooms]).toEqual([0, [], ['room']]);
    expect(gate.givenUp.aborted).toBe(false);
  });

  it('waits for a database, and with "once" for no disk', async () => {
    const { gate, holds, see } = openGate({ once: true });
    await see({ part: 'database', state: 'waiting', reason: 'ECONNREFUSED' });
    expect([holds.list().map(({ cause }) => cause), gate.givenUp.aborted]).toEqual([['database'], false]);
    await see(full);
    expect([holds.list().map(({ cause }) => cause), gate.givenUp.aborted]).toEqual([['disk'], true]);
  });
});
