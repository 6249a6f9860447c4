import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comment } from '../model.ts';
import { moveCursor } from './comment-listing.ts';

const begin = Date.parse('2026-01-02T00:00:00Z');
const toTime = (seconds: number) => new Date(begin + seconds * 1_000).toISOString().replace('.000Z', 'Z');
const commentAt = (seconds: number) => ({ createdAt: toTime(seconds), updatedAt: null }) as Comment;
const threeDays = fc.array(fc.nat({ max: 72 * 3_600 }), { minLength: 1, maxLength: 120 });
const ofBusyHours = fc.array(fc.nat({ max: 2 * 3_600 }), { minLength: 60, maxLength: 120 });
const ofBusyMinutes = fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 120 });
const times = fc.oneof(threeDays, ofBusyHours, ofBusyMinutes);

describe('the place that comments are polled from', () => {
  it('is never before the one there was, and a minute before the newest at the latest [B1]', () => {
    fc.assert(
      fc.property(times, fc.option(fc.nat({ max: 72 * 3_600 })), (seconds, earlier) => {
        const since = earlier === null ? null : toTime(earlier);
        const moved = Date.parse(moveCursor(since, seconds.map(commentAt)) ?? '');
        const latest = begin + (Math.max(...seconds) - 60) * 1_000;
        if (since !== null) expect(moved).toBeGreaterThanOrEqual(Date.parse(since));
        expect(moved).toBeLessThanOrEqual(since === null ? latest : Math.max(latest, Date.parse(since)));
      }),
    );
  });

  it('is the same for all who saw the newest comments, whichever they saw before [NX-168]', () => {
    fc.assert(
      fc.property(times, fc.nat({ max: 72 * 3_600 }), (seconds, earlier) => {
        const sorted = seconds.toSorted((one, other) => one - other);
        const whole = moveCursor(null, sorted.map(commentAt));
        // Those who were there before have moved with what they saw.
        const before = sorted.filter((one) => one <= Math.max(earlier, sorted[0] ?? 0));
        const since = moveCursor(null, before.map(commentAt)) ?? '';
        const seen = sorted.filter((one) => Date.parse(toTime(one)) >= Date.parse(since));
        expect(moveCursor(since, seen.map(commentAt))).toBe(whole);
      }),
    );
  });

  it('has few comments behind it, or is as late as it may be [B1]', () => {
    fc.assert(
      fc.property(times, (seconds) => {
        const moved = moveCursor(null, seconds.map(commentAt)) ?? '';
        const following = seconds.filter((one) => toTime(one) >= moved).length;
        if (following > 30) expect(moved).toBe(toTime(Math.max(...seconds) - 60));
      }),
    );
  });
});
