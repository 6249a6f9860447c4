import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModel } from 'ai';
import { ConfigError } from '../config/config-error.ts';
import type { Environment } from '../config/load-config.ts';
import { readSecret } from '../config/read-secret.ts';
import type { LlmConfig } from '../config/schema.ts';

export interface ModelSource {
  readonly environment: Environment;
  /** Where a relative `llm.module` starts. */
  readonly directory: string;
}

export interface ConfiguredModel {
  readonly model: LanguageModel;
  /** For logs and `metadata.json`. */
  readonly description: { readonly provider: string; readonly model: string; readonly contextLength: number };
  /** The key in use, so that it can be kept out of logs; null for an endpoint without one. */
  readonly secret: string | null;
  /** Where it is asked; null for a model that a module brings. */
  readonly endpoint: ModelEndpoint | null;
}

/** An OpenAI-compatible endpoint. */
export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly secret: string | null;
}

interface Preset {
  readonly baseUrl: string;
  readonly api: 'responses' | 'chat';
  readonly apiKeyEnv: string | null;
  readonly contextLength: number;
}

/** What each endpoint is like out of the box. */
const presets: Readonly<Record<'openai' | 'lmstudio' | 'ollama', Preset>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    api: 'responses',
    apiKeyEnv: 'OPENAI_API_KEY',
    contextLength: 128_000,
  },
  lmstudio: { baseUrl: 'http://localhost:1234/v1', api: 'responses', apiKeyEnv: null, contextLength: 32_768 },
  ollama: { baseUrl: 'http://localhost:11434/v1', api: 'chat', apiKeyEnv: null, contextLength: 32_768 },
};

/**
 * Makes the model that the configuration names: an OpenAI-compatible endpoint, or whatever a module returns.
 *
 * @throws ConfigError when no model is named, its key is not set, or the module returns no model.
 */
export async function createModel(llm: LlmConfig, source: ModelSource): Promise<ConfiguredModel> {
  return llm.module === null ? connectEndpoint(llm, source) : loadModelModule(llm.module, { llm, source });
}

async function connectEndpoint(llm: LlmConfig, source: ModelSource): Promise<ConfiguredModel> {
  if (llm.model === null) {
    throw new ConfigError(
      'llm.model is not set. Name the model there, or in the environment variable LLM_MODEL.',
    );
  }
  const preset = presets[llm.preset ?? (llm.base_url === null ? 'openai' : 'lmstudio')];
  const keyName = llm.api_key_env ?? (llm.base_url === null || llm.preset !== null ? preset.apiKeyEnv : null);
  const secret =
    keyName === null
      ? null
      : readSecret(source.environment, { name: keyName, purpose: 'the key of the model endpoint' });
  const { createOpenAI } = await import('@ai-sdk/openai');
  const baseUrl = llm.base_url ?? preset.baseUrl;
  const provider = createOpenAI({ baseURL: baseUrl, apiKey: secret ?? 'none' });
  const api = llm.api ?? preset.api;
  return {
    model: api === 'responses' ? provider.responses(llm.model) : provider.chat(llm.model),
    description: {
      provider: llm.preset ?? 'openai-compatible',
      model: llm.model,
      contextLength: llm.context_length ?? preset.contextLength,
    },
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
    description: {
      provider: model.provider,
      model: model.modelId,
      contextLength: llm.context_length ?? presets.lmstudio.contextLength,
    },
    secret: null,
    endpoint: null,
  };
}

type ModelObject = Exclude<LanguageModel, string>;

function isLanguageModel(value: unknown): value is ModelObject {
  return typeof value === 'object' && value !== null && 'doGenerate' in value && 'modelId' in value;
}
