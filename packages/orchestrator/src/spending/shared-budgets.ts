import type { RunMetadata, RunReader, RunStorage } from '@agent/run-store';
import type { MaxCost } from '../config/spending-settings.ts';
import { parseFactsJson } from '../run/run-facts.ts';
import { findMidnight, type SharedScope, toDay } from './money-holds.ts';
import { nameAccounts, nameDayAccount, toPayerOf } from './payer.ts';

/** Money that tasks share, in millionths of the currency. */
export interface SharedBudget {
  readonly scope: SharedScope;
  /** Day, or login or repository with its host, such as `github.com/acme/shop`. Its account if no run of it is stored. */
  readonly name: string;
  readonly spentMicros: number;
  /** Part of `spentMicros` that is estimated for interrupted calls. */
  readonly presumedMicros: number;
  /** For calls in progress. */
  readonly reservedMicros: number;
  /** Null without a limit, as is `leftMicros`. */
  readonly limitMicros: number | null;
  /** What can still be spent or reserved. */
  readonly leftMicros: number | null;
  /** Milliseconds since 1970; null for a budget that never resets. */
  readonly resetsAt: number | null;
}

/** Limits of shared budgets, and the days that are counted. */
export interface SharedBudgetOptions {
  readonly limits: Readonly<Pick<MaxCost, SharedScope>>;
  /** IANA name. */
  readonly timeZone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Reads the budget of today; also before anything is spent from it. */
export async function readDayBudget(
  { accounts }: Pick<RunStorage, 'accounts'>,
  options: SharedBudgetOptions,
): Promise<SharedBudget> {
  const { timeZone, now, limits } = options;
  const day = toDay(now, timeZone);
  const [found = unused] = (await accounts?.list([nameDayAccount(day)])) ?? [];
  const resetsAt = findMidnight(now, timeZone);
  return toBudget(found, { scope: 'day', name: day, limit: limits.day, resetsAt });
}

/** Lists the budget of today, then those of persons and repositories that were used today or are used up, dearest first. */
export async function listSharedBudgets(
  storage: Pick<RunStorage, 'accounts'>,
  {
    reader,
    ...options
  }: SharedBudgetOptions & { readonly reader: Pick<RunReader<unknown>, 'readOverview' | 'readRun'> },
): Promise<readonly SharedBudget[]> {
  const { timeZone, now, limits } = options;
  const today = toDay(now, timeZone);
  const all = (await storage.accounts?.list()) ?? [];
  const isReached = (scope: SharedScope, micros: number) => micros >= (limits[scope] ?? Infinity) * 1_000_000;
  const used = (['person', 'repository'] as const).flatMap((scope) =>
    all
      .filter(({ name }) => name.startsWith(`${scope}:`))
      .filter(({ usedAt, spentMicros }) => toDay(usedAt, timeZone) === today || isReached(scope, spentMicros))
      .toSorted((one, other) => other.spentMicros - one.spentMicros)
      .map((account) => ({ scope, account })),
  );
  const names = await findNames(reader, new Set(used.map(({ account }) => account.name)));
  const shared = used.map(({ scope, account }) => {
    const name = names.get(account.name) ?? account.name.slice(scope.length + 1).replace(' ', '/');
    return toBudget(account, { scope, name, limit: limits[scope], resetsAt: null });
  });
  return [await readDayBudget(storage, options), ...shared];
}

/** Converts a budget for `--json`. Amounts are in millionths of the currency. */
export function toSharedBudgetJson(
  { scope, name, resetsAt, ...money }: SharedBudget,
  { currency }: { readonly currency: string },
): Readonly<Record<string, string | number | null>> {
  return {
    ...{ scope, name, currency },
    spent_micros: money.spentMicros,
    presumed_micros: money.presumedMicros,
    reserved_micros: money.reservedMicros,
    left_micros: money.leftMicros,
    limit_micros: money.limitMicros,
    resets_at: resetsAt === null ? null : new Date(resetsAt).toISOString(),
  };
}

const unused = { spentMicros: 0, presumedMicros: 0, reservedMicros: 0 };

function toBudget(
  { spentMicros, presumedMicros, reservedMicros }: typeof unused,
  { limit, ...about }: Pick<SharedBudget, 'scope' | 'name' | 'resetsAt'> & { readonly limit: number | null },
): SharedBudget {
  const limitMicros = limit === null ? null : Math.round(limit * 1_000_000);
  const leftMicros = limitMicros === null ? null : Math.max(0, limitMicros - spentMicros - reservedMicros);
  return { ...about, spentMicros, presumedMicros, reservedMicros, limitMicros, leftMicros };
}

/** Ended runs that are read to find names, the latest. */
const searchedRuns = 200;

/** Finds the names behind accounts in the records of runs: an account has only the platform's number of a person or a repository. */
async function findNames(
  reader: Pick<RunReader<unknown>, 'readOverview' | 'readRun'>,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (wanted.size === 0) return names;
  const { running, pausing, paused, recent } = await reader.readOverview({ recent: searchedRuns });
  const take = (metadata: RunMetadata): void => {
    for (const [account, name] of listNames(metadata))
      if (wanted.has(account) && !names.has(account)) names.set(account, name);
  };
  for (const { metadata } of [...running, ...pausing, ...paused]) take(metadata);
  for (const { uuid } of recent) {
    if (names.size === wanted.size) break;
    // The name of a budget is not worth a failure: its account is shown instead.
    await reader.readRun(uuid).then(
      ({ metadata }) => take(metadata),
      () => {},
    );
  }
  return names;
}

function listNames({ uuid, host, taskKeyText, extra }: RunMetadata): readonly (readonly [string, string])[] {
  try {
    const payer = toPayerOf({ uuid, facts: parseFactsJson(extra), thread: { host, taskKeyText } });
    const { person, repository } = nameAccounts(payer, '');
    return [
      ...(person !== null && payer.person !== null
        ? [[person, `${host}/${payer.person.login}`] as const]
        : []),
      ...(repository !== null && payer.repository !== null
        ? [[repository, `${host}/${payer.repository.path}`] as const]
        : []),
    ];
  } catch {
    return [];
  }
}
