import { readPrePlanningConfig } from '@agent/orchestrator';
import type { Environment } from '@agent/workspace';
import { pino } from 'pino';
import { listWebhookSettings, type WebhookSource } from '../http/webhook-settings.ts';
import { type Reporting, reportOn } from './finding.ts';

interface PlanningSettings {
  readonly planning: Parameters<typeof readPrePlanningConfig>[0];
  readonly environment: Environment;
}

/** Reports whether runs pre-plan before their first step, what decided that, and which variables hold no valid value. */
export function checkPlanning(
  { texts, report }: Reporting,
  { planning, environment }: PlanningSettings,
): void {
  const area = reportOn('pre-planning', report);
  const useless: string[] = [];
  const write = (line: string): void => void useless.push(JSON.parse(line).variable);
  const logger = pino({ level: 'warn' }, { write });
  const on = readPrePlanningConfig(planning, { environment, logger }) !== null;
  const heeded = useless.includes('PRE_PLANNING_ENABLED') ? {} : environment;
  area.ok(texts.prePlanning(on, findDecider({ planning, environment: heeded })));
  for (const variable of useless) {
    area.warning(texts.variableUseless(variable), { fix: texts.fixVariable(variable) });
  }
}

/** Key or variable that switches pre-planning on or off; null where nothing is said of it. */
function findDecider({ planning, environment }: PlanningSettings): string | null {
  if (planning?.enabled === false) return 'planning.enabled';
  if (environment.PRE_PLANNING_ENABLED?.trim()) return 'PRE_PLANNING_ENABLED';
  if (planning === null) return null;
  return planning.pre_planning.enabled ? 'planning' : 'planning.pre_planning.enabled';
}

/** A secret that is guessed in no time protects nothing. */
const minCharacters = 16;

interface WebhookExamination {
  readonly settings: WebhookSource & {
    readonly http: { readonly host: string; readonly port: number | null };
  };
  readonly environment: Environment;
}

/** Reports whether platforms can tell the daemon what happens; without it, it polls, which is well too. */
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
