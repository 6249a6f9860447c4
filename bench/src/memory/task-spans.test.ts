import { describe, expect, it } from 'vitest';
import { toSpans } from './task-spans.ts';

describe('toSpans', () => {
  it('says when the first and the last task got past a point, counted from ready', () => {
    const log = [
      { time: 1_000, msg: 'ready' },
      { time: 1_020, msg: 'started task' },
      { time: 1_050, msg: 'started task' },
      { time: 1_300, msg: 'opened workspace' },
      { time: 1_100, msg: 'opened workspace' },
    ];
    expect(toSpans(log)).toEqual({ begun: { first: 20, last: 50 }, opened: { first: 100, last: 300 } });
  });

  it('refuses a log in which nothing happened', () => {
    expect(() => toSpans([{ time: 1, msg: 'ready' }])).toThrow('started task');
  });
});
