import {
  findPriceGaps,
  hasLimit,
  type MaxCost,
  type PlanningSection,
  readPlanningChoice,
} from '@agent/orchestrator/config';
import { listWebhookSettings, type WebhookSource } from '@agent/orchestrator/platforms';
import type { ModelFailureKind } from '@agent/runner';
import {
  createModel,
  examineModel,
  type LlmConfig,
  type ModelFinding,
  type ModelSource,
} from '@agent/runner/models';
import { endpointAddressOf } from '@agent/runner/models/config';
import type { Environment } from '@agent/workspace';
import { pino } from 'pino';
import { type DoctorTools, type Reporting, reportOn, type Statement, state } from './finding.ts';
import type { DoctorTexts } from './texts.en.ts';

export interface ModelExamination extends ModelSource {
  readonly llm: LlmConfig;
  /** True to call the model once, for a few dozen tokens. */
  readonly callModel: boolean;
  /** True to show it a picture, in a second call. */
  readonly showPicture: boolean;
  readonly limits: MaxCost;
}

/** Checks that the model's endpoint is there, knows the model, answers, and calls tools. */
export async function checkModel(
  { texts, report, fetch, signal, now }: DoctorTools,
  { llm, callModel: mayCall, showPicture, limits, ...source }: ModelExamination,
): Promise<void> {
  const area = reportOn('model', report);
  const callTimeoutMs = llm.step_timeout_seconds * 1_000;
  try {
    const model = await createModel(llm, source);
    checkPrices({ texts, report }, { model, prices: llm.prices, limits });
    const at = { texts, url: endpointAddressOf(llm) ?? '', model: model.description.model };
    const options = { mayCall, showPicture, callTimeoutMs, fetch, signal, now };
    for await (const finding of examineModel(model, options)) area.tell(describeModel(finding, at));
  } catch (error) {
    area.failed((error as Error).message, { fix: texts.fixModelSettings });
  }
}

interface PriceExamination {
  readonly model: Parameters<typeof findPriceGaps>[0];
  readonly prices: LlmConfig['prices'];
  readonly limits: MaxCost;
}

/** Reports models whose calls no limit holds, or nobody counts, and prices that stand for nothing. */
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

/** Models that are named in place of one that is not there. */
const maxListed = 8;

function describeModel(
  finding: ModelFinding,
  { texts, url, model }: { readonly texts: DoctorTexts; readonly url: string; readonly model: string },
): Statement {
  switch (finding.kind) {
    case 'module':
      return state.ok(texts.modelModule(model));
    case 'unreachable':
      return state.failed(texts.modelUnreachable(url, finding.reason), {
        fix: toFix(finding.failure, texts),
      });
    case 'key-refused':
      return state.failed(texts.modelRefusedKey(url, finding.status), { fix: texts.fixKey });
    case 'no-list':
      return state.warning(texts.modelListMissing(url, finding.status), { fix: texts.fixModelList });
    case 'listed':
      return state.ok(texts.modelListed(url, finding.count));
    case 'not-listed': {
      const others = finding.others.slice(0, maxListed).join(', ');
      return state.warning(texts.modelNotListed(model, others), { fix: texts.fixModelName });
    }
    case 'not-called':
      return state.warning(texts.modelNotCalled, { fix: texts.fixModelNotCalled });
    case 'works':
      return state.ok(texts.modelWorks(model, finding.durationMs));
    case 'without-tools':
      return state.warning(texts.modelWithoutTools(model), { fix: texts.fixTools });
    case 'takes-pictures':
      return state.ok(texts.modelTakesPictures(model));
    case 'refuses-pictures':
      return state.failed(texts.modelRefusesPictures(model, finding.reason), { fix: texts.fixPictures });
    case 'failed':
      return state.failed(texts.modelFailed(model, finding.reason), { fix: toFix(finding.failure, texts) });
  }
}

/** Chooses what helps against this failure, and not against another. */
function toFix(failure: ModelFailureKind, texts: DoctorTexts): string {
  switch (failure) {
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
