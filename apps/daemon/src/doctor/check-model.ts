import type { MaxCost } from '@agent/orchestrator/config';
import {
  type ConfiguredModel,
  createModel,
  examineModel,
  type LlmConfig,
  type ModelCapabilities,
  type ModelFinding,
  type ModelSource,
  minContextLength,
} from '@agent/runner/models';
import { endpointAddressOf, findKeyVariable, ModelSettingsError } from '@agent/runner/models/config';
import { toErrorMessage } from '@agent/text';
import { findNearest } from '@agent/text/options';
import { checkPrices } from './check-settings.ts';
import { type AreaReport, type DoctorTools, reportOn, type Statement, state } from './finding.ts';
import { adviseOnNetwork } from './network-advice.ts';

export interface ModelExamination extends ModelSource {
  readonly llm: LlmConfig;
  /** True to call the model once, for a few dozen tokens. */
  readonly callModel: boolean;
  /** True to show it an image, in a second call. */
  readonly showPicture: boolean;
  readonly limits: MaxCost;
}

/** Checks that the model's endpoint is reachable and has the model, and that the model responds and calls tools. */
export async function checkModel(
  tools: DoctorTools,
  { llm, callModel: mayCall, showPicture, limits, ...source }: ModelExamination,
): Promise<void> {
  const { texts, report, fetch, signal, now } = tools;
  const area = reportOn('model', report);
  const callTimeoutMs = llm.step_timeout_seconds * 1_000;
  try {
    const model = await createModel(llm, source);
    checkPrices({ texts, report }, { model, prices: llm.prices, limits });
    const at = { ...tools, llm, url: endpointAddressOf(llm) ?? '', model };
    const options = { mayCall, showPicture, callTimeoutMs, fetch, signal, now };
    await reportFindings(examineModel(model, options), at, area);
  } catch (error) {
    // A module may throw anything.
    const { problem, fault } =
      error instanceof ModelSettingsError ? error : { problem: toErrorMessage(error), fault: null };
    area.failed(problem, { fix: texts.fixModelSettings[fault ?? 'module'] });
  }
}

interface ExaminedModel extends DoctorTools {
  readonly llm: LlmConfig;
  readonly url: string;
  readonly model: ConfiguredModel;
}

/** Reports each finding. What the list of models shows explains why the call failed: then both are one fault. */
async function reportFindings(
  findings: AsyncIterable<ModelFinding>,
  at: ExaminedModel,
  area: AreaReport,
): Promise<void> {
  let doubt: ModelDoubt | null = null;
  let isReported = false;
  for await (const finding of findings) {
    if (finding.kind === 'capabilities') {
      isReported = true;
      for (const statement of describeCapabilities(finding.capabilities, at)) area.tell(statement);
      continue;
    }
    if (finding.kind === 'not-listed' || finding.kind === 'no-list') {
      doubt = finding;
      continue;
    }
    if (doubt !== null && finding.kind === 'failed' && explains(doubt, finding)) {
      const { text, fix } = describeDoubt(doubt, at);
      area.failed(text, { fix });
    } else {
      if (doubt !== null) area.tell(describeWarning(doubt, at));
      area.tell(describeModel(finding, at));
    }
    doubt = null;
  }
  if (!isReported)
    for (const statement of describeSmall(at.model.description.contextLength, at)) area.tell(statement);
}

/** Finding that makes a failing call likely. */
type ModelDoubt = Extract<ModelFinding, { readonly kind: 'not-listed' | 'no-list' }>;

type FailedCall = Extract<ModelFinding, { readonly kind: 'failed' }>;

function explains(doubt: ModelDoubt, { failure, error }: FailedCall): boolean {
  if (doubt.kind === 'no-list') return failure === 'unknown-model' || failure === 'nonsense';
  return failure === 'unknown-model' && !isMissingRoute(error);
}

function describeDoubt(
  doubt: ModelDoubt,
  { texts, url, model }: ExaminedModel,
): { text: string; fix: string } {
  const name = model.description.model;
  if (doubt.kind === 'not-listed')
    return {
      text: texts.modelUnknown(name, listNames(doubt.others)),
      fix: suggestModel(name, doubt.others, texts),
    };
  const { status, isPage, otherBaseUrl } = doubt;
  const fix = otherBaseUrl === null ? texts.fixModelAddress : texts.fixBaseUrl(otherBaseUrl);
  return { text: texts.notModelApi(url, status, isPage), fix };
}

function describeWarning(doubt: ModelDoubt, { texts, url, model }: ExaminedModel): Statement {
  const name = model.description.model;
  if (doubt.kind === 'not-listed')
    return state.warning(texts.modelNotListed(name, listNames(doubt.others)), {
      fix: suggestModel(name, doubt.others, texts),
    });
  const fix = doubt.otherBaseUrl === null ? texts.fixModelList : texts.fixBaseUrl(doubt.otherBaseUrl);
  return state.warning(texts.modelListMissing(url, doubt.status), { fix });
}

/** Models that are named in place of a missing one. */
const maxListed = 8;

function listNames(models: readonly string[]): string {
  const more = models.length > maxListed ? ['…'] : [];
  return [...models.slice(0, maxListed), ...more].join(', ');
}

function suggestModel(model: string, others: readonly string[], texts: ExaminedModel['texts']): string {
  if (others.length === 0) return texts.fixNoModels;
  const near = findNearModel(model, others);
  return near === null ? texts.fixModelName : texts.fixModelNear(near);
}

/** Letters by which two names may differ, as a share of the shorter. */
const slipShare = 0.25;

/** Finds the name that is probably meant: with or without a publisher and a tag, or with a slip of the finger. */
function findNearModel(model: string, others: readonly string[]): string | null {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const wanted = plain(model);
  const containing = others.find((other) => plain(other).includes(wanted) || wanted.includes(plain(other)));
  if (containing !== undefined) return containing;
  const byPlain = new Map(others.map((other) => [plain(other), other]));
  const nearest = findNearest(wanted, [...byPlain.keys()]);
  if (nearest === null) return null;
  const shorter = Math.min(wanted.length, nearest.name.length);
  return nearest.edits <= shorter * slipShare ? (byPlain.get(nearest.name) ?? null) : null;
}

/** Reports what the server reports, and whether the settings fit it. */
function describeCapabilities(
  capabilities: ModelCapabilities,
  { texts, llm, model }: ExaminedModel,
): readonly Statement[] {
  const { contextLength: found, unusableContextLength: unusable, ...can } = capabilities;
  const { model: name, contextLength: used } = model.description;
  const statements: Statement[] = [];
  if (found !== null || Object.values(can).some((value) => value !== null))
    statements.push(state.ok(texts.modelCapabilities(name, { found, ...can })));
  if (unusable !== null)
    statements.push(state.warning(texts.contextUnusable(unusable, used), { fix: texts.fixContextUnusable }));
  if (found !== null && found !== used) {
    const isSet = llm.context_length !== null;
    statements.push(
      state.warning(texts.contextDiffers({ found, used, isSet }), { fix: texts.fixContext(found) }),
    );
  }
  return [...statements, ...describeSmall(Math.min(found ?? used, used), { texts })];
}

/** Warns of a window that is too small for a run. */
function describeSmall(contextLength: number, { texts }: Pick<ExaminedModel, 'texts'>): readonly Statement[] {
  if (contextLength >= minContextLength) return [];
  const fix = texts.fixContextSmall;
  return [state.warning(texts.contextSmall(contextLength, minContextLength), { fix })];
}

function describeModel(
  finding: Exclude<ModelFinding, ModelDoubt | { readonly kind: 'capabilities' }>,
  at: ExaminedModel,
): Statement {
  const { texts, url, model, llm } = at;
  const name = model.description.model;
  switch (finding.kind) {
    case 'module':
      return state.ok(texts.modelModule(name));
    case 'unreachable':
      return state.failed(texts.modelUnreachable(url, finding.reason), {
        fix: adviseOnNetwork({ error: finding.error, url, key: toAddressKey(at) }, at),
      });
    case 'key-refused': {
      const variable = findKeyVariable(llm);
      return variable === null
        ? state.failed(texts.modelWantsKey(url, finding.status), { fix: texts.fixKeyUnnamed })
        : state.failed(texts.modelRefusedKey(url, finding.status), { fix: texts.fixKey(variable) });
    }
    case 'listed':
      return state.ok(texts.modelListed(url, finding.count));
    case 'not-called':
      return state.warning(texts.modelNotCalled, { fix: texts.fixModelNotCalled });
    case 'works':
      return state.ok(texts.modelWorks(name, finding.durationMs));
    case 'without-tools':
      return state.warning(texts.modelWithoutTools(name), { fix: texts.fixTools });
    case 'takes-pictures':
      return state.ok(texts.modelTakesPictures(name));
    case 'refuses-pictures':
      return state.failed(texts.modelRefusesPictures(name, finding.reason), { fix: texts.fixPictures });
    case 'failed':
      return state.failed(texts.modelFailed(name, finding.reason), { fix: toFix(finding, at) });
  }
}

/** Chooses the remedy for this failure of a call. */
function toFix({ failure, error }: FailedCall, at: ExaminedModel): string {
  const { texts, model, llm, url } = at;
  const variable = findKeyVariable(llm);
  switch (failure) {
    case 'unauthorized':
      return variable === null ? texts.fixKeyUnnamed : texts.fixKey(variable);
    case 'unknown-model':
      // The list has the model: what the server does not know is the way in which it is called.
      return isMissingRoute(error) && model.chatModel !== null ? texts.fixModelApi : texts.fixModelName;
    case 'no-quota':
      return texts.fixQuota;
    case 'rate-limited':
      return texts.fixRateLimit;
    case 'timeout':
      return texts.fixModelSlow;
    case 'no-tools':
      return texts.fixTools;
    case 'not-ready':
    case 'server-error':
      return texts.fixModelServer;
    case 'context-too-long':
      return texts.fixModelContext;
    case 'nonsense':
    case 'answer-too-long':
      return texts.fixModelAnswer;
    case 'unreachable':
    case 'untrusted-certificate':
      return adviseOnNetwork({ error, url, key: toAddressKey(at) }, at);
    case 'refused':
      return texts.fixModelRequest;
    default:
      return llm.module === null ? texts.fixModelRequest : texts.fixModelModule;
  }
}

/** Names the setting that the address comes from: the variable overrides the configuration. */
function toAddressKey({ environment }: ExaminedModel): string {
  return environment.LLM_BASE_URL ? 'LLM_BASE_URL' : 'llm.base_url';
}

/** True if the server has no such address; a server without the model names it in its answer. */
function isMissingRoute(error: unknown): boolean {
  const { statusCode, responseBody } = error as {
    readonly statusCode?: unknown;
    readonly responseBody?: unknown;
  };
  return statusCode === 404 && !/model/i.test(String(responseBody ?? ''));
}
