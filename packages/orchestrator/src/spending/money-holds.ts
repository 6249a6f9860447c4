import { toRepositoryName } from '@agent/platforms';
import { formatTime, type Locale } from '@agent/text';
import type { Hold } from '../queue/memory-task-queue.ts';
import { type QueueEntry, readTaskKey } from '../queue/task-queue.ts';
import type { Holds } from '../state/holds.ts';
import { nameHold } from '../state/name-hold.ts';
import { moneyTexts } from './money-texts.ts';
import type { Payer } from './payer.ts';
import type { MaxCost } from './spending-settings.ts';

/** Scope of a budget that a run shares with other tasks. */
export type SharedScope = 'day' | 'person' | 'repository';

/** A shared budget that is used up. */
export interface MoneyHold {
  readonly scope: SharedScope;
  /** Account in the ledger. */
  readonly account: string;
  readonly limitMicros: number;
  /** Day, login or repository. */
  readonly shown: string;
  /** The next midnight for a day; null for a budget that never resets. Milliseconds since 1970. */
  readonly until: number | null;
}

export interface MoneyHoldsOptions {
  readonly holds: Holds;
  readonly readLimits: () => MaxCost;
  readonly timeZone: string;
  readonly now: () => number;
}

interface Noted {
  readonly hold: MoneyHold;
  /** Of a repository: its host and path, as queue entries name it. */
  readonly place: string | null;
}

/** Pause before a budget without a reset is compared with its limit again. */
const comparedAgainMs = 60_000;

/** Remembers which shared budgets are used up, until they reset or their limit is another one. */
export class MoneyHolds {
  readonly #options: MoneyHoldsOptions;
  readonly #noted = new Map<string, Noted>();

  constructor(options: MoneyHoldsOptions) {
    this.#options = options;
  }

  /** Begins the hold of a shared account whose limit is reached. */
  note(
    {
      scope,
      name: account,
      limitMicros,
    }: { readonly scope: SharedScope; readonly name: string; readonly limitMicros: number },
    payer: Payer,
  ): MoneyHold {
    const { holds, now, timeZone } = this.#options;
    const until = scope === 'day' ? findMidnight(now(), timeZone) : null;
    const shown = {
      day: toDay(now(), timeZone),
      person: payer.person?.login ?? payer.thread.host,
      repository: payer.repository?.path ?? payer.thread.host,
    }[scope];
    const hold: MoneyHold = { scope, account, limitMicros, shown, until };
    const place = scope === 'repository' ? toPlace(payer.thread.host, shown) : null;
    this.#noted.set(account, { hold, place });
    holds.report({ cause: `money_${scope}`, scope: shown, until });
    return hold;
  }

  /** Finds why a task that has not begun does not start; null if it may. */
  holdBack({ kind, platform, ...entry }: QueueEntry): Hold | null {
    // What has begun waits by itself, so that commands still reach it.
    if (kind !== 'new' && kind !== 'retry') return null;
    this.refresh();
    const place = toPlace(platform, toRepositoryName(readTaskKey({ ...entry, platform })));
    const found = [...this.#noted.values()].find((one) => one.hold.scope === 'day' || one.place === place);
    if (found === undefined) return null;
    const { scope, shown, until } = found.hold;
    const waitMs = until === null ? comparedAgainMs : Math.max(1, until - this.#options.now());
    return { reason: nameHold({ cause: `money_${scope}`, scope: shown }), waitMs };
  }

  /** Ends the holds that have been reset, or whose limit is another one. */
  refresh(): void {
    const { holds, now, readLimits } = this.#options;
    const limits = readLimits();
    for (const [account, { hold }] of this.#noted) {
      const limit = limits[hold.scope];
      const isSame = limit !== null && Math.round(limit * 1_000_000) === hold.limitMicros;
      if (isSame && (hold.until === null || now() < hold.until)) continue;
      this.#noted.delete(account);
      holds.clear(`money_${hold.scope}`, hold.shown);
    }
  }
}

/** Describes for the thread why its run waits, when it continues and who can change that. */
export function describeMoneyHold(
  { scope, shown, until }: MoneyHold,
  {
    locale,
    timeZone,
    amount,
  }: { readonly locale: Locale; readonly timeZone: string; readonly amount: string },
): string {
  const at = until === null ? '' : formatTime(new Date(until), timeZone, { seconds: false });
  return moneyTexts[locale][scope]({ amount, shown, at });
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

const toPlace = (host: string, path: string): string => `${host} ${path.toLowerCase()}`;
