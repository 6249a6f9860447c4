import { formatMoney } from '@agent/orchestrator';
import { ConfigError } from '@agent/orchestrator/config';
import { readDayBudget, type SharedBudget } from '@agent/orchestrator/watch';
import type { RunStorage } from '@agent/run-store';
import { formatTime } from '@agent/text';
import { type LoadedSections, loadSections } from '../config/load-sections.ts';
import type { Sections } from '../config/schema.ts';
import { cleanLine } from '../text/terminal-text.ts';
import type { CommandIo } from './command-io.ts';
import type { CliTexts } from './texts.en.ts';

/** Sections that say what money is counted in, its limits, and the zone of its days. */
export const moneySections = ['llm', 'limits', 'time_zone'] as const;

type MoneySections = Sections<(typeof moneySections)[number]>;

/** Reads these sections for a command that can do without them. Null if one has a mistake, or nothing has a price. */
export async function loadMoney(
  config: string,
  { environment }: Pick<CommandIo, 'environment'>,
): Promise<MoneySections | null> {
  try {
    const loaded: LoadedSections<(typeof moneySections)[number]> = await loadSections(config, {
      names: moneySections,
      environment,
    });
    return Object.keys(loaded.config.llm.prices).length === 0 ? null : loaded.config;
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** Reads the budget of today. `now`: milliseconds since 1970. */
export function readToday(
  storage: Pick<RunStorage, 'accounts'>,
  { limits, time_zone: timeZone }: MoneySections,
  now: number,
): Promise<SharedBudget> {
  return readDayBudget(storage, { limits: limits.max_cost, timeZone, now });
}

/** Formats the budget of today in one line. */
export function formatToday(
  day: SharedBudget,
  { money, texts }: { readonly money: MoneySections; readonly texts: CliTexts },
): string {
  const { llm, time_zone: timeZone } = money;
  return formatSharedBudget(day, { texts: texts.budget, currency: llm.currency, timeZone });
}

interface FormatBudgetOptions {
  readonly texts: CliTexts['budget'];
  readonly currency: string;
  readonly timeZone: string;
}

/** Formats a budget in one line: its scope, what is spent, reserved and left, and when it resets. */
export function formatSharedBudget(
  { scope, name, resetsAt, ...money }: SharedBudget,
  { texts, currency, timeZone }: FormatBudgetOptions,
): string {
  const say = (micros: number) => formatMoney(micros, currency, { isExact: true });
  const { spentMicros, presumedMicros, reservedMicros, limitMicros, leftMicros } = money;
  const facts = [
    texts.sharedSpent(say(spentMicros), presumedMicros === 0 ? null : say(presumedMicros)),
    ...(reservedMicros === 0 ? [] : [texts.sharedReserved(say(reservedMicros))]),
    limitMicros === null ? texts.noLimit : texts.sharedLeft(say(leftMicros ?? 0), say(limitMicros)),
    resetsAt === null
      ? texts.neverResets
      : texts.resets(formatTime(new Date(resetsAt), timeZone, { seconds: false })),
  ];
  return cleanLine(`${texts.scopes[scope](name)}: ${facts.join(', ')}`);
}
