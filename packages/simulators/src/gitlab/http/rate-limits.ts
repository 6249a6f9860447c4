import type { Token } from '../state/model.ts';
import { Refusal, refuse } from '../state/refusal.ts';

const minuteMs = 60_000;

/** Counts requests. GitLab's windows are the minutes of the clock. */
export interface RateLimits {
  /** Counts a request of a token. @throws {Refusal} 429 "Retry later" beyond the limit */
  readonly countRequest: (token: Token | null) => void;
  /** Headers of the limit on every answer; none while it is off. */
  readonly headers: (token: Token | null) => Readonly<Record<string, string>>;
  /** Counts a new note of an account. @throws {Refusal} 429 beyond the limit */
  readonly countNote: (token: Token) => void;
  readonly set: (limit: { readonly limit: number; readonly remaining: number }) => void;
}

/** The limit of notes from the start, that of requests from `set` on. @see https://docs.gitlab.com/administration/settings/rate_limit_on_notes_creation/ */
export function createRateLimits(options: {
  readonly now: () => number;
  readonly notesPerMinute: number;
}): RateLimits {
  const { now, notesPerMinute } = options;
  const counts = new Map<string, number>();
  let requests: { readonly limit: number; readonly taken: number; readonly minute: number } | null = null;

  const minute = () => Math.floor(now() / minuteMs);
  const keyOf = (kind: string, token: Token | null) => `${kind} ${token?.user.id ?? 'nobody'} ${minute()}`;
  const observed = (token: Token | null) => {
    const taken = requests?.minute === minute() ? requests.taken : 0;
    return taken + (counts.get(keyOf('request', token)) ?? 0);
  };
  const count = (key: string) => {
    const counted = (counts.get(key) ?? 0) + 1;
    counts.set(key, counted);
    return counted;
  };
  const headers = (token: Token | null) =>
    requests ? limitHeaders({ limit: requests.limit, observed: observed(token), now: now() }) : {};

  return {
    headers,
    countRequest: (token) => {
      count(keyOf('request', token));
      if (!requests || observed(token) <= requests.limit) return;
      throw tooManyRequests({ now: now(), headers: headers(token) });
    },
    countNote: (token) => {
      if (count(keyOf('note', token)) > notesPerMinute) throw tooManyTimes();
    },
    set: ({ limit, remaining }) => {
      counts.clear();
      requests = { limit, taken: limit - remaining, minute: minute() };
    },
  };
}

/** 429 of the whole server: text, with the time to wait. @see https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers */
export function tooManyRequests(parts: {
  readonly now: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
}): Refusal {
  const { now, headers = limitHeaders({ limit: 2000, observed: 2001, now }) } = parts;
  const seconds = parts.retryAfterSeconds ?? Math.ceil((minuteMs - (now % minuteMs)) / 1000);
  const end = new Date(now + seconds * 1000);
  return new Refusal(429, 'Retry later\n', {
    ...headers,
    'retry-after': String(seconds),
    'ratelimit-reset': String(Math.ceil(end.getTime() / 1000)),
    'ratelimit-resettime': end.toUTCString(),
  });
}

/** 429 of one kind of request; it does not say how long. */
export function tooManyTimes(): Refusal {
  return refuse(429, { error: 'This endpoint has been requested too many times. Try again later.' });
}

function limitHeaders(status: { readonly limit: number; readonly observed: number; readonly now: number }) {
  const { limit, observed, now } = status;
  return {
    'ratelimit-name': 'throttle_authenticated_api',
    'ratelimit-limit': String(limit),
    'ratelimit-observed': String(observed),
    'ratelimit-remaining': String(Math.max(0, limit - observed)),
    'ratelimit-reset': String((Math.floor(now / minuteMs) + 1) * (minuteMs / 1000)),
  };
}
