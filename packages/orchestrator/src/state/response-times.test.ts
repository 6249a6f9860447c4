import { describe, expect, it } from 'vitest';
import { ResponseTimes } from './response-times.ts';

const platform = 'github';
const minute = 60_000;

function openTimes() {
  const times = new ResponseTimes();
  let at = 0;
  return {
    /** Adds requests, five seconds apart. */
    add: (durationMs: number, count = 1, route = 'issues.list') => {
      for (let number = 0; number < count; number += 1) {
        at += 5_000;
        times.add({ platform, route, durationMs, at });
      }
    },
    pass: (ms: number) => {
      at += ms;
    },
    find: () => times.findSlow(platform, at),
    get now() {
      return at;
    },
  };
}

describe('the response times of a platform', () => {
  it('are slow from the first slow request on, once the median of ten requests in five minutes is above 2 s [NX-136]', () => {
    const times = openTimes();
    times.add(50, 4);
    const since = times.now + 5_000 - 2_600;
    times.add(2_600, 5);
    expect(times.find()).toBeNull();
    times.add(2_600);
    expect(times.find()).toEqual({
      since,
      reason: 'issues.list takes 2.6 s (median of the last 10 requests)',
      measuredMs: 2_600,
    });
  });

  it('are not slow for nine requests, for single outliers, or for a median of exactly 2 s', () => {
    for (const [durations, expected] of [
      [Array(9).fill(9_000), null],
      [[...Array(10).fill(50), ...Array(5).fill(2_100)], null],
      [Array(40).fill(2_000), null],
    ] as const) {
      const times = openTimes();
      for (const durationMs of durations) times.add(durationMs);
      expect(times.find()).toBe(expected);
    }
  });

  it('stay slow until the median of the last ten requests is below 1 s, and are not slow again by what came before', () => {
    const times = openTimes();
    times.add(3_000, 40);
    times.add(1_000, 10);
    expect(times.find()).not.toBeNull();
    times.add(999, 4);
    expect(times.find()).not.toBeNull();
    times.add(999);
    expect(times.find()).toBeNull();
    times.add(3_000, 4);
    expect(times.find()).toBeNull();
    times.add(3_000, 7);
    expect(times.find()).not.toBeNull();
  });

  it('are unknown after fifteen minutes without a request', () => {
    const times = openTimes();
    times.add(3_000, 10);
    times.pass(15 * minute);
    expect(times.find()).toMatchObject({ measuredMs: 3_000 });
    times.pass(1);
    expect(times.find()).toBeNull();
    times.add(3_000);
    expect(times.find()).toBeNull();
  });

  it('name the slowest class of routes, and the start of the first that became slow', () => {
    const times = openTimes();
    times.add(3_000, 10);
    times.add(4_500, 10, 'pulls');
    expect(times.find()).toMatchObject({
      since: 2_000,
      reason: expect.stringMatching(/^pulls takes 4\.5 s/),
    });
  });

  it('count the last ten requests where fewer came within five minutes', () => {
    const times = openTimes();
    times.add(3_000, 10);
    times.pass(6 * minute);
    times.add(4_000);
    expect(times.find()?.reason).toBe('issues.list takes 3.0 s (median of the last 10 requests)');
  });
});
