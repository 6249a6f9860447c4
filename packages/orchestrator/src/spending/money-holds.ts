import { parseTaskKey, toRepositoryName } from '@agent/platforms';
import { formatTime, type Locale } from '@agent/text';
import type { MaxCost } from '../config/spending-settings.ts';
import type { Holds } from '../state/holds.ts';
import { nameDayAccount, type Payer } from './payer.ts';

/** Scope of a budget that a run shares with other tasks. */
export type SharedScope = 'day' | 'person' | 'repository';

/** A shared budget that is used up. */
export interface MoneyHold {
  readonly scope: SharedScope;
  /** Account in the ledger. */
  readonly account: string;
  readonly limitMicros: number;
  /** Day, or login or repository with its host, such as `github.com/acme/shop`. */
  readonly shown: string;
  /** Login or repository without its host, as a comment on its platform names it; the day. */
  readonly name: string;
  /** The next midnight for a day; null for a budget that never resets. Milliseconds since 1970. */
  readonly until: number | null;
}

export interface MoneyHoldsOptions {
  readonly holds: Holds;
  readonly readLimits: () => MaxCost;
  readonly timeZone: string;
  readonly now: () => number;
}

/** A shared account whose limit is reached. */
export interface UsedUpAccount {
  readonly scope: SharedScope;
  readonly name: string;
  readonly limitMicros: number;
  /** Time for which the account was named, in milliseconds since 1970. */
  readonly at: number;
}

interface Noted {
  readonly hold: MoneyHold;
  /** Of a repository: its host and name, as queue entries name it. */
  readonly place: string | null;
}

/** Remembers which shared budgets are used up, until they reset or their limit is another one. */
export class MoneyHolds {
  readonly #options: MoneyHoldsOptions;
  readonly #noted = new Map<string, Noted>();
  /** Account that each run waits for. */
  readonly #waiting = new Map<string, string>();

  constructor(options: MoneyHoldsOptions) {
    this.#options = options;
  }

  /** Begins the hold of the day, whose account no run has to be refused for. */
  noteDay({ limitMicros, at }: Pick<UsedUpAccount, 'limitMicros' | 'at'>): void {
    const { holds, timeZone } = this.#options;
    const day = toDay(at, timeZone);
    const account = nameDayAccount(day);
    const until = findMidnight(at, timeZone);
    const hold = { scope: 'day', account, limitMicros, shown: day, name: day, until } as const;
    this.#noted.set(account, { hold, place: null });
    holds.report({ cause: 'money_day', scope: day, until });
  }

  /** Begins the hold of an account, unless it has been reset already. */
  note({ scope, name: account, limitMicros, at }: UsedUpAccount, payer: Payer): MoneyHold {
    const { holds, now, timeZone } = this.#options;
    const { host, taskKeyText } = payer.thread;
    const until = scope === 'day' ? findMidnight(at, timeZone) : null;
    const day = toDay(at, timeZone);
    const owner = (scope === 'person' ? payer.person?.login : payer.repository?.path) ?? null;
    const name = scope === 'day' ? day : (owner ?? host);
    const shown = scope === 'day' || owner === null ? name : `${host}/${owner}`;
    const hold: MoneyHold = { scope, account, limitMicros, shown, name, until };
    if (until !== null && until <= now()) return hold;
    this.#waiting.set(payer.uuid, account);
    const before = this.#noted.get(account)?.hold.shown ?? shown;
    // A renamed repository or person has one hold.
    if (before !== shown) holds.clear(`money_${scope}`, before);
    const repository = scope === 'repository' ? toRepositoryName(parseTaskKey(taskKeyText)) : null;
    this.#noted.set(account, { hold, place: repository === null ? null : toPlace(host, repository) });
    holds.report({ cause: `money_${scope}`, scope: shown, until });
    return hold;
  }

  /** Forgets that a run waits. */
  release(uuid: string): void {
    this.#waiting.delete(uuid);
  }

  /** Lists the runs that waited for a budget whose hold has ended. */
  listFreed(): readonly string[] {
    this.refresh();
    return [...this.#waiting].flatMap(([uuid, account]) => (this.#noted.has(account) ? [] : [uuid]));
  }

  /** Finds the budget for which no task of this repository starts; null if no such budget exists. The budget of a person applies once a task has begun. */
  findFor({ host, repository }: { readonly host: string; readonly repository: string }): MoneyHold | null {
    this.refresh();
    const place = toPlace(host, repository);
    const noted = [...this.#noted.values()];
    return noted.find((one) => one.hold.scope === 'day' || one.place === place)?.hold ?? null;
  }

  /** Ends the holds that have been reset, or whose limit is another one. */
  refresh(): void {
    const { holds, now, readLimits, timeZone } = this.#options;
    const limits = readLimits();
    const today = toDay(now(), timeZone);
    for (const [account, { hold }] of this.#noted) {
      const limit = limits[hold.scope];
      const isSame = limit !== null && Math.round(limit * 1_000_000) === hold.limitMicros;
      if (isSame && (hold.scope !== 'day' || hold.shown === today)) continue;
      this.#noted.delete(account);
      holds.clear(`money_${hold.scope}`, hold.shown);
    }
  }
}

/** Describes for the thread why its run waits, when it continues and who can change that. */
export function describeMoneyHold(
  { scope, name, until }: MoneyHold,
  {
    locale,
    timeZone,
    amount,
    once = false,
  }: {
    readonly locale: Locale;
    readonly timeZone: string;
    readonly amount: string;
    /** True for a process that exits before the budget resets. Default false. */
    readonly once?: boolean | undefined;
  },
): string {
  const at = until === null ? '' : formatTime(new Date(until), timeZone, { seconds: false });
  return moneyTexts[locale][scope]({ amount, name, at, once });
}

/** A day as `2026-11-30`. */
export function toDay(at: number, timeZone: string): string {
  return formatTime(new Date(at), timeZone).slice(0, 10);
}

const longestDayMs = 50 * 3_600_000;

/** Finds the first millisecond of the next day in a zone. */
export function findMidnight(now: number, timeZone: string): number {
  const today = toDay(now, timeZone);
  let [before, after] = [now, now + longestDayMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toDay(middle, timeZone) === today) before = middle;
    else after = middle;
  }
  return after;
}

const toPlace = (host: string, repository: string): string => `${host} ${repository}`;

interface UsedUp {
  readonly amount: string;
  /** Login or repository. */
  readonly name: string;
  /** Time of the reset; empty without a reset. */
  readonly at: string;
  readonly once: boolean;
}

const en = {
  day: ({ amount, at, once }: UsedUp) =>
    `⏳ The daily budget of ${amount} for all tasks is used up, so this task is waiting. ${once ? `It can continue from ${at}, at the next start of the agent.` : `I'll continue automatically at ${at}.`} \`/budget\` can't change a daily limit. An operator can raise \`limits.max_cost.day\`.`,
  person: ({ amount, name }: UsedUp) =>
    `⏳ The budget of ${amount} for tasks that ${name} started is used up, so this task is waiting. This budget does not reset: I'll continue when an operator raises \`limits.max_cost.person\`. \`/budget\` only changes the limits of one issue and its runs.`,
  repository: ({ amount, name }: UsedUp) =>
    `⏳ The budget of ${amount} for ${name} is used up, so this task is waiting. This budget does not reset: I'll continue when an operator raises \`limits.max_cost.repository\`. \`/budget\` only changes the limits of one issue and its runs.`,
};

const ja: typeof en = {
  day: ({ amount, at, once }) =>
    `⏳ すべてのタスクの1日の予算（${amount}）を使い切ったため、このタスクは待機しています。${once ? `${at} 以降、次にエージェントを起動したときに続けます。` : `${at} に自動的に続けます。`}1日の上限は \`/budget\` では変更できません。管理者が \`limits.max_cost.day\` を引き上げることができます。`,
  person: ({ amount, name }) =>
    `⏳ ${name} さんが開始したタスクの予算（${amount}）を使い切ったため、このタスクは待機しています。この予算は自動的にはリセットされません。管理者が \`limits.max_cost.person\` を引き上げると続けます。\`/budget\` で変更できるのは、1つの Issue とその実行の上限だけです。`,
  repository: ({ amount, name }) =>
    `⏳ ${name} の予算（${amount}）を使い切ったため、このタスクは待機しています。この予算は自動的にはリセットされません。管理者が \`limits.max_cost.repository\` を引き上げると続けます。\`/budget\` で変更できるのは、1つの Issue とその実行の上限だけです。`,
};

/** Comments on a thread whose run waits for a budget, by the scope of the budget. */
const moneyTexts: Readonly<Record<Locale, typeof en>> = { en, ja };
