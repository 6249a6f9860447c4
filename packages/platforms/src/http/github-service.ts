import { toLimitWait } from './rate-limits.ts';
import type { HttpFailure, Service } from './translate-error.ts';

/** GitHub's name, and its rules for refusals. */
export const gitHubService: Service = {
  name: 'GitHub',
  closed: 'the thread or repository is closed to it',
  suspended: /installation has been suspended|account (?:was|is|has been) suspended/iu,
  findRateLimit,
};

/**
 * Tells whether an answer means a rate limit, primary or secondary, and how long to stay away: `retry-after`, else until
 * `x-ratelimit-reset` when nothing remains, else a minute.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function findRateLimit(
  { status, headers, message }: HttpFailure,
  now: number,
): { readonly retryAfterMs: number } | null {
  if (status !== 403 && status !== 429) return null;
  const retryAfter = headers['retry-after'];
  const exhausted = String(headers['x-ratelimit-remaining']) === '0';
  const named = /rate limit|abuse detection/iu.test(message);
  if (status === 403 && retryAfter === undefined && !exhausted && !named) return null;
  const resetSeconds = exhausted ? headers['x-ratelimit-reset'] : undefined;
  return { retryAfterMs: toLimitWait({ retryAfter, resetSeconds }, now) };
}
