import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModel } from 'ai';
import { boundFetch } from '../call-limits.ts';
import { withTextTools } from '../text-tools/with-text-tools.ts';
import { tolerateDialects } from './compatible/tolerant-fetch.ts';
import { withVendorFields } from './compatible/vendor-fields.ts';
import {
  checkEndpoint,
  defaultContextLength,
  type EndpointSettings,
  type LlmConfig,
  listChoices,
  ModelSettingsError,
  type ModelTask,
  modelTasks,
  toMainSettings,
} from './model-settings.ts';
import type { PromptCache } from './prompt-cache.ts';
import { connectPackage } from './provider-package.ts';
import { connectProvider, isProviderName, providers } from './providers.ts';

/** A language model, and what its calls need to know of it. */
export interface TaskModel {
  readonly model: LanguageModel;
  /** The same model by the chat endpoint, where `model` uses the Responses one; null for none. */
  readonly chatModel: LanguageModel | null;
  /** For logs and `metadata.json`. */
  readonly description: { readonly provider: string; readonly model: string; readonly contextLength: number };
  /** Way in which its provider is asked to keep what it has read. Default null: it is not asked. */
  readonly promptCache?: PromptCache | null | undefined;
}

/** A language model, and what runs need to know of it. */
export interface ConfiguredModel extends TaskModel {
  /** Models by what they are for, each list in the order in which they are asked. Default this one for everything. */
  readonly tasks?: Readonly<Partial<Record<ModelTask, readonly TaskModel[]>>> | undefined;
  /** The key in use, so that it can be kept out of logs; null for an endpoint without one. */
  readonly secret: string | null;
  /** Its endpoint; null for a vendor's own, and for a model that a module brings. */
  readonly endpoint: ModelEndpoint | null;
  /** Tells whether a module brings the model. Default false. */
  readonly isModule?: boolean | undefined;
}

/** An OpenAI-compatible endpoint. */
export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly secret: string | null;
}

/** Surroundings of the settings of a model. */
export interface ModelSource {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directory that a relative `llm.module` starts at. */
  readonly directory: string;
}

/**
 * Makes the model that the settings name: OpenAI, by `@ai-sdk/openai`, a compatible endpoint, by
 * `@ai-sdk/openai-compatible`, a vendor's own by its package, or whatever a module returns; and the models for single tasks.
 *
 * @example
 * const llm = llmSchema.parse({ preset: 'lmstudio', model: 'qwen3-8b' });
 * const { model } = await createModel(llm, { environment: process.env, directory: '.' });
 * @throws ModelSettingsError when no model is named, its key is not set, or the module returns no model.
 */
export async function createModel(llm: LlmConfig, source: ModelSource): Promise<ConfiguredModel> {
  if (llm.module !== null)
    return allowTextTools(await loadModelModule(llm.module, { llm, source }), llm.text_tool_calls);
  const connect = async (one: LlmConfig) => {
    const connected = await connectEndpoint(checkEndpoint(one, source.environment), source);
    return allowTextTools(connected, one.text_tool_calls);
  };
  const tasks: Partial<Record<ModelTask, readonly TaskModel[]>> = {};
  for (const task of modelTasks) {
    const chosen = listChoices(llm, task);
    if (chosen.length > 0) tasks[task] = await Promise.all(chosen.map(connect));
  }
  return { ...(await connect(toMainSettings(llm))), ...(Object.keys(tasks).length === 0 ? {} : { tasks }) };
}

function allowTextTools(connected: ConfiguredModel, template: LlmConfig['text_tool_calls']): ConfiguredModel {
  const { model, chatModel } = connected;
  if (template === 'off' || typeof model === 'string') return connected;
  const isChat = chatModel !== null && typeof chatModel !== 'string';
  return {
    ...connected,
    model: withTextTools(model, { template }),
    chatModel: isChat ? withTextTools(chatModel, { template }) : chatModel,
  };
}

async function connectEndpoint(
  settings: EndpointSettings,
  { environment, directory }: ModelSource,
): Promise<ConfiguredModel> {
  const { provider: name, vendor, model, baseUrl, api, contextLength, secret, maxAnswerBytes } = settings;
  const description = { provider: name, model, contextLength };
  const fetch = boundFetch({ maxBytes: maxAnswerBytes });
  if (vendor !== null && !isProviderName(vendor)) {
    const connected = await connectPackage(vendor, { model, baseUrl, secret, fetch, directory });
    return { model: connected, chatModel: null, description, secret, endpoint: null };
  }
  if (baseUrl === null) throw new TypeError('An OpenAI-compatible endpoint needs a base URL');
  if (vendor !== null) {
    const connected = await connectProvider(vendor, { model, baseUrl, secret, environment, fetch });
    const { promptCache } = providers[vendor];
    return { model: connected, chatModel: null, description, promptCache, secret, endpoint: null };
  }
  const connection = { baseUrl, secret, fetch: tolerateDialects({ fetch }) };
  const chat = await connectChat(model, connection);
  return {
    model: api === 'responses' ? (await connectOpenAI(connection)).responses(model) : chat,
    chatModel: api === 'responses' ? chat : null,
    description,
    // Servers of other makes may not know the key.
    promptCache: name === 'openai' ? 'openai' : null,
    secret,
    endpoint: { baseUrl, secret },
  };
}

interface Connection extends ModelEndpoint {
  readonly fetch: typeof globalThis.fetch;
}

async function connectOpenAI({ baseUrl: baseURL, secret, fetch }: Connection) {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ baseURL, apiKey: secret ?? 'none', fetch });
}

/** The chat endpoint of OpenAI, or of a server of another make with fields of its own. */
async function connectChat(model: string, connection: Connection): Promise<ModelObject> {
  const { baseUrl: baseURL, secret, fetch } = connection;
  const { host, hostname } = new URL(baseURL);
  if (hostname === 'api.openai.com') return (await connectOpenAI(connection)).chat(model);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(secret === null ? {} : { apiKey: secret }),
  });
  return withVendorFields(provider.chatModel(model), { host });
}

async function loadModelModule(
  path: string,
  { llm, source }: { llm: LlmConfig; source: ModelSource },
): Promise<ConfiguredModel> {
  const file = resolve(source.directory, path);
  const loaded: { default?: unknown } = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new ModelSettingsError(`llm.module ${file} cannot be loaded: ${(cause as Error).message}`, {
      fault: 'module',
      cause,
    });
  });
  if (typeof loaded.default !== 'function') {
    throw new ModelSettingsError(
      `llm.module ${file} has no default export that is a function returning a model.`,
      { fault: 'module' },
    );
  }
  const model: unknown = await loaded.default({ environment: source.environment });
  if (!isLanguageModel(model)) {
    throw new ModelSettingsError(
      `llm.module ${file} returned no AI SDK language model (an object with doGenerate).`,
      { fault: 'module' },
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
    isModule: true,
  };
}

type ModelObject = Exclude<LanguageModel, string>;

function isLanguageModel(value: unknown): value is ModelObject {
  return typeof value === 'object' && value !== null && 'doGenerate' in value && 'modelId' in value;
}
