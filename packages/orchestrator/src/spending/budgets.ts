import type { RunStorage, StorageNotes } from '@agent/run-store';
import { z } from 'zod';
import type { MaxCost } from '../config/spending-settings.ts';
import { noteIn, type RecordedThread } from '../triggers/handover-records.ts';
import { nameRunAccount, nameThreadAccount } from './payer.ts';

/** Money that people allow a thread, its runs together, in the place of the configured limits of a run and a thread. */
export interface Budgets {
  /** In millionths of the currency; null where nobody has set one. */
  readonly read: (thread: RecordedThread) => Promise<number | null>;
  /** Null takes it back. */
  readonly write: (thread: RecordedThread, micros: number | null) => Promise<void>;
}

const schema = z.object({ micros: z.number().int().min(0) }).nullable();

/** Keeps each in a note. */
export function createBudgets(notes: Pick<StorageNotes, 'read' | 'write'>): Budgets {
  const nameOf = noteIn('budgets');
  return {
    read: async (thread) => schema.parse(await notes.read(nameOf(thread)))?.micros ?? null,
    write: (thread, micros) => notes.write(nameOf(thread), micros === null ? null : { micros }),
  };
}

/** Money of a thread, all its runs together, in millionths. */
export interface ThreadMoney {
  readonly spentMicros: number;
  /** Part of it that stands for calls whose cost nobody could say. */
  readonly presumedMicros: number;
  /** Reserved for calls under way. */
  readonly reservedMicros: number;
  /** As `Budgets` has it. */
  readonly budgetMicros: number | null;
}

/** Reads what a thread has cost and may cost; for any process. */
export async function readThreadMoney(
  { notes, accounts }: Pick<RunStorage, 'notes' | 'accounts'>,
  thread: RecordedThread,
): Promise<ThreadMoney> {
  const [found = unused] = (await accounts?.list([nameThreadAccount(thread)])) ?? [];
  const { spentMicros, presumedMicros, reservedMicros } = found;
  return {
    ...{ spentMicros, presumedMicros, reservedMicros },
    budgetMicros: await createBudgets(notes).read(thread),
  };
}

/** Converts it for `--json`. Amounts are in millionths of the currency. */
export function toThreadMoneyJson(
  task: string,
  { money, currency }: { readonly money: ThreadMoney; readonly currency: string },
) {
  return {
    ...{ task, currency },
    spent_micros: money.spentMicros,
    presumed_micros: money.presumedMicros,
    reserved_micros: money.reservedMicros,
    budget_micros: money.budgetMicros,
  };
}

/**
 * Reads from the ledger what all calls of runs have cost, in millionths of the currency, by uuid. A run without an entry has made no call that is
 * paid, or ended so long ago that the ledger has forgotten it.
 */
export async function readRunCosts(
  accounts: RunStorage['accounts'] | null,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const names = new Map(uuids.map((uuid) => [nameRunAccount(uuid), uuid]));
  const found = accounts == null || names.size === 0 ? [] : await accounts.list([...names.keys()]);
  return new Map(found.map(({ name, spentMicros }) => [names.get(name) ?? name, spentMicros]));
}

const unused = { spentMicros: 0, presumedMicros: 0, reservedMicros: 0 };

/** Signs and words of currencies, beside their names. */
const units: Readonly<Record<string, readonly string[]>> = {
  usd: ['$', 'us$', 'dollar', 'dollars', 'ドル', '米ドル'],
  eur: ['€', 'euro', 'euros', 'ユーロ'],
  gbp: ['£', 'pound', 'pounds', 'ポンド'],
  jpy: ['¥', 'yen', '円'],
};

/**
 * The amount behind `/budget`, in millionths: `5`, `0.50`, `5,50`, `$5`, `5 USD`, `5ドル`, `５`. Null for what is none, what could be meant in
 * two ways (`1,000`, `5k`), and what names another currency.
 */
export function parseBudget(argument: string, currency: string): number | null {
  const plain = argument.normalize('NFKC').trim().toLowerCase();
  const found = /^(\D{0,12})(\d{1,7}(?:\.\d{1,6}|,\d{1,2})?)(\D{0,12})$/u.exec(plain);
  if (found === null) return null;
  const [, before = '', number = '', after = ''] = found;
  const name = currency.toLowerCase();
  const known = ['', name, ...(units[name] ?? [])];
  const unit = after.replace(/[.!。]$/u, '').trim();
  if (!known.includes(before.trim()) || !known.includes(unit)) return null;
  return Math.round(Number(number.replace(',', '.')) * 1_000_000);
}

/** Makes what `/budget` does on a thread; nothing where nothing costs anything. More than may be allowed by a command is not allowed. */
export function toAllowBudget(
  spending: {
    readonly budgets: Budgets;
    readonly limits: Pick<MaxCost, 'by_command'>;
    readonly currency: string;
  } | null,
  thread: RecordedThread,
): ((argument: string) => Promise<boolean>) | undefined {
  if (spending === null) return undefined;
  const { budgets, currency } = spending;
  return async (argument) => {
    const micros = parseBudget(argument, currency);
    const { by_command: allowed } = spending.limits;
    const most = allowed === null ? Number.POSITIVE_INFINITY : allowed * 1_000_000;
    if (micros === null || micros > most) return false;
    await budgets.write(thread, micros);
    return true;
  };
}
