import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ChatTurn, toModelMessages } from '@agent/thread-context';
import type { LanguageModel } from 'ai';
import { BotError } from '../bot-error.ts';
import { type Clock, systemClock, withinTime } from '../clock.ts';
import type { Settings } from '../settings/parse-settings.ts';
import { fromLmStudio, LmStudioClient } from './lm-studio-client.ts';
import type { AnswerShape, Reply, ReplyModel, ReplyOptions } from './reply-model.ts';
import { describeReason } from './request-text.ts';

/**
 * The model that the settings name: a module whose default export is a model of the AI SDK, else LM Studio.
 *
 * @throws BotError `settings` when the module is none
 */
export async function createModel(
  settings: Settings,
  { clock = systemClock }: { readonly clock?: Clock | undefined } = {},
): Promise<ReplyModel> {
  const timeoutMs = settings.LM_TIMEOUT_SECONDS * 1_000;
  const shape = {
    instructions: settings.INSTRUCTIONS,
    temperature: settings.LM_TEMPERATURE,
    maxTokens: settings.LM_MAX_TOKENS,
  };
  if (settings.MODEL_MODULE !== undefined) {
    return fromLanguageModel(await loadModel(settings.MODEL_MODULE), { timeoutMs, clock, shape });
  }
  const { LM_BASE_URL: baseUrl, LM_MODEL: model, LM_API_KEY: apiKey } = settings;
  return fromLmStudio(new LmStudioClient({ baseUrl, model, apiKey, timeoutMs, clock, shape }));
}

async function loadModel(path: string): Promise<LanguageModel> {
  const problem = (reason: string, cause: unknown = null) =>
    new BotError('settings', `MODEL_MODULE (${path}): ${reason}`, { cause });
  let loaded: { readonly default?: unknown };
  try {
    loaded = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw problem(`cannot be loaded: ${(error as Error).message}`, error);
  }
  const model = loaded.default;
  if (typeof model === 'object' && model !== null && 'doGenerate' in model) return model as LanguageModel;
  throw problem('its default export must be a model of the AI SDK, e.g. `export default openai("…")`');
}

export interface LanguageModelOptions {
  /** For a whole answer. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly shape?: AnswerShape | undefined;
}

/**
 * Any model of the AI SDK as the one that replies: it is given the turns as messages, and asked once.
 *
 * @example
 * const model = fromLanguageModel(openai('gpt-5'), { timeoutMs: 60_000 });
 */
export function fromLanguageModel(model: LanguageModel, options: LanguageModelOptions = {}): ReplyModel {
  const { timeoutMs = 30_000, clock = systemClock, shape = {} } = options;
  return {
    reply: async ({ turns }, { signal, onText }) => {
      const reason = () => new BotError('model-timeout', `no answer of the model within ${timeoutMs} ms`);
      return withinTime({ clock, limitMs: timeoutMs, signal, reason }, (end) =>
        generate({ model, turns, shape }, { signal: end, onText }).catch((error: unknown) => {
          throw toModelError(error);
        }),
      );
    },
  };
}

async function generate(
  { model, turns, shape }: { model: LanguageModel; turns: readonly ChatTurn[]; shape: AnswerShape },
  { signal, onText }: ReplyOptions,
): Promise<Reply> {
  const { generateText, streamText } = await import('ai');
  const { instructions, temperature, maxTokens } = shape;
  const call = {
    model,
    ...(instructions === undefined ? {} : { instructions }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    // Some providers refuse to begin with an answer.
    messages: toModelMessages(turns.slice(turns.findIndex(({ role }) => role === 'user'))),
    maxRetries: 0,
    abortSignal: signal,
    // A model server that forgets what it was told must be told all of it.
    providerOptions: { openai: { store: false } },
  };
  if (onText === null) {
    const { text, finishReason } = await generateText(call);
    return { text, complete: finishReason !== 'length' };
  }
  let text = '';
  let complete = true;
  // Errors come as parts; the SDK would print them besides.
  for await (const part of streamText({ ...call, onError: () => {} }).stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') complete = part.finishReason !== 'length';
    if (part.type !== 'text-delta') continue;
    text += part.text;
    onText(text);
  }
  signal.throwIfAborted();
  return { text, complete };
}

/** The SDK's messages may quote the request. */
function toModelError(error: unknown): BotError {
  if (BotError.isInstance(error)) return error;
  const { name, statusCode } = error as { name?: string; statusCode?: unknown };
  if (typeof statusCode === 'number' && statusCode !== 200) {
    const text = `the model server answered with ${statusCode}`;
    return new BotError('model-status', text, { status: statusCode, cause: error });
  }
  if (name === 'AI_APICallError' && statusCode === undefined) {
    const text = `cannot reach the model: ${describeReason(error)}`;
    return new BotError('model-unreachable', text, { cause: error });
  }
  return new BotError('model-failed', `the model failed (${name ?? 'unknown reason'})`, { cause: error });
}
