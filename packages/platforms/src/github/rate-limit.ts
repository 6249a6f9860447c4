const fallbackWaitMs = 60_000;

/**
 * Whether an answer means a rate limit, primary or secondary, and how long to stay away: `retry-after`, else until
 * `x-ratelimit-reset` when nothing remains, else a minute.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function findRateLimit(
  answer: {
    readonly status: number;
    readonly message: string;
    readonly headers: Readonly<Record<string, string | number | undefined>>;
  },
  now: number,
): { readonly retryAfterMs: number } | null {
  if (answer.status !== 403 && answer.status !== 429) return null;
  const retryAfter = answer.headers['retry-after'];
  const exhausted = String(answer.headers['x-ratelimit-remaining']) === '0';
  const named = /rate limit|abuse detection/iu.test(answer.message);
  if (answer.status === 403 && retryAfter === undefined && !exhausted && !named) return null;
  const seconds = Number(retryAfter);
  if (retryAfter !== undefined && Number.isFinite(seconds))
    return { retryAfterMs: Math.max(0, seconds * 1000) };
  const resetMs = Number(answer.headers['x-ratelimit-reset']) * 1000;
  if (exhausted && Number.isFinite(resetMs)) return { retryAfterMs: Math.max(1000, resetMs - now + 1000) };
  return { retryAfterMs: fallbackWaitMs };
}
