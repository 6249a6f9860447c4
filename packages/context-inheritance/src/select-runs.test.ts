import { hashTaskKey } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import { makeRun, thread, toUuid } from '../test/inheritance-setup.ts';
import type { PreviousRun } from './model.ts';
import { findLastEnd, selectRuns } from './select-runs.ts';

const rules = {
  taskKeyHash: hashTaskKey(thread.taskKeyText),
  host: thread.host,
  now: new Date('2026-11-20T10:00:00Z'),
  expiryDays: 90,
  includeFailed: false,
};
const select = (runs: readonly PreviousRun[], changes = {}) => selectRuns(runs, { ...rules, ...changes });
const reasonFor = (changes: Partial<PreviousRun>, more = {}) =>
  select([makeRun('a1', changes)], more).refused[0]?.reason ?? null;

describe('the runs that may be inherited from', () => {
  it('have completed or were stopped [CI-4] [CI-13] [CI-14] [C9]', () => {
    for (const status of ['completed', 'stopped'] as const) expect(reasonFor({ status })).toBeNull();
    for (const status of ['failed', 'paused', 'running'] as const)
      expect(reasonFor({ status })).toBe('status');
  });

  it('may have failed where that is asked for, and never be under way [CI-13] [CI-14] [CI-41] [C9]', () => {
    expect(reasonFor({ status: 'failed' }, { includeFailed: true })).toBeNull();
    for (const status of ['paused', 'running'] as const)
      expect(reasonFor({ status }, { includeFailed: true })).toBe('status');
  });

  it('ended at most so many days ago, this many included, to the millisecond [CI-3] [CI-15] [CI-39] [CI-T6] [C6]', () => {
    expect(reasonFor({ completedAt: '2026-08-22T10:00:00.000Z' })).toBeNull();
    expect(reasonFor({ completedAt: '2026-08-22T09:59:59.999Z' })).toBe('expired');
    expect(reasonFor({ completedAt: '2026-08-23T09:00:00.000+09:00' })).toBeNull();
  });

  it('have ended, though it be in the future by a clock that ran backwards [C6]', () => {
    expect(reasonFor({ completedAt: null })).toBe('no-end');
    expect(reasonFor({ completedAt: 'yesterday' })).toBe('no-end');
    expect(reasonFor({ completedAt: '2027-01-01T00:00:00Z' })).toBeNull();
  });

  it('have the same key on the same host, whatever the index hands out [CI-2] [CI-54] [CI-55] [CI-65] [C7]', () => {
    expect(reasonFor({ taskKeyHash: hashTaskKey('github_pull_request:octo:cat:42') })).toBe('other-task');
    expect(reasonFor({ taskKeyHash: '' })).toBe('other-task');
    expect(reasonFor({ host: 'github.example.org' })).toBe('other-task');
  });

  it('come newest end first [CI-23]', () => {
    const runs = [
      makeRun('a1', { completedAt: '2026-11-02T00:00:00Z' }),
      makeRun('b2', { completedAt: '2026-11-03T08:00:00+09:00' }),
      makeRun('c3', { completedAt: '2026-11-02T22:00:00Z' }),
    ];
    expect(select(runs).eligible.map(({ uuid }) => uuid)).toEqual(['b2', 'c3', 'a1'].map(toUuid));
  });

  it('ended after the last fresh start, or are the run that made it [CI-44]', () => {
    const runs = [
      makeRun('a1', { completedAt: '2026-11-01T10:00:00Z' }),
      makeRun('b2', {
        completedAt: '2026-11-04T10:00:00Z',
        inheritanceBarrierAt: '2026-11-04T11:00:00Z',
        status: 'completed',
      }),
      makeRun('c3', { completedAt: '2026-11-06T10:00:00Z' }),
    ];
    const { eligible, refused } = select(runs);
    expect(eligible.map(({ uuid }) => uuid)).toEqual([toUuid('c3'), toUuid('b2')]);
    expect(refused).toEqual([{ uuid: toUuid('a1'), reason: 'before-fresh-start' }]);
  });

  it('heed the fresh start of a run that failed, and none of another thread [CI-44]', () => {
    const old = makeRun('a1');
    const barrier = { status: 'failed' as const, inheritanceBarrierAt: '2026-11-04T11:00:00Z' };
    expect(select([old, makeRun('b2', barrier)]).eligible).toEqual([]);
    expect(select([old, makeRun('b2', { ...barrier, host: 'other' })]).eligible).toHaveLength(1);
  });
});

describe('the end of the last run', () => {
  it('is the latest of any status, and of this thread only', () => {
    const runs = [
      makeRun('a1', { completedAt: '2026-11-02T00:00:00Z' }),
      makeRun('b2', { completedAt: '2026-11-03T00:00:00Z', status: 'failed' }),
      makeRun('c3', { completedAt: '2026-11-05T00:00:00Z', host: 'other' }),
      makeRun('d4', { completedAt: null }),
    ];
    expect(findLastEnd(runs, rules)).toBe('2026-11-03T00:00:00.000Z');
    expect(findLastEnd([], rules)).toBeNull();
  });
});
