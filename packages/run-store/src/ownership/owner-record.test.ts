import { describe, expect, it } from 'vitest';
import { isSameMachine } from './machine.ts';
import { judgeOwner, type OwnerRecord, type SeenOwner } from './owner-record.ts';

const machine = { host: 'here', boot: 'boot-1' };
const record: OwnerRecord = {
  version: 1,
  number: 3,
  pid: 7,
  ...machine,
  life: '11',
  acquired_at: '2026-03-01T12:00:00.000Z',
  released_at: null,
};
/** An owner that works, but for what is given. */
const judge = (seen: Partial<SeenOwner> & { readonly of?: Partial<OwnerRecord> } = {}) => {
  const { of, ...others } = seen;
  const owner = { record: { ...record, ...of }, silentMs: 1_000, lockIsFree: false, life: '11', ...others };
  return judgeOwner(owner, { machine, silenceMs: 60_000 });
};

describe('the owner of a directory', () => {
  it('is gone where its lock is free and the lock proves it', () => {
    expect(judge()).toEqual({ kind: 'alive' });
    expect(judge({ lockIsFree: true })).toEqual({ kind: 'free' });
    expect(judge({ record: null })).toEqual({ kind: 'alive' });
    expect(judge({ record: null, lockIsFree: true })).toEqual({ kind: 'free' });
  });

  it('that gave it back or says nothing for too long is silent only while somebody holds its lock', () => {
    for (const seen of [{ of: { released_at: record.acquired_at } }, { silentMs: 60_000 }]) {
      expect(judge(seen)).toEqual({ kind: 'silent' });
      expect(judge({ ...seen, lockIsFree: true })).toEqual({ kind: 'free' });
    }
  });

  it('is watched where the lock proves nothing', () => {
    const watched = (reason: string) => ({ kind: 'watch', reason });
    expect(judge({ of: { boot: 'boot-2' } })).toEqual(watched('other-machine'));
    expect(judge({ life: '12' })).toEqual(watched('lock-deleted'));
  });
});

it('takes systems for the same by their kernel where both tell it, and by name where one does not', () => {
  expect(isSameMachine(machine, { host: 'container', boot: 'boot-1' })).toBe(true);
  expect(isSameMachine(machine, { host: 'here', boot: 'boot-2' })).toBe(false);
  for (const [one, other] of [
    [null, 'boot-1'],
    ['boot-1', null],
    [null, null],
  ] as const) {
    expect(isSameMachine({ host: 'here', boot: one }, { host: 'here', boot: other })).toBe(true);
    expect(isSameMachine({ host: 'here', boot: one }, { host: 'there', boot: other })).toBe(false);
  }
});
