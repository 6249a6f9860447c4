import type { RunStorage } from '@agent/run-store';
import type { MaxCost } from '../config/spending-settings.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { readDayBudget } from '../spending/shared-budgets.ts';

/** Something that runs out: requests to a platform, or money of the day in millionths of the currency. */
export interface BudgetView {
  readonly kind: 'requests' | 'money';
  /** Name of the platform, such as `github`, or the day, such as `2026-11-28`. */
  readonly name: string;
  /** Null for requests, as is `reserved`. */
  readonly spent: number | null;
  /** For calls in progress; not in `spent`, and not in `left`. */
  readonly reserved: number | null;
  /** Null without a limit. */
  readonly left: number | null;
  readonly limit: number | null;
  /** Milliseconds since 1970 at which it is full again; null where nobody knows. */
  readonly resetsAt: number | null;
  /** Currency of money; null for requests. */
  readonly currency: string | null;
}

/** Requests that a platform allows. */
export interface RequestBudget {
  /** Name of the platform, as in the configuration. */
  readonly platform: string;
  readonly left: number | null;
  readonly limit: number | null;
  readonly resetsAt: number | null;
}

/** Lists the requests that platforms allow, as far as a process knows them. */
export const listRequestBudgets = (
  platforms: readonly Pick<ConfiguredPlatform, 'platform' | 'requestsLeft'>[],
): readonly RequestBudget[] =>
  platforms.flatMap(({ platform, requestsLeft }) => {
    const left = requestsLeft?.() ?? null;
    return left === null ? [] : { platform: platform.name, ...left };
  });

/** Sources of budgets. */
export interface BudgetSources {
  readonly accounts: RunStorage['accounts'];
  /** Limits of money, in the currency, which a reload changes; its name, and the zone whose days are counted. Null where nothing has a price. */
  readonly money: {
    readonly limits: () => MaxCost;
    readonly currency: string;
    readonly timeZone: string;
  } | null;
  /** Requests that platforms allow, as far as they are known. */
  readonly requests: () => readonly RequestBudget[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Reads what is left of what runs share: requests by platform, and money of the day. */
export async function readBudgets({
  accounts,
  money,
  requests,
  now,
}: BudgetSources): Promise<readonly BudgetView[]> {
  const asked = requests().map(({ platform, ...rest }): BudgetView => {
    return { kind: 'requests', name: platform, spent: null, reserved: null, ...rest, currency: null };
  });
  if (money === null || accounts === undefined) return asked;
  const { currency, timeZone, limits } = money;
  const day = await readDayBudget({ accounts }, { limits: limits(), timeZone, now: now() });
  const { name, resetsAt, spentMicros: spent, reservedMicros: reserved } = day;
  const { leftMicros: left, limitMicros: limit } = day;
  return [...asked, { kind: 'money', name, spent, reserved, left, limit, resetsAt, currency }];
}
