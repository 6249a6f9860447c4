import { type PlanningSection, readPlanningChoice } from '@agent/orchestrator/config';
import { classifyModelError } from '@agent/runner';
import { createModel, type LlmConfig, type ModelEndpoint, type ModelSource } from '@agent/runner/models';
import type { Environment } from '@agent/workspace';
import type { LanguageModel } from 'ai';
import { pino } from 'pino';
import { z } from 'zod';
import { listWebhookSettings, type WebhookSource } from '../http/webhook-settings.ts';
import { type AreaReport, ask, type DoctorTools, type Reporting, reportOn } from './finding.ts';
import type { DoctorTexts } from './texts.en.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const maxListed = 8;
const listTimeoutMs = 15_000;
const maxCallMs = 120_000;

export interface ModelExamination extends ModelSource {
  readonly llm: LlmConfig;
  /** True to call the model once, for a few dozen tokens. */
  readonly callModel: boolean;
}

/** Checks that the model's endpoint is there, knows the model, answers, and calls tools. */
export async function checkModel(tools: DoctorTools, settings: ModelExamination): Promise<void> {
  const { texts } = tools;
  const report = reportOn('model', tools.report);
  const { llm, callModel, ...source } = settings;
  try {
    const { model, description, endpoint } = await createModel(llm, source);
    if (endpoint === null) report.ok(texts.modelModule(description.model));
    else if (!(await checkList(tools, { report, endpoint, model: description.model }))) return;
    if (callModel)
      await callOnce(tools, {
        report,
        model,
        name: description.model,
        timeoutSeconds: llm.step_timeout_seconds,
      });
    else report.warning(texts.modelNotCalled, { fix: texts.fixModelNotCalled });
  } catch (error) {
    report.failed((error as Error).message, { fix: texts.fixModelSettings });
  }
}

/** False when calling the model would only say the same again. */
async function checkList(
  tools: DoctorTools,
  at: { readonly report: AreaReport; readonly endpoint: ModelEndpoint; readonly model: string },
): Promise<boolean> {
  const { texts, fetch, signal } = tools;
  const { report, endpoint, model } = at;
  const { baseUrl, secret } = endpoint;
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/models`;
  const answer = await ask({ url, headers }, { fetch, signal, timeoutMs: listTimeoutMs }).catch(
    (error: Error) => error,
  );
  if (answer instanceof Error) {
    report.failed(texts.modelUnreachable(baseUrl, answer.message), { fix: toFix(answer, texts) });
    return false;
  }
  if (answer.status === 401 || answer.status === 403) {
    report.failed(texts.modelRefusedKey(baseUrl, answer.status), { fix: texts.fixKey });
    return false;
  }
  const list = listSchema.safeParse(answer.json);
  if (answer.status !== 200 || !list.success) {
    report.warning(texts.modelListMissing(baseUrl, answer.status), { fix: texts.fixModelList });
    return true;
  }
  const names = list.data.data.map(({ id }) => id);
  report.ok(texts.modelListed(baseUrl, names.length));
  if (!names.includes(model)) {
    const others = names.slice(0, maxListed).join(', ');
    report.warning(texts.modelNotListed(model, others), { fix: texts.fixModelName });
  }
  return true;
}

async function callOnce(
  tools: DoctorTools,
  to: {
    readonly report: AreaReport;
    readonly model: LanguageModel;
    readonly name: string;
    readonly timeoutSeconds: number;
  },
): Promise<void> {
  const { texts, now } = tools;
  const { report, model, name, timeoutSeconds } = to;
  const { generateText, tool } = await import('ai');
  const started = now();
  const timeoutMs = Math.min(maxCallMs, timeoutSeconds * 1_000);
  try {
    const { toolCalls } = await generateText({
      model,
      prompt: 'Call the tool "report_ready" now. Say nothing else.',
      tools: { report_ready: tool({ description: 'Says that you are ready.', inputSchema: z.object({}) }) },
      maxRetries: 0,
      providerOptions: { openai: { store: false } },
      abortSignal: AbortSignal.any([tools.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (toolCalls.length > 0) report.ok(texts.modelWorks(name, now() - started));
    else report.warning(texts.modelWithoutTools(name), { fix: texts.fixTools });
  } catch (error) {
    const { detail } = classifyModelError(error);
    const reason = detail ?? (error as Error).message;
    report.failed(texts.modelFailed(name, reason), { fix: toFix(error, texts) });
  }
}

/** Chooses what helps against this failure, and not against another. */
function toFix(error: unknown, texts: DoctorTexts): string {
  switch (classifyModelError(error).kind) {
    case 'unauthorized':
      return texts.fixKey;
    case 'unknown-model':
      return texts.fixModelName;
    case 'no-quota':
    case 'rate-limited':
      return texts.fixQuota;
    case 'untrusted-certificate':
      return texts.fixCertificate;
    case 'refused':
      return texts.fixModelRequest;
    default:
      return texts.fixEndpoint;
  }
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
