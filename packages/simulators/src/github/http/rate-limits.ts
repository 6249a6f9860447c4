import type { Token } from '../state/model.ts';
import { Refusal } from '../state/refusal.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const maxConcurrent = 100;

export type RateResource = 'core' | 'search' | 'code_search' | 'graphql';

/** Limits of GitHub's beyond the primary one. @see https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits */
export interface SecondaryLimits {
  readonly pointsPerMinute: number;
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
}

/** The limits as they are documented. */
export const documentedSecondaryLimits: SecondaryLimits = {
  pointsPerMinute: 900,
  contentPerMinute: 80,
  contentPerHour: 500,
};

/** Counts requests per token. */
export interface RateLimits {
  /** @throws {Refusal} 403 when nothing is left. */
  readonly checkPrimary: (token: Token | null, resource: RateResource) => void;
  readonly countPrimary: (token: Token | null, resource: RateResource) => void;
  readonly status: (token: Token | null, resource: RateResource) => RateStatus;
  /** Counts the points and, for what creates content, the creation. @throws {Refusal} 403 or 429 with Retry-After. */
  readonly countSecondary: (
    token: Token | null,
    request: { readonly write: boolean; readonly content: boolean },
  ) => void;
  /** Counts a request as under way until the returned function is called. @throws {Refusal} 403 above 100 at once. */
  readonly enter: (token: Token | null) => () => void;
  readonly setPrimary: (limit: { readonly limit: number; readonly remaining: number }) => void;
}

const anonymousLimits: Readonly<Record<RateResource, WindowRule>> = {
  core: { limit: 60, lengthMs: hour },
  search: { limit: 10, lengthMs: minute },
  code_search: { limit: 0, lengthMs: minute },
  graphql: { limit: 0, lengthMs: hour },
};

/** A counter for each token and resource, whose windows open with the first request. */
export function createRateLimits(options: {
  readonly now: () => number;
  readonly secondary: SecondaryLimits;
}): RateLimits {
  const { now, secondary } = options;
  const windows = new Map<string, CountedWindow>();
  const underWay = new Map<string, number>();
  let coreLimit = 5000;
  // What setPrimary took away is back an hour later, whenever a token is first used.
  let taken = { used: 0, until: 0 };

  const windowOf = (token: Token | null, name: string, rule: WindowRule): CountedWindow => {
    const key = `${name} ${holderOf(token)}`;
    const known = windows.get(key);
    if (known && known.endsAt > now()) return known;
    const isTaken = name === 'core' && token && now() < taken.until;
    const endsAt = isTaken ? taken.until : now() + rule.lengthMs;
    const opened = openWindow({ limit: rule.limit, endsAt, used: isTaken ? taken.used : 0 });
    windows.set(key, opened);
    return opened;
  };
  const primary = (token: Token | null, resource: RateResource) =>
    windowOf(token, resource, primaryRule(token, resource));
  const primaryRule = (token: Token | null, resource: RateResource): WindowRule => {
    if (!token) return anonymousLimits[resource];
    if (resource === 'core') return { limit: coreLimit, lengthMs: hour };
    if (resource === 'graphql') return { limit: 5000, lengthMs: hour };
    return { limit: resource === 'search' ? 30 : 10, lengthMs: minute };
  };

  return {
    status: (token, resource) => primary(token, resource).status(),
    checkPrimary: (token, resource) => {
      if (primary(token, resource).isFull()) throw primaryRefusal(token);
    },
    countPrimary: (token, resource) => primary(token, resource).count(1),
    countSecondary: (token, { write, content }) => {
      const points = windowOf(token, 'points', { limit: secondary.pointsPerMinute, lengthMs: minute });
      const created = [
        windowOf(token, 'content per minute', { limit: secondary.contentPerMinute, lengthMs: minute }),
        windowOf(token, 'content per hour', { limit: secondary.contentPerHour, lengthMs: hour }),
      ];
      const full = content && created.find((window) => window.isFull());
      if (full) throw secondaryRefusal({ status: 403, retryAfterMs: full.endsAt - now(), content: true });
      const cost = write ? 5 : 1;
      if (!points.has(cost)) throw secondaryRefusal({ status: 429, retryAfterMs: points.endsAt - now() });
      points.count(cost);
      if (content) for (const window of created) window.count(1);
    },
    enter: (token) => {
      const key = holderOf(token);
      const before = underWay.get(key) ?? 0;
      if (before >= maxConcurrent) throw secondaryRefusal({ status: 403, retryAfterMs: minute });
      underWay.set(key, before + 1);
      return () => void underWay.set(key, (underWay.get(key) ?? 1) - 1);
    },
    setPrimary: ({ limit, remaining }) => {
      coreLimit = limit;
      taken = { used: limit - remaining, until: now() + hour };
      for (const key of windows.keys()) if (key.startsWith('core ')) windows.delete(key);
    },
  };
}

/** All tokens of an installation share its limits. */
function holderOf(token: Token | null): string {
  return token?.installation ? `installation ${token.installation.id}` : (token?.secret ?? '');
}

/** 403 as GitHub words it when the primary limit is used up. */
export function primaryRefusal(token: Token | null): Refusal {
  const { installation } = token ?? {};
  const message = token
    ? `API rate limit exceeded for ${installation ? 'installation' : 'user'} ID ${installation?.id ?? token.user.id}.`
    : "API rate limit exceeded for 127.0.0.1. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)";
  return new Refusal({ status: 403, message });
}

/** 403 or 429 as GitHub words it for a secondary limit. */
export function secondaryRefusal(limit: {
  readonly status: 403 | 429;
  readonly retryAfterMs: number;
  readonly content?: boolean;
}): Refusal {
  const message = limit.content
    ? 'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.'
    : 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  const seconds = Math.max(1, Math.ceil(limit.retryAfterMs / second));
  return new Refusal({ status: limit.status, message, headers: { 'retry-after': String(seconds) } });
}

/** A count as the API shows it. */
interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

/** Number of requests, and the length of the window. */
interface WindowRule {
  readonly limit: number;
  readonly lengthMs: number;
}

interface WindowStart {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** Part of the limit that is gone already. */
  readonly used: number;
}

/** A count that ends at a fixed time. */
interface CountedWindow {
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  readonly count: (cost: number) => void;
  readonly has: (cost: number) => boolean;
  readonly isFull: () => boolean;
  readonly status: () => RateStatus;
}

/** Begins a window. */
function openWindow(start: WindowStart): CountedWindow {
  const { limit, endsAt } = start;
  let { used } = start;
  const remaining = () => Math.max(0, limit - used);
  return {
    endsAt,
    count: (cost) => {
      used += cost;
    },
    has: (cost) => remaining() >= cost,
    isFull: () => remaining() === 0,
    status: () => ({
      limit,
      remaining: remaining(),
      used: Math.min(used, limit),
      reset: Math.ceil(endsAt / 1000),
    }),
  };
}
