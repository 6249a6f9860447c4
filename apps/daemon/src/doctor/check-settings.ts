import {
  findPriceGaps,
  hasLimit,
  type MaxCost,
  type PlanningSection,
  type RunSettings,
  readPlanningChoice,
  toRetentionDays,
} from '@agent/orchestrator/config';
import { listWebhookSettings, type WebhookSource } from '@agent/orchestrator/platforms';
import type { LlmConfig } from '@agent/runner/models';
import type { Environment } from '@agent/workspace';
import { findNamedProgram } from '@agent/workspace/sandbox';
import { pino } from 'pino';
import { type Reporting, reportOn } from './finding.ts';

interface PriceExamination {
  readonly model: Parameters<typeof findPriceGaps>[0];
  readonly prices: LlmConfig['prices'];
  readonly limits: MaxCost;
}

/** Reports models without a price, whose calls are not counted or limited, and prices of models that are not used. */
export function checkPrices({ texts, report }: Reporting, { model, prices, limits }: PriceExamination): void {
  const { unpriced, unused } = findPriceGaps(model, prices);
  const isLimited = hasLimit(limits);
  const isCounted = Object.keys(prices).length > 0;
  const area = reportOn('prices', report);
  if (unpriced.length > 0 && isLimited)
    area.failed(texts.limitWithoutPrice(unpriced.join(', ')), { fix: texts.fixPrice });
  else if (unpriced.length > 0 && isCounted)
    area.warning(texts.withoutPrice(unpriced.join(', ')), { fix: texts.fixPrice });
  else area.ok(isCounted ? texts.priced(isLimited) : texts.notCounted);
  if (unused.length > 0) area.warning(texts.priceUnused(unused.join(', ')), { fix: texts.fixPriceName });
}

interface PlanningSettings {
  readonly planning: PlanningSection;
  readonly environment: Environment;
}

/** Reports whether runs plan and pre-plan, what decided that, and which variables hold no valid value. */
export function checkPlanning(
  { texts, report }: Reporting,
  { planning, environment }: PlanningSettings,
): void {
  const useless: string[] = [];
  const write = (line: string): void => void useless.push(JSON.parse(line).variable);
  const logger = pino({ level: 'warn' }, { write });
  const choice = readPlanningChoice(planning, { environment, logger });
  const says = (name: string) => Boolean(environment[name]?.trim()) && !useless.includes(name);
  const decider = says('PLANNING_ENABLED') ? 'PLANNING_ENABLED' : 'planning.enabled';
  const itsOwn = planning.pre_planning.enabled === null ? decider : 'planning.pre_planning.enabled';
  const preDecider = says('PRE_PLANNING_ENABLED') ? 'PRE_PLANNING_ENABLED' : itsOwn;
  const area = reportOn('planning', report);
  area.ok(texts.planning(choice.planning !== null, decider));
  area.ok(texts.prePlanning(choice.prePlanning !== null, preDecider));
  for (const variable of useless) {
    area.warning(texts.variableUseless(variable), { fix: texts.fixVariable(variable) });
  }
}

interface AllowedPrograms {
  /** Setting `tools.run_command.allow`; null for the default programs. */
  readonly allow: readonly string[] | null;
  readonly environment: Environment;
}

/** Reports programs that runs may start and that are not on this machine. */
export async function checkPrograms(
  { texts, report }: Reporting,
  { allow, environment }: AllowedPrograms,
): Promise<void> {
  if (allow === null || allow.length === 0) return;
  const missing: string[] = [];
  for (const name of allow) {
    const found = await findNamedProgram(name, { path: environment.PATH, worktree: '/nonexistent' });
    if (found === null) missing.push(name);
  }
  const area = reportOn('allow', report);
  if (missing.length === 0) area.ok(texts.programsThere);
  else area.warning(texts.programsMissing(missing.join(', ')), { fix: texts.fixAllow });
}

/** Reports for how long data of ended runs is stored, as it follows from two settings. */
export function reportRetention(
  { texts, report }: Reporting,
  { settings }: { readonly settings: RunSettings },
): void {
  const { retention_days: own } = settings.context_storage;
  const setting = own === null ? 'context_inheritance.context_expiry_days' : 'context_storage.retention_days';
  reportOn('retention', report).ok(texts.retention(toRetentionDays(settings), setting));
}

/** Fewest characters of a secret that cannot be guessed. */
const minCharacters = 16;

interface WebhookExamination {
  readonly settings: WebhookSource & {
    readonly http: { readonly host: string; readonly port: number | null };
  };
  readonly environment: Environment;
}

/** Reports whether platforms can send webhooks. Without them the daemon polls, which is not a fault. */
export function checkWebhooks(
  { texts, report }: Reporting,
  { settings, environment }: WebhookExamination,
): void {
  const { port, host } = settings.http;
  const area = reportOn('webhooks', report);
  for (const { name, path, variable, secret } of listWebhookSettings(settings, environment)) {
    if (secret === null) area.ok(texts.webhooksOff(name, variable));
    else if (port === null)
      area.warning(texts.webhooksWithoutPort(name, variable), { fix: texts.fixWebhookPort });
    else if (secret.length < minCharacters)
      area.warning(texts.webhookSecretShort(variable), { fix: texts.fixWebhookSecret(minCharacters) });
    else area.ok(texts.webhooksOn(name, `${host}:${port}${path}`));
  }
}
