import { describe, expect, it } from 'vitest';
import { readHeld, writeHeld } from '../held/held-record.ts';
import type { Run } from '../run/run.ts';
import type { Attempted } from '../run/run-ending.ts';
import { createWaitForPermission } from './wait-for-permission.ts';

const day = 86_400_000;
const begunAt = Date.parse('2026-03-01T00:00:00Z');

async function setUp({ longestMs = 365 * day, status = 'completed', commit = 'c' as string | null } = {}) {
  const kept = new Map<string, never>();
  const state = {
    read: async (name: string) => kept.get(name) ?? null,
    write: async (name: string, value: unknown) => void kept.set(name, value as never),
  };
  const items = [
    {
      number: 1,
      kind: 'path',
      path: 'a',
      rule: 'a',
      id: 'x',
      patch: '+',
      line: null,
      locked: null,
      state: 'held',
    },
  ] as const;
  await writeHeld(state, { ...(await readHeld(state)), items: [...items] });
  const clock = { now: begunAt };
  const wait = createWaitForPermission({
    composeFinalComment: async () => 'text',
    longestMs,
    now: () => clock.now,
  });
  const run = { state, facts: { locale: 'en' }, logger: { info: () => {} } } as unknown as Run;
  const outcome = { status, reason: null, finalText: 'Done.' };
  const attempted = { kind: 'ended', ending: { outcome, delivery: { commit } } } as unknown as Attempted;
  const ask = async () => {
    const answer = await wait(run, attempted);
    return answer.kind === 'ended' ? answer.ending.outcome : null;
  };
  return { ask, clock, state };
}

describe('a run with held changes', () => {
  it('waits for a person for 30 days, with the comment that it composed', async () => {
    const { ask, state } = await setUp();
    expect(await ask()).toMatchObject({
      status: 'needs_input',
      waitsFor: { kind: 'held', id: 'held:1', until: '2026-03-31T00:00:00.000Z' },
    });
    expect((await readHeld(state)).comment).toBe('text');
  });

  it('waits no longer than paused runs are resumed, and does not wait again from the beginning', async () => {
    const { ask, clock } = await setUp({ longestMs: 7 * day });
    await ask();
    clock.now += 3 * day;
    expect(await ask()).toMatchObject({ waitsFor: { until: '2026-03-08T00:00:00.000Z' } });
  });

  it('ends once that is over: partial if something was pushed, failed otherwise', async () => {
    for (const [commit, status] of [
      ['c', 'partial'],
      [null, 'failed'],
    ] as const) {
      const { ask, clock } = await setUp({ commit });
      await ask();
      clock.now += 30 * day;
      expect(await ask()).toMatchObject({ status, reason: expect.stringContaining('No one allowed') });
    }
  });

  it('ends as it is if it was stopped', async () => {
    const { ask } = await setUp({ status: 'stopped' });
    expect(await ask()).toMatchObject({ status: 'stopped' });
  });
});
