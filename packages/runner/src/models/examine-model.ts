import { parseJson } from '@agent/text/json';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { generateText, tool } from 'ai';
import { z } from 'zod';
import { boundFetch } from '../call-limits.ts';
import { readModelList } from '../chat-models.ts';
import { classifyModelError, type ModelFailureKind } from '../classify-model-error.ts';
import { describeReason } from '../failures/model-failure.ts';
import { createMemoryRunJournal } from '../memory-run-journal.ts';
import { TextCallReader } from '../text-tools/read-text-calls.ts';
import type { ConfiguredModel, ModelEndpoint } from './create-model.ts';
import { findCapabilities, type ModelCapabilities } from './find-capabilities.ts';
import { openAIOptions } from './openai-options.ts';

/** Fact about a model and its endpoint. */
export type ModelFinding =
  /** A module made the model: nothing is known of an endpoint. */
  | { readonly kind: 'module' }
  | {
      readonly kind: 'unreachable';
      readonly reason: string;
      readonly failure: ModelFailureKind;
      readonly error: unknown;
    }
  | { readonly kind: 'key-refused'; readonly status: number }
  | {
      readonly kind: 'no-list';
      readonly status: number;
      /** True for a page of HTML: a web server answers there, not a model's API. */
      readonly isPage: boolean;
      /** Address on the same server that lists models, such as the same one with `/v1`; null if none was found. */
      readonly otherBaseUrl: string | null;
    }
  | { readonly kind: 'listed'; readonly count: number }
  | { readonly kind: 'not-listed'; readonly others: readonly string[] }
  /** The server reports what the model can do. */
  | { readonly kind: 'capabilities'; readonly capabilities: ModelCapabilities }
  /** Calling the model was not allowed. */
  | { readonly kind: 'not-called' }
  | { readonly kind: 'works'; readonly durationMs: number }
  /** It answers, but did not call the tool that it was asked to. */
  | { readonly kind: 'without-tools' }
  /** It answers to a picture. */
  | { readonly kind: 'takes-pictures' }
  /** It answers, but not to a picture. */
  | { readonly kind: 'refuses-pictures'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly failure: ModelFailureKind;
      readonly error: unknown;
    };

/** Options of `examineModel`. */
export interface ExamineModelOptions {
  /** True to call the model once, for a few dozen tokens. Default true. */
  readonly mayCall?: boolean | undefined;
  /** True to show it a picture then, in a second call. Default false. */
  readonly showPicture?: boolean | undefined;
  /** Milliseconds for that call; 120,000 at most, which is the default. */
  readonly callTimeoutMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => number) | undefined;
}

const maxCallMs = 120_000;

const expectations: ExpectationsOf<ExamineModelOptions> = {
  mayCall: expected.flag,
  showPicture: expected.flag,
  callTimeoutMs: expectNumber(0),
  fetch: expected.function,
  signal: expected.signal,
  now: expected.function,
};

/**
 * Finds out whether the endpoint of a model is there and lists it, and whether the model answers and calls tools. Tells each
 * finding as soon as it is known; ends after the first that says why the rest would fail.
 *
 * @example
 * for await (const { kind } of examineModel(await createModel(llm, source))) console.log(kind); // listed, works
 */
export async function* examineModel(
  { model, description, endpoint, isModule }: ConfiguredModel,
  options: ExamineModelOptions = {},
): AsyncGenerator<ModelFinding> {
  checkOptions('ExamineModelOptions', options, expectations);
  if (isModule) yield { kind: 'module' };
  if (endpoint !== null) {
    for (const finding of await examineList(endpoint, { ...options, model: description.model })) {
      yield finding;
      if (finding.kind === 'unreachable' || finding.kind === 'key-refused') return;
    }
    const { fetch, signal } = options;
    const capabilities = await findCapabilities(endpoint, { model: description.model, fetch, signal });
    if (capabilities !== null) yield { kind: 'capabilities', capabilities };
  }
  const called: ModelFinding =
    options.mayCall === false ? { kind: 'not-called' } : await callOnce(model, options);
  yield called;
  const answers = called.kind === 'works' || called.kind === 'without-tools';
  if (answers && options.showPicture === true) yield await showPicture(model, options);
}

/** Milliseconds for the list of models. */
const listTimeoutMs = 15_000;

interface ListAnswer {
  readonly status: number;
  readonly text: string;
  /** Null if the answer is not a list of models. */
  readonly names: readonly string[] | null;
}

async function examineList(
  endpoint: ModelEndpoint,
  { model, ...options }: ExamineModelOptions & { readonly model: string },
): Promise<readonly ModelFinding[]> {
  const baseUrl = endpoint.baseUrl.replace(/(?<!\/)\/+$/, '');
  let answer: ListAnswer;
  try {
    answer = await askForList({ ...endpoint, baseUrl }, options);
  } catch (error) {
    const failure = classifyModelError(error).kind;
    return [{ kind: 'unreachable', reason: describeReason(error), failure, error }];
  }
  const { status, text, names } = answer;
  if (status === 401 || status === 403) return [{ kind: 'key-refused', status }];
  if (names === null) {
    const otherBaseUrl = await findOtherBaseUrl({ ...endpoint, baseUrl }, options);
    return [{ kind: 'no-list', status, isPage: /^\s*</.test(text), otherBaseUrl }];
  }
  const listed: ModelFinding = { kind: 'listed', count: names.length };
  return names.includes(model) ? [listed] : [listed, { kind: 'not-listed', others: names }];
}

async function askForList(
  { baseUrl, secret }: ModelEndpoint,
  { fetch = globalThis.fetch, signal }: ExamineModelOptions,
): Promise<ListAnswer> {
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  const ask = boundFetch({ fetch });
  const response = await ask(`${baseUrl}/models`, { headers, signal: withTimeout(listTimeoutMs, signal) });
  const text = await response.text();
  const list = response.status === 200 ? readModelList(parseJson(text)) : null;
  const names = list?.map(({ name }) => name) ?? null;
  return { status: response.status, text, names };
}

/** Tries the addresses that people leave out a part of, or copy with too much. */
async function findOtherBaseUrl(
  { baseUrl, secret }: ModelEndpoint,
  options: ExamineModelOptions,
): Promise<string | null> {
  const { origin } = new URL(baseUrl);
  const shorter = baseUrl.replace(/\/(?:chat\/completions|completions|responses|models)$/, '');
  const candidates = new Set([shorter, `${baseUrl}/v1`, `${origin}/v1`]);
  candidates.delete(baseUrl);
  for (const candidate of candidates) {
    const answer = await askForList({ baseUrl: candidate, secret }, options).catch(() => null);
    if (answer !== null && answer.names !== null) return candidate;
  }
  return null;
}

async function callOnce(
  model: ConfiguredModel['model'],
  { callTimeoutMs = maxCallMs, signal, now = Date.now }: ExamineModelOptions,
): Promise<ModelFinding> {
  const started = now();
  try {
    const { toolCalls } = await generateText({
      model: new TextCallReader(createMemoryRunJournal()).watch(model),
      prompt: 'Call the tool "report_ready" now. Say nothing else.',
      tools: { report_ready: tool({ description: 'Says that you are ready.', inputSchema: z.object({}) }) },
      maxRetries: 0,
      providerOptions: openAIOptions,
      abortSignal: withTimeout(Math.min(maxCallMs, callTimeoutMs), signal),
    });
    if (toolCalls.length === 0) return { kind: 'without-tools' };
    return { kind: 'works', durationMs: now() - started };
  } catch (error) {
    const { detail, kind: failure } = classifyModelError(error);
    return { kind: 'failed', reason: detail ?? (error as Error).message, failure, error };
  }
}

/** A red square of 32 pixels: some providers refuse smaller ones. */
const square =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC';

async function showPicture(
  model: ConfiguredModel['model'],
  { callTimeoutMs = maxCallMs, signal }: ExamineModelOptions,
): Promise<ModelFinding> {
  const text = { type: 'text', text: 'Name the color of this square in one word.' } as const;
  const picture = { type: 'file', mediaType: 'image/png', data: Buffer.from(square, 'base64') } as const;
  try {
    await generateText({
      model,
      messages: [{ role: 'user', content: [text, picture] }],
      maxRetries: 0,
      providerOptions: openAIOptions,
      abortSignal: withTimeout(Math.min(maxCallMs, callTimeoutMs), signal),
    });
    return { kind: 'takes-pictures' };
  } catch (error) {
    return { kind: 'refuses-pictures', reason: classifyModelError(error).detail ?? (error as Error).message };
  }
}

function withTimeout(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const late = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? late : AbortSignal.any([signal, late]);
}
