import {
  createBudgets,
  formatMoney,
  parseBudget,
  readThreadMoney,
  type ThreadMoney,
} from '@agent/orchestrator';
import { listSharedBudgets, toSharedBudgetJson, toThreadMoneyJson } from '@agent/orchestrator/watch';
import { cleanLine } from '../../text/terminal-text.ts';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { findThread } from '../find-thread.ts';
import { formatMembers, openDirectory } from '../open-directory.ts';
import { formatSharedBudget, moneySections } from '../shared-budgets.ts';
import type { CliTexts } from '../texts.en.ts';

/** Options and arguments of the command line. */
export interface BudgetFlags {
  readonly config: string;
  /** As `history` takes it. Default: the budgets that tasks share are shown. */
  readonly task?: string | undefined;
  readonly json?: boolean | undefined;
  /** Amount that the thread may cost, as behind `/budget`. */
  readonly set?: string | undefined;
  /** True to take back what was set. */
  readonly clear?: boolean | undefined;
}

/**
 * `agent-daemon budget`: shows the budgets that tasks share, or what a thread has cost and may cost, and sets that, beside daemons and without
 * one. The operator's word is not bounded by `limits.max_cost.by_command`; what runs at work may cost is read before each call.
 *
 * @throws CommandError for an unknown thread, what is no amount, and where nothing has a price
 */
export async function budgetCommand(
  { config, task, json = false, set, clear = false }: BudgetFlags,
  io: CommandIo,
): Promise<number> {
  const directory = await openDirectory({ config, needs: ['platforms', ...moneySections] }, io);
  const { storage, texts } = directory;
  const { llm, limits, time_zone: timeZone } = directory.loaded.config;
  if (Object.keys(llm.prices).length === 0) throw new CommandError(texts.budget.noPrices);
  if (clear && set !== undefined) throw new CommandError(texts.budget.setOrClear);
  const micros = set === undefined ? null : parseBudget(set, llm.currency);
  if (set !== undefined && micros === null) throw new CommandError(texts.budget.noAmount(cleanLine(set)));
  if (task === undefined) {
    if (clear || micros !== null) throw new CommandError(texts.budget.taskNeeded);
    const { reader, redact } = directory;
    const about = { reader, limits: limits.max_cost, timeZone, now: io.now() };
    const budgets = await listSharedBudgets(storage, about);
    const { currency } = llm;
    const shown = json
      ? JSON.stringify({ budgets: budgets.map((one) => toSharedBudgetJson(one, { currency })) }, null, 2)
      : budgets.map((one) => formatSharedBudget(one, { texts: texts.budget, currency, timeZone })).join('\n');
    io.print(redact(shown));
    return 0;
  }
  const thread = await findThread(directory, task);
  if (clear || micros !== null) {
    const act = () => createBudgets(storage.notes).write(thread, micros);
    const action = clear ? 'budget-clear' : 'budget';
    await auditAct(directory, { action, target: thread.name }, { io, act });
  }
  const money = await readThreadMoney(storage, thread);
  if (json) {
    io.print(JSON.stringify(toThreadMoneyJson(thread.name, { money, currency: llm.currency }), null, 2));
    return 0;
  }
  const says = { name: cleanLine(thread.name), money, limits: limits.max_cost, currency: llm.currency };
  io.print(formatBudget(says, texts.budget));
  if (clear || micros !== null) io.print(formatMembers(await storage.members.list(), { texts }));
  return 0;
}

interface ShownBudget {
  readonly name: string;
  readonly money: ThreadMoney;
  /** As configured, in the currency; null for none. */
  readonly limits: Readonly<Record<'run' | 'thread', number | null>>;
  readonly currency: string;
}

function formatBudget({ name, money, limits, currency }: ShownBudget, texts: CliTexts['budget']): string {
  const { spentMicros, presumedMicros, reservedMicros, budgetMicros } = money;
  const say = (micros: number) => formatMoney(micros, currency);
  const configured = (['run', 'thread'] as const).flatMap((scope) => {
    const limit = limits[scope];
    return limit === null ? [] : [texts.configured[scope](say(limit * 1_000_000))];
  });
  const isReached = budgetMicros !== null && spentMicros >= budgetMicros;
  return [
    texts.spent(name, say(spentMicros)),
    ...(presumedMicros > 0 ? [texts.presumed(say(presumedMicros))] : []),
    ...(reservedMicros > 0 ? [texts.reserved(say(reservedMicros))] : []),
    ...(budgetMicros === null ? configured : [texts.allowed(say(budgetMicros))]),
    ...(budgetMicros === null && configured.length === 0 ? [texts.unlimited] : []),
    ...(isReached ? [texts.reached] : []),
    ...(isReached || budgetMicros === null ? [] : [texts.retryHint(name)]),
  ].join('\n');
}
