import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConfiguredModel } from '@agent/orchestrator';
import { boundFetch } from '@agent/runner';
import type { Environment } from '@agent/workspace';
import type { LanguageModel } from 'ai';
import { ConfigError } from '../config/config-error.ts';
import {
  checkEndpoint,
  defaultContextLength,
  type EndpointSettings,
  type LlmConfig,
} from './model-settings.ts';

export interface ModelSource {
  readonly environment: Environment;
  /** Directory that a relative `llm.module` starts at. */
  readonly directory: string;
}

/**
 * Makes the model that the configuration names: an OpenAI-compatible endpoint, or whatever a module returns.
 *
 * @throws ConfigError when no model is named, its key is not set, or the module returns no model.
 */
export async function createModel(llm: LlmConfig, source: ModelSource): Promise<ConfiguredModel> {
  if (llm.module !== null) return loadModelModule(llm.module, { llm, source });
  return connectEndpoint(checkEndpoint(llm, source.environment));
}

async function connectEndpoint(settings: EndpointSettings): Promise<ConfiguredModel> {
  const { provider: name, model, baseUrl, api, contextLength, secret, maxAnswerBytes } = settings;
  const { createOpenAI } = await import('@ai-sdk/openai');
  const provider = createOpenAI({
    baseURL: baseUrl,
    apiKey: secret ?? 'none',
    fetch: boundFetch({ maxBytes: maxAnswerBytes }),
  });
  return {
    model: api === 'responses' ? provider.responses(model) : provider.chat(model),
    chatModel: api === 'responses' ? provider.chat(model) : null,
    description: { provider: name, model, contextLength },
    secret,
    endpoint: { baseUrl, secret },
  };
}

async function loadModelModule(
  path: string,
  { llm, source }: { llm: LlmConfig; source: ModelSource },
): Promise<ConfiguredModel> {
  const file = resolve(source.directory, path);
  const loaded: { default?: unknown } = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new ConfigError(`llm.module ${file} cannot be loaded: ${(cause as Error).message}`, { cause });
  });
  if (typeof loaded.default !== 'function') {
    throw new ConfigError(`llm.module ${file} has no default export that is a function returning a model.`);
  }
  const model: unknown = await loaded.default({ environment: source.environment });
  if (!isLanguageModel(model)) {
    throw new ConfigError(
      `llm.module ${file} returned no AI SDK language model (an object with doGenerate).`,
    );
  }
  return {
    model,
    chatModel: null,
    description: {
      provider: model.provider,
      model: model.modelId,
      contextLength: llm.context_length ?? defaultContextLength,
    },
    secret: null,
    endpoint: null,
  };
}

type ModelObject = Exclude<LanguageModel, string>;

function isLanguageModel(value: unknown): value is ModelObject {
  return typeof value === 'object' && value !== null && 'doGenerate' in value && 'modelId' in value;
}
