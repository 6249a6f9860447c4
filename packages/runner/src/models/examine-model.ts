import { generateText, tool } from 'ai';
import { z } from 'zod';
import { boundFetch } from '../call-limits.ts';
import { classifyModelError, type ModelFailureKind } from '../classify-model-error.ts';
import { describeReason } from '../reply/model-error.ts';
import type { ConfiguredModel, ModelEndpoint } from './create-model.ts';
import { providerNames } from './providers.ts';

/** Fact about a model and its endpoint. */
export type ModelFinding =
  /** A module made the model: nothing is known of an endpoint. */
  | { readonly kind: 'module' }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly failure: ModelFailureKind }
  | { readonly kind: 'key-refused' | 'no-list'; readonly status: number }
  | { readonly kind: 'listed'; readonly count: number }
  | { readonly kind: 'not-listed'; readonly others: readonly string[] }
  /** Calling the model was not allowed. */
  | { readonly kind: 'not-called' }
  | { readonly kind: 'works'; readonly durationMs: number }
  /** It answers, but did not call the tool that it was asked to. */
  | { readonly kind: 'without-tools' }
  /** It answers to a picture. */
  | { readonly kind: 'takes-pictures' }
  /** It answers, but not to a picture. */
  | { readonly kind: 'refuses-pictures'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly failure: ModelFailureKind };

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

/**
 * Finds out whether the endpoint of a model is there and lists it, and whether the model answers and calls tools. Tells each
 * finding as soon as it is known; ends after the first that says why the rest would fail.
 *
 * @example
 * for await (const { kind } of examineModel(await createModel(llm, source))) console.log(kind); // listed, works
 */
export async function* examineModel(
  { model, description, endpoint }: ConfiguredModel,
  options: ExamineModelOptions = {},
): AsyncGenerator<ModelFinding> {
  const isVendors = providerNames.some((name) => name === description.provider);
  if (endpoint === null && !isVendors) yield { kind: 'module' };
  if (endpoint !== null) {
    for (const finding of await examineList(endpoint, { ...options, model: description.model })) {
      yield finding;
      if (finding.kind === 'unreachable' || finding.kind === 'key-refused') return;
    }
  }
  const called: ModelFinding =
    options.mayCall === false ? { kind: 'not-called' } : await callOnce(model, options);
  yield called;
  const answers = called.kind === 'works' || called.kind === 'without-tools';
  if (answers && options.showPicture === true) yield await showPicture(model, options);
}

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Milliseconds for the list of models. */
const listTimeoutMs = 15_000;

async function examineList(
  { baseUrl, secret }: ModelEndpoint,
  { model, fetch = globalThis.fetch, signal }: ExamineModelOptions & { readonly model: string },
): Promise<readonly ModelFinding[]> {
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  const ask = boundFetch({ fetch });
  let status: number;
  let text: string;
  try {
    const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/models`;
    const response = await ask(url, { headers, signal: withTimeout(listTimeoutMs, signal) });
    status = response.status;
    text = await response.text();
  } catch (error) {
    const failure = classifyModelError(error).kind;
    return [{ kind: 'unreachable', reason: describeReason(error), failure }];
  }
  if (status === 401 || status === 403) return [{ kind: 'key-refused', status }];
  const list = listSchema.safeParse(parseJson(text));
  if (status !== 200 || !list.success) return [{ kind: 'no-list', status }];
  const names = list.data.data.map(({ id }) => id);
  const listed: ModelFinding = { kind: 'listed', count: names.length };
  return names.includes(model) ? [listed] : [listed, { kind: 'not-listed', others: names }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function callOnce(
  model: ConfiguredModel['model'],
  { callTimeoutMs = maxCallMs, signal, now = Date.now }: ExamineModelOptions,
): Promise<ModelFinding> {
  const started = now();
  try {
    const { toolCalls } = await generateText({
      model,
      prompt: 'Call the tool "report_ready" now. Say nothing else.',
      tools: { report_ready: tool({ description: 'Says that you are ready.', inputSchema: z.object({}) }) },
      maxRetries: 0,
      providerOptions: { openai: { store: false } },
      abortSignal: withTimeout(Math.min(maxCallMs, callTimeoutMs), signal),
    });
    if (toolCalls.length === 0) return { kind: 'without-tools' };
    return { kind: 'works', durationMs: now() - started };
  } catch (error) {
    const { detail, kind: failure } = classifyModelError(error);
    return { kind: 'failed', reason: detail ?? (error as Error).message, failure };
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
      providerOptions: { openai: { store: false } },
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
