import type { RequestLimits, RequestUse } from './request-limits.ts';

/** So much less than an even spread leaves may be left, so that a few looks never wait. */
const slack = 0.05;
/** The time that GitHub's primary limit is for; a shorter one only lets more looks through. */
const windowMs = 3_600_000;

/**
 * How long, in milliseconds, a look that a doorbell asks for has to wait; 0 where it may be made now. As long as no
 * more is spent than an even spread over the window allows, nothing waits; beyond that the part which the polls leave
 * is spread over the time that is left, so that a storm of webhooks never makes anybody hear later than by polls alone.
 */
export function decideHurryWait(use: RequestUse, now: number, { reserve, share }: RequestLimits): number {
  const { primary, minute } = use;
  if (primary === null || now >= primary.resetAt) return 0;
  const { limit, remaining, resetAt } = primary;
  const spendable = limit * (1 - reserve);
  const left = remaining - limit * reserve;
  const leftMs = resetAt - now;
  if (left <= 0) return leftMs;
  if (left >= (spendable * (1 - slack) * leftMs) / windowMs) return 0;
  const lastLook = minute.findLast(({ kind }) => kind === 'look');
  return lastLook === undefined ? 0 : Math.max(0, lastLook.at + leftMs / (left * (1 - share)) - now);
}
