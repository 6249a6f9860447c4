import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModel } from 'ai';
import { BotError } from '../bot-error.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Settings } from '../settings/settings-schema.ts';
import { fromLanguageModel } from './from-language-model.ts';
import { fromLmStudio, LmStudioClient } from './lm-studio-client.ts';
import type { ReplyModel } from './reply-model.ts';

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
