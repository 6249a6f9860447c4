import { randomUUID } from 'node:crypto';
import type { Ownership, RunStorage } from '@agent/run-store';
import { overBudget, type SpendingGauge } from '@agent/runner';
import type { CallSpending } from '@agent/runner/models';
import type { Locale } from '@agent/text';
import { checkLimits } from '../config/check-limits.ts';
import type { LiveSettings, WorkSettings } from '../config/live-settings.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { MaxCost } from '../config/spending-settings.ts';
import type { Clock, Environment, RunLogger } from '../host/ports.ts';
import type { Holds } from '../state/holds.ts';
import { type Budgets, createBudgets } from './budgets.ts';
import { formatMoney } from './format-money.ts';
import { describeMoneyHold, type MoneyHold, MoneyHolds, type SharedScope, toDay } from './money-holds.ts';
import { nameAccounts, nameDayAccount, nameRunAccount, type Payer, type SpendingScope } from './payer.ts';

/** Parts that the spending of all runs shares. */
export interface SpendingServices {
  readonly ledger: ReturnType<RunStorage['openSpending']>;
  readonly budgets: Budgets;
  /** Read before each call: they may change while runs are at work. */
  readonly limits: MaxCost;
  readonly currency: string;
  /** Zone whose days are counted: an IANA name. */
  readonly timeZone: string;
  /** Remembers which shared budgets are used up. Default none: then every limit ends a run. */
  readonly money?: MoneyHolds | undefined;
  /** True for a process that exits when nothing is left to do. Default false. */
  readonly once?: boolean | undefined;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly shutdown: AbortSignal;
}

/** Spending of one run. */
export interface RunSpending {
  readonly calls: CallSpending;
  readonly gauge: SpendingGauge;
  readonly read: () => Promise<SpentByRun>;
  /** Describes the shared budget that the last call was refused for; null if none was. */
  readonly budgetHold: () => string | null;
  /** Reads which shared budget of the run is used up; null if none is. `waitMs`: pause before it is read again, an hour at most. */
  readonly findHold: () => Promise<(MoneyHold & { readonly text: string; readonly waitMs: number }) | null>;
}

/** Cost of a run so far, in millionths. */
export interface SpentByRun {
  readonly micros: number;
  /** Part of it that is presumed. */
  readonly presumedMicros: number;
  /** Reserved beside it: for a call under way, or by an earlier process of the run, which is not known to be gone yet. */
  readonly reservedMicros: number;
}

/** Options of `openRunSpending`. */
export interface RunSpendingOptions {
  readonly payer: Payer;
  /** Language of what people read when a limit is reached. */
  readonly locale: Locale;
  /** Names a reservation. Default a random UUID. */
  readonly drawId?: (() => string) | undefined;
}

/** Milliseconds between two tries of a call that waits for others to be settled. */
const waitMs = 1_000;
const longestWaitMs = 3_600_000;

/**
 * Opens what the calls of a run are paid from. Limits are read before each call, so that one that is raised counts at once.
 *
 * @see docs/decisions/0063-money-is-reserved-before-it-is-spent.md
 */
export function openRunSpending(
  services: SpendingServices,
  { payer, locale, drawId = randomUUID }: RunSpendingOptions,
): RunSpending {
  const { ledger, shutdown, sleep, money, timeZone, currency, once, now } = services;
  let refusedFor: string | null = null;
  const noteHold = (account: LimitedAccount, at: number) => {
    const { scope, name, limitMicros } = account;
    if (money === undefined || limitMicros === null || !isShared(scope)) return null;
    const hold = money.note({ scope, name, limitMicros, at }, payer);
    const amount = formatMoney(limitMicros, currency);
    return { ...hold, text: describeMoneyHold(hold, { locale, timeZone, amount, once }) };
  };
  return {
    calls: {
      reserve: async (micros, { signal }) => {
        const id = drawId();
        const signals = signal === undefined ? shutdown : AbortSignal.any([signal, shutdown]);
        for (;;) {
          const at = now();
          const accounts = await listAccounts(services, payer, at);
          const answer = await ledger.reserve({ id, micros, accounts });
          refusedFor = null;
          if (answer.kind === 'granted') return (cost) => ledger.settle(id, cost);
          if (answer.kind === 'exhausted') {
            const account = accounts.find(({ name }) => name === answer.account.name);
            refusedFor = account === undefined ? null : (noteHold(account, at)?.text ?? null);
            throw overBudget(describeLimit(account, { ...services, locale }));
          }
          await sleep(waitMs, signals);
          signals.throwIfAborted();
        }
      },
    },
    gauge: { read: (call) => readGauge(services, payer, call) },
    budgetHold: () => refusedFor,
    findHold: async () => {
      if (money === undefined) return null;
      money.refresh();
      money.release(payer.uuid);
      const at = now();
      const shared = (await listAccounts(services, payer, at)).filter(
        ({ scope, limitMicros }) => limitMicros !== null && isShared(scope),
      );
      const states = await ledger.read(shared.map(({ name }) => name));
      const used = shared.find(
        ({ limitMicros }, index) => (states[index]?.spentMicros ?? 0) >= (limitMicros ?? 0),
      );
      const hold = used === undefined ? null : noteHold(used, at);
      return hold && { ...hold, waitMs: Math.min(longestWaitMs, Math.max(1, (hold.until ?? Infinity) - at)) };
    },
    read: async () => {
      const [account] = await ledger.read([nameRunAccount(payer.uuid)]);
      const { spentMicros: micros = 0, presumedMicros = 0, reservedMicros = 0 } = account ?? {};
      return { micros, presumedMicros, reservedMicros };
    },
  };
}

/**
 * Cost of a run that has ended. No call of it is under way any more: what is still reserved was left open by a process that is gone,
 * and may have been billed.
 */
export function toFinalCost(spent: SpentByRun | null): Omit<SpentByRun, 'reservedMicros'> | null {
  if (spent === null) return null;
  const { micros, presumedMicros, reservedMicros } = spent;
  return { micros: micros + reservedMicros, presumedMicros: presumedMicros + reservedMicros };
}

interface LimitedAccount {
  readonly scope: SpendingScope;
  readonly name: string;
  readonly limitMicros: number | null;
}

/** All of them are kept, so that a limit which is set later knows what was spent before. */
async function listAccounts(
  { limits, budgets, timeZone }: Pick<SpendingServices, 'limits' | 'budgets' | 'timeZone'>,
  payer: Payer,
  at: number,
): Promise<readonly LimitedAccount[]> {
  const budget = await budgets.read(payer.thread);
  const day = toDay(at, timeZone);
  return Object.entries(nameAccounts(payer, day)).flatMap(([key, name]) => {
    const scope = key as SpendingScope;
    return name === null ? [] : [{ scope, name, limitMicros: toLimit(scope, { limits, budget }) }];
  });
}

function isShared(scope: SpendingScope): scope is SharedScope {
  return scope === 'day' || scope === 'person' || scope === 'repository';
}

function toLimit(
  scope: SpendingScope,
  { limits, budget }: { readonly limits: MaxCost; readonly budget: number | null },
): number | null {
  if (budget !== null && scope === 'run') return null;
  if (budget !== null && scope === 'thread') return budget;
  return toMicros(limits[scope]);
}

/** An amount of the configuration in millionths. */
function toMicros(amount: number | null): number | null {
  return amount === null ? null : Math.round(amount * 1_000_000);
}

async function readGauge(
  services: SpendingServices,
  payer: Payer,
  { signal }: Parameters<SpendingGauge['read']>[0],
) {
  const accounts = await listAccounts(services, payer, services.now());
  const limited = accounts.flatMap((one) =>
    one.limitMicros === null ? [] : [{ ...one, limitMicros: one.limitMicros }],
  );
  if (limited.length === 0) return null;
  const states = await services.ledger.read(limited.map(({ name }) => name));
  signal?.throwIfAborted();
  const uses = limited.map(({ limitMicros }, index) => ({
    spent: states[index]?.spentMicros ?? 0,
    limit: limitMicros,
  }));
  return uses.toSorted((one, other) => other.spent / other.limit - one.spent / one.limit)[0] ?? null;
}

/** Spending limits of runs in words, by their scope. */
const limitTexts: Readonly<Record<Locale, Readonly<Record<SpendingScope, (amount: string) => string>>>> = {
  en: {
    run: (amount) => `${amount} for this run`,
    thread: (amount) => `${amount} for this issue or pull request`,
    person: (amount) => `${amount} for the user who started the task`,
    repository: (amount) => `${amount} for this repository`,
    day: (amount) => `${amount} per day`,
  },
  ja: {
    run: (amount) => `この実行につき${amount}`,
    thread: (amount) => `この Issue またはプルリクエストにつき${amount}`,
    person: (amount) => `タスクを開始した人につき${amount}`,
    repository: (amount) => `このリポジトリにつき${amount}`,
    day: (amount) => `1日につき${amount}`,
  },
};

function describeLimit(
  account: LimitedAccount | undefined,
  { locale, currency }: { readonly locale: Locale; readonly currency: string },
): string {
  const { scope = 'run', limitMicros = 0 } = account ?? {};
  return limitTexts[locale][scope](formatMoney(limitMicros ?? 0, currency));
}

export interface OpenSpendingOptions {
  readonly storage: Pick<RunStorage, 'openSpending' | 'notes'>;
  readonly owner: Ownership;
  readonly settings: RunSettings;
  readonly environment: Environment;
  readonly live: LiveSettings<WorkSettings>;
  /** Receives the budgets that are used up. */
  readonly holds: Holds;
  readonly once: boolean;
  readonly shutdown: AbortSignal;
}

/** Null where no price is known: then nothing costs anything. */
export function openSpending(
  { storage, owner, settings, environment, live, holds, once, shutdown }: OpenSpendingOptions,
  { now, sleep }: Clock,
): SpendingServices | null {
  const { llm, time_zone: timeZone } = settings;
  checkLimits(live.current().limits, { llm, executor: null, environment });
  if (Object.keys(llm.prices).length === 0) return null;
  const readLimits = () => live.current().limits.max_cost;
  return {
    ledger: storage.openSpending({ owner }),
    money: new MoneyHolds({ holds, readLimits, timeZone, now }),
    budgets: createBudgets(storage.notes),
    get limits() {
      return readLimits();
    },
    currency: llm.currency,
    ...{ timeZone, once, now, sleep, shutdown },
  };
}

/** Begins the hold of the day if its budget is used up already. To be called before the first task begins. Never rejects. */
export async function noteUsedUpDay(
  spending: SpendingServices | null,
  logger: Pick<RunLogger, 'warn'>,
): Promise<void> {
  const limitMicros = toMicros(spending?.limits.day ?? null);
  if (spending?.money === undefined || limitMicros === null) return;
  const { ledger, money, timeZone } = spending;
  const at = spending.now();
  try {
    const [account] = await ledger.read([nameDayAccount(toDay(at, timeZone))]);
    if ((account?.spentMicros ?? 0) >= limitMicros) money.noteDay({ limitMicros, at });
  } catch (err) {
    logger.warn({ err }, 'failed to read budget of the day');
  }
}
