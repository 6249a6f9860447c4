import { type RequestLimits, type RequestUse, windowWait } from './request-limits.ts';

/** So much less than an even spread leaves may be left, so that a few looks never wait. */
const slack = 0.05;
/** The time that GitHub's primary limit is for; a shorter one only lets more looks through. */
const windowMs = 3_600_000;
const minuteMs = 60_000;

/**
 * How long, in milliseconds, a look that a doorbell asks for has to wait; 0 where it may be made now. As long as no
 * more is spent than an even spread over the window allows, nothing waits. Beyond that no minute takes more requests
 * than an even spread of what is left, polls included and however many requests a look takes: a storm of webhooks
 * must not use up what is needed to hear anything at all.
 */
export function decideHurryWait(use: RequestUse, now: number, { reserve }: RequestLimits): number {
  const { primary } = use;
  if (primary === null || now >= primary.resetAt) return 0;
  const { limit, remaining, resetAt } = primary;
  const spendable = limit * (1 - reserve);
  const left = remaining - limit * reserve;
  const leftMs = resetAt - now;
  if (left <= 0) return leftMs;
  if (left >= (spendable * (1 - slack) * leftMs) / windowMs) return 0;
  const perMinute = Math.max(1, (left * minuteMs) / leftMs);
  return windowWait(use, { now, cost: 1, limit: perMinute, of: (kind) => (kind === 'look' ? 1 : 0) });
}
