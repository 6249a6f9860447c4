import { describe, expect, it } from 'vitest';
import { readErrorBody } from './read-error-body.ts';
import { readBodyWait, readResetWait } from './read-retry-time.ts';

const now = () => Date.parse('2026-11-28T12:00:00Z');
const bodyWait = (message: string) =>
  readBodyWait(readErrorBody(JSON.stringify({ error: { message } })), now);

describe('readBodyWait', () => {
  it.each([
    ['Please retry in 20.837s.', 20_837],
    ['Please try again in 7m12s. Visit the console.', 432_000],
    ['Try again in 1 hour, 5 minutes and 3 seconds', 3_903_000],
    ['Rate limit reached. Please wait 30 secs before the next request', 30_000],
    ['Please wait for about five minutes, then retry after 2 mins', 120_000],
    ['The quota resets in 2 days', 172_800_000],
    ['Retry after 250 milliseconds or 3 s', 250],
    ['Limit of 100 requests per 5 minutes. Try again after 400ms', 400],
    ['Please retry after 2026-11-28T12:00:30Z', 30_000],
    ['Model is available again at 2026-11-28 12:01 UTC', 60_000],
  ])('reads "%s"', (message, ms) => {
    expect(bodyWait(message)).toBe(ms);
  });

  it.each(['Retry after 3 attempts', 'You waited 5 s', 'Try again in a moment.'])(
    'finds no wait in "%s"',
    (message) => {
      expect(bodyWait(message)).toBeNull();
    },
  );
});

describe('readResetWait', () => {
  it('reads the longest duration of limits that are used up', () => {
    const headers = {
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-tokens': '1h2m59.5s',
      'x-ratelimit-remaining-tokens': '12',
      'ratelimit-reset': '8',
      'x-reset-ratelimit': '9000',
    };
    expect(readResetWait(headers, now)).toBe(360_000);
  });
});
