import { toLimitWait } from '../http/rate-limits.ts';
import type { Service } from '../http/translate-error.ts';

/**
 * GitLab's name, and its rules for refusals: a limit is 429, with `Retry-After` and `RateLimit-Reset` where it is one
 * of the whole server, without them where it is one of a kind of request.
 *
 * @see https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers
 */
export const gitLabService: Service = {
  name: 'GitLab',
  closed:
    'its account lacks the role there (Reporter for issues and labels, Developer for branches and merge requests)',
  findRateLimit: ({ status, headers }, now) => {
    if (status !== 429) return null;
    const resetSeconds = headers['ratelimit-reset'];
    return { retryAfterMs: toLimitWait({ retryAfter: headers['retry-after'], resetSeconds }, now) };
  },
};
