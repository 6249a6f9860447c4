import type { RecordOwner } from '../ports.ts';

/** Money that runs spend, by account. Amounts are whole millionths of the currency; accounts are named by the caller. */
export interface SpendingLedger {
  /**
   * Reserves the most that a call can cost from each of its accounts, or from none: an account whose limit is not reached takes one
   * more call, so that no limit is passed by more than one. The same reservation again changes nothing.
   */
  readonly reserve: (reservation: SpendingReservation) => Promise<SpendingAnswer>;
  /** Replaces a reservation by what the call cost. Does nothing for one that is settled. */
  readonly settle: (id: string, cost: CallCost) => Promise<void>;
  /** Reads accounts, in the order in which they are named; all zero for one that was never used. */
  readonly read: (accounts: readonly string[]) => Promise<readonly AccountSpending[]>;
}

/** Reservation for one call. */
export interface SpendingReservation {
  /** A uuid of its own. */
  readonly id: string;
  readonly micros: number;
  /** Accounts that it is taken from, each with its limit; null for one without. */
  readonly accounts: readonly AccountLimit[];
}

/** Limit of an account. */
export interface AccountLimit {
  readonly name: string;
  readonly limitMicros: number | null;
}

/** Cost of a call that has ended. */
export interface CallCost {
  readonly micros: number;
  /** True where nobody could say what it cost, and the reservation stands for it. */
  readonly isPresumed: boolean;
}

/** Answer to a reservation. `wait`: the limit is reached only if the calls under way cost what is reserved for them. */
export type SpendingAnswer =
  | { readonly kind: 'granted' }
  | { readonly kind: 'wait' | 'exhausted'; readonly account: AccountSpending };

/** State of an account. */
export interface AccountSpending {
  readonly name: string;
  /** Spent, with what is presumed. */
  readonly spentMicros: number;
  /** Part of it that stands for calls whose cost nobody could say, such as those of a process that died. */
  readonly presumedMicros: number;
  /** Reserved for calls under way. */
  readonly reservedMicros: number;
}

/** Account as it is kept. */
export interface KeptAccount extends AccountSpending {
  /** Milliseconds since 1970 of its last use. */
  readonly usedAt: number;
}

/** Accounts of a place, for those who look at them, and who copy them. */
export interface SpendingAccounts {
  /** Lists accounts that were used, all or those of these names, for any process. Changes nothing: what is reserved may be somebody's who is gone. */
  readonly list: (names?: readonly string[]) => Promise<readonly KeptAccount[]>;
  /**
   * Raises accounts to what was spent elsewhere, reservations left out; lowers none, so that it may be repeated. What is reserved here counts as
   * spent before that. For an owner without others beside.
   */
  readonly raise: (
    accounts: readonly KeptAccount[],
    options: { readonly owner: Pick<RecordOwner, 'guard'> },
  ) => Promise<void>;
  /** Forgets accounts, for an owner: nothing was spent from them, and what is reserved there is counted for the others alone. */
  readonly forget: (
    names: readonly string[],
    options: { readonly owner: Pick<RecordOwner, 'guard'> },
  ) => Promise<void>;
}

/** Judges a reservation by the accounts as they are; they come in the order of their limits. */
export function judgeReservation(
  accounts: readonly AccountSpending[],
  limits: readonly AccountLimit[],
): SpendingAnswer {
  const reached = accounts.filter((account, index) => {
    const limit = limits[index]?.limitMicros ?? null;
    return limit !== null && account.spentMicros + account.reservedMicros >= limit;
  });
  const limitOf = ({ name }: AccountSpending) =>
    limits.find((limit) => limit.name === name)?.limitMicros ?? 0;
  const exhausted = reached.find((account) => account.spentMicros >= limitOf(account));
  if (exhausted !== undefined) return { kind: 'exhausted', account: exhausted };
  return reached[0] === undefined ? { kind: 'granted' } : { kind: 'wait', account: reached[0] };
}

/** Days after which an account that nobody uses is forgotten. */
export const keptDays = 400;
