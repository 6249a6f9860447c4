import type { RequestRecord } from '../model.ts';

/**
 * What an answer says of its credential's limits; null where it says nothing. GitHub's names have the prefix `x-`,
 * GitLab's have none.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit
 * @see https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers
 */
export function readLimitHeaders({ status, headers }: Response): RequestRecord['limits'] | null {
  const read = (name: string): number | null => {
    const text = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`);
    const number = Number(text);
    return text === null || text.trim() === '' || !Number.isFinite(number) ? null : number;
  };
  const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
  const isWhole = limit !== null && remaining !== null && reset !== null;
  const isCore = (headers.get('x-ratelimit-resource') ?? 'core') === 'core';
  const primary = isWhole && isCore ? { limit, remaining, resetAt: reset * 1000 } : null;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const isRefused = (status === 403 || status === 429) && Number.isFinite(seconds);
  const retryAfterMs = isRefused ? Math.max(0, seconds * 1000) : null;
  return primary === null && retryAfterMs === null ? null : { primary, retryAfterMs };
}
