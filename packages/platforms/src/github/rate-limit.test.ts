import { describe, expect, it } from 'vitest';
import { findRateLimit } from './rate-limit.ts';

const now = 1_700_000_000_000;
const limit = (status: number, headers: Record<string, string>, message = 'Forbidden') =>
  findRateLimit({ status, headers, message }, now);

describe('findRateLimit', () => {
  it('obeys Retry-After first [CD-57]', () => {
    expect(limit(403, { 'retry-after': '30', 'x-ratelimit-remaining': '0' })).toEqual({
      retryAfterMs: 30_000,
    });
    expect(limit(429, { 'retry-after': '0' })).toEqual({ retryAfterMs: 0 });
  });

  it('else waits for the reset when nothing remains, and a second beyond it [CD-57]', () => {
    const reset = String(now / 1000 + 90);
    expect(limit(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })).toEqual({
      retryAfterMs: 91_000,
    });
    const past = String(now / 1000 - 90);
    expect(limit(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': past })).toEqual({
      retryAfterMs: 1000,
    });
  });

  it('else stays away for a minute [CD-57]', () => {
    expect(limit(429, {})).toEqual({ retryAfterMs: 60_000 });
    expect(limit(403, {}, 'You have exceeded a secondary rate limit.')).toEqual({ retryAfterMs: 60_000 });
    expect(limit(403, { 'retry-after': 'soon' })).toEqual({ retryAfterMs: 60_000 });
  });

  it('sees no limit where a right is missing', () => {
    expect(
      limit(403, { 'x-ratelimit-remaining': '12' }, 'Resource not accessible by integration'),
    ).toBeNull();
    expect(limit(500, { 'retry-after': '3' })).toBeNull();
  });
});
