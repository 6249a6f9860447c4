import { z } from 'zod';
import { callTemplateNames } from '../text-tools/call-templates.ts';
import { ModelSettingsError, type ModelSettingsFault } from './model-settings-error.ts';
import { modelPriceSchema } from './prices.ts';
import {
  hasOtherCredentials,
  isProviderName,
  providerNames,
  providers,
  secretVariables,
} from './providers.ts';

export { ModelSettingsError, type ModelSettingsFault, modelPriceSchema };

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with http:// or https://',
});

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');

/** Packages of the AI SDK that connect a provider, by the names that they have by custom. */
const packageName = z
  .string()
  .regex(
    /^(?:@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*|(?=[\w.-]*ai-(?:sdk-)?provider)[a-z0-9][\w.-]*)$/,
    `must be one of ${providerNames.join(', ')}, or the name of an AI SDK package such as @ai-sdk/mistral`,
  );

/** Endpoint and model. */
const endpoint = {
  preset: z.enum(['openai', 'lmstudio', 'ollama']).nullable().default(null),
  /** Vendor whose own endpoint is asked, or a package of the AI SDK, each installed beside; null for an OpenAI-compatible one. */
  provider: z
    .union([z.enum(providerNames), packageName])
    .nullable()
    .default(null),
  base_url: httpUrl.nullable().default(null),
  api: z.enum(['responses', 'chat']).nullable().default(null),
  api_key_env: variableName.nullable().default(null),
  context_length: z.number().int().min(1_024).nullable().default(null),
  /** Template in which the model may write calls as text, for a server without tool support. */
  text_tool_calls: z
    .union([z.enum(['off', ...callTemplateNames]), z.literal(false).transform(() => 'off' as const)])
    .default('off'),
};

const named = z.string().min(1);

/** Models in the order in which they are asked: names at the same endpoint, or endpoints of their own. */
const choices = z
  .union([
    named.transform((name) => [name]),
    z.array(z.union([named, z.strictObject({ model: named, ...endpoint })])).min(1),
  ])
  .nullable()
  .default(null);

/** Section `llm`: the models that runs ask, and how. */
export const llmSchema = z.strictObject({
  ...endpoint,
  model: named.nullable().default(null),
  /** Models by what they are for; null for `model`. */
  models: z.strictObject({ planning: choices, work: choices, summary: choices }).prefault({}),
  max_retries: z.number().int().min(0).max(10).default(2),
  step_timeout_seconds: z.number().positive().max(86_400).default(600),
  /** Bytes of an answer's body; a longer one is refused. */
  max_answer_bytes: z.number().int().min(65_536).default(2_097_152),
  /** Prices for a million tokens, by the names of models. */
  prices: z.record(named, modelPriceSchema).default({}),
  /** Name of the currency of all prices and limits, as people read it. */
  currency: z
    .string()
    .regex(/^\p{L}{1,8}$/u, 'must be the name of a currency such as USD')
    .default('USD'),
  /** A module whose default export returns an AI SDK `LanguageModel`; replaces everything above. */
  module: named.nullable().default(null),
});

/** The section as it was parsed. */
export type LlmConfig = z.infer<typeof llmSchema>;

interface Preset {
  readonly baseUrl: string;
  readonly api: 'responses' | 'chat';
  readonly apiKeyEnv: string | null;
  readonly contextLength: number;
}

/** Endpoints as they are out of the box. */
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

/** An endpoint, with everything that asking it takes. */
export interface EndpointSettings {
  readonly provider: string;
  /** Vendor, or package of the AI SDK; null for an OpenAI-compatible one. */
  readonly vendor: string | null;
  readonly model: string;
  /** Null for the one that a package of the AI SDK knows. */
  readonly baseUrl: string | null;
  readonly api: 'responses' | 'chat';
  /** In tokens. */
  readonly contextLength: number;
  /** Null for an endpoint that wants no key. */
  readonly secret: string | null;
  /** Bytes of an answer that are read at most. */
  readonly maxAnswerBytes: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Says at the start what would otherwise fail the first task, without loading anything. Of a model that a module brings
 * nothing is known yet.
 *
 * @throws ModelSettingsError when no model is named, or the key of its endpoint is not set
 */
export function checkModelSettings(llm: LlmConfig, environment: Environment): void {
  if (llm.module !== null) return;
  for (const one of listEndpoints(llm)) checkEndpoint(one, environment);
}

/** Work that a model of its own can be named for: plans, the conversation of a run, and summaries. */
export type ModelTask = 'planning' | 'work' | 'summary';

/** All of them. */
export const modelTasks: readonly ModelTask[] = ['planning', 'work', 'summary'];

/** Settings of the models that are named for a task, in the order in which they are asked; none where nobody names one. */
export function listChoices(llm: LlmConfig, task: ModelTask): readonly LlmConfig[] {
  return (llm.models[task] ?? []).map((choice) => ({
    ...llm,
    ...(typeof choice === 'string' ? { model: choice } : choice),
  }));
}

/** Settings of the model that stands for all tasks without one of their own: the first that works, where no other is named. */
export function toMainSettings(llm: LlmConfig): LlmConfig {
  return llm.model === null ? (listChoices(llm, 'work')[0] ?? llm) : llm;
}

function listEndpoints(llm: LlmConfig): readonly LlmConfig[] {
  return [toMainSettings(llm), ...modelTasks.flatMap((task) => listChoices(llm, task))];
}

/** Lists the addresses of all models that are named; of one that a module brings nothing is known. */
export function listEndpointAddresses(llm: LlmConfig): readonly string[] {
  return llm.module === null ? listEndpoints(llm).flatMap((one) => endpointAddressOf(one) ?? []) : [];
}

/** Names the variables that hold keys of models by these settings, or could. */
export function listKeyVariables(llm: LlmConfig): readonly string[] {
  const chosen = listEndpoints(llm);
  return ['OPENAI_API_KEY', ...secretVariables, ...chosen.flatMap((one) => findKeyVariable(one) ?? [])];
}

/**
 * Works out which endpoint the settings mean.
 *
 * @throws ModelSettingsError when no model is named, or the key of its endpoint is not set
 */
export function checkEndpoint(llm: LlmConfig, environment: Environment): EndpointSettings {
  if (llm.model === null) {
    throw new ModelSettingsError('llm.model is not set.', {
      fault: 'no-model',
      remedy: 'Name the model there, or in the environment variable LLM_MODEL.',
    });
  }
  const { provider: vendor } = llm;
  const defaults = vendor === null ? presetOf(llm) : { api: 'chat' as const, ...vendorOf(vendor) };
  return {
    provider: vendor ?? llm.preset ?? 'openai-compatible',
    vendor,
    model: llm.model,
    baseUrl: requireAddress(llm, environment),
    api: llm.api ?? defaults.api,
    contextLength: llm.context_length ?? defaults.contextLength,
    maxAnswerBytes: llm.max_answer_bytes,
    secret: findKey(llm, environment),
  };
}

/** Facts of a vendor; of a package of the AI SDK nothing but its name is known. */
function vendorOf(name: string) {
  return isProviderName(name)
    ? providers[name]
    : { keyName: toKeyName(name), baseUrl: null, contextLength: defaultContextLength };
}

/** Variable of the key by custom: `MISTRAL_API_KEY` for `@ai-sdk/mistral`, `OPENROUTER_API_KEY` for `@openrouter/ai-sdk-provider`. */
function toKeyName(packageName: string): string {
  const [scope, name = scope] = packageName.split('/') as [string, string?];
  const own = name.split(/-?ai-(?:sdk-)?provider/, 1)[0] || scope.replace('@', '');
  return `${own.replaceAll(/\W/g, '_').toUpperCase()}_API_KEY`;
}

function findKey(llm: LlmConfig, environment: Environment): string | null {
  const { provider, api_key_env: named } = llm;
  const name = findKeyVariable(llm);
  if (name === null) return null;
  const isSet = named !== null || Boolean(environment[name]);
  return provider !== null && !isSet && hasOtherCredentials(provider, environment)
    ? null
    : readKey(environment, name);
}

/** Names the variable with the key of the main model's endpoint; null if no key is sent there. */
export function findKeyVariable(llm: LlmConfig): string | null {
  const { provider, api_key_env: named } = llm;
  if (provider !== null) return named ?? vendorOf(provider).keyName;
  const isOwnAddress = llm.base_url !== null && llm.preset === null;
  return named ?? (isOwnAddress ? null : presetOf(llm).apiKeyEnv);
}

function requireAddress(llm: LlmConfig, environment: Environment): string | null {
  const { provider } = llm;
  const address = endpointAddressOf(llm);
  if (address !== null || (provider !== null && !isProviderName(provider))) return address;
  if (provider === 'bedrock' && environment.AWS_REGION)
    return `https://bedrock-runtime.${environment.AWS_REGION}.amazonaws.com`;
  const hint = provider === 'bedrock' ? ', or the region in AWS_REGION' : '';
  throw new ModelSettingsError('llm.base_url is not set.', {
    fault: 'no-address',
    remedy: `Name the address of your ${provider} endpoint there${hint}.`,
  });
}

function readKey(environment: Environment, name: string): string {
  const key = environment[name]?.trim();
  if (key) return key;
  throw new ModelSettingsError(`${name} is not set. It holds the API key of the model endpoint.`, {
    fault: 'key-not-set',
    remedy: 'Export it, or add it to the file .env beside the configuration.',
  });
}

/** Finds the address of the model's endpoint, null where the vendor has none for all; of one that a module brings nothing is known. */
export function endpointAddressOf(llm: LlmConfig): string | null {
  const { base_url: named, provider } = llm;
  return named ?? (provider === null ? presetOf(llm).baseUrl : vendorOf(provider).baseUrl);
}

function presetOf(llm: LlmConfig): Preset {
  return presets[llm.preset ?? (llm.base_url === null ? 'openai' : 'lmstudio')];
}

/** Context of a model that a module brings, in tokens, where nobody says more. */
export const defaultContextLength = presets.lmstudio.contextLength;
