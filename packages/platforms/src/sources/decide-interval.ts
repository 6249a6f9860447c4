import type { RequestLimits, RequestUse } from './request-limits.ts';

/** How often is looked at most and at least. */
export interface LookPace {
  /** Milliseconds between two looks at what is busy; default 10,000. */
  readonly shortestMs: number;
  /** Milliseconds between two looks at what has long been quiet, while the limits allow them; default 90,000. */
  readonly longestMs: number;
}

/** So much of its quiet a thread is left alone for: after a minute for ten seconds, after nine for ninety. */
const quietShare = 1 / 6;
const minuteMs = 60_000;
/** As long as fewer looks were made, each is taken for one that counts. */
const enoughLooks = 20;

/**
 * How long, in milliseconds, one of several who look leaves between two looks: longer the quieter it is, and so long
 * that all of them together stay within their share of the limits.
 */
export function decideInterval(
  use: RequestUse,
  asked: { readonly quietMs: number; readonly lookers: number; readonly now: number },
  rules: RequestLimits & LookPace,
): number {
  const { shortestMs, longestMs, pointsPerMinute, share, requestsPerLook } = rules;
  const wanted = Math.min(Math.max(asked.quietMs * quietShare, shortestMs), longestMs);
  const bySecondary = (asked.lookers * requestsPerLook * minuteMs) / (pointsPerMinute * share);
  return Math.max(wanted, bySecondary, byPrimary(use, asked, rules));
}

/** What did not change is free, so that only the part of the looks that counts is spread over the time that is left. */
function byPrimary(
  { primary, looks }: RequestUse,
  { lookers, now }: { readonly lookers: number; readonly now: number },
  { reserve, share }: RequestLimits,
): number {
  if (primary === null || now >= primary.resetAt) return 0;
  const left = (primary.remaining - primary.limit * reserve) * share;
  const timeMs = primary.resetAt - now;
  const countedShare = looks.all < enoughLooks ? 1 : looks.counted / looks.all;
  return left <= 0 ? timeMs : Math.min(timeMs, (lookers * countedShare * timeMs) / left);
}
