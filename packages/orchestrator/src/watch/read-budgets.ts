import type { RunStorage } from '@agent/run-store';
import type { MaxCost } from '../spending/spending-settings.ts';

/** Something that runs out: requests to a platform, or money in millionths of the currency. */
export interface BudgetView {
  readonly kind: 'requests' | 'money';
  /** Platform or day, such as `github.com` or `2026-11-28`. */
  readonly name: string;
  /** Null if only the use is known. */
  readonly left: number | null;
  readonly limit: number | null;
  /** Milliseconds since 1970 at which it is full again; null where nobody knows. */
  readonly resetsAt: number | null;
  /** Currency of money; null for requests. */
  readonly currency: string | null;
}

/** Requests that a platform allows. */
export interface RequestBudget {
  readonly platform: string;
  readonly left: number | null;
  readonly limit: number | null;
  readonly resetsAt: number | null;
}

/** Sources of budgets. */
export interface BudgetSources {
  readonly accounts: Pick<NonNullable<RunStorage['accounts']>, 'list'> | null;
  /** Limits of money, in the currency, and its name; null where nothing has a price. */
  readonly money: { readonly limits: MaxCost; readonly currency: string } | null;
  /** Requests that platforms allow, as far as they are known. */
  readonly requests: () => readonly RequestBudget[];
  /** Names the day that money is counted by now: `2026-11-28`. */
  readonly today: () => string;
}

/** Reads what is left of what runs share: requests by platform, and money of the day. */
export async function readBudgets({
  accounts,
  money,
  requests,
  today,
}: BudgetSources): Promise<readonly BudgetView[]> {
  const asked = requests().map(({ platform, ...rest }): BudgetView => {
    return { kind: 'requests', name: platform, ...rest, currency: null };
  });
  if (money === null || accounts === null) return asked;
  const day = today();
  const [account] = await accounts.list([`day:${day}`]);
  const spent = (account?.spentMicros ?? 0) + (account?.reservedMicros ?? 0);
  const limit = money.limits.day === null ? null : Math.round(money.limits.day * 1_000_000);
  const left = limit === null ? null : Math.max(0, limit - spent);
  const { currency } = money;
  return [...asked, { kind: 'money', name: day, left, limit, resetsAt: null, currency }];
}
