import { z } from 'zod';
import { modelPriceSchema } from './prices.ts';

export { modelPriceSchema };

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');

/** Section `llm`: the model that runs ask, and how. */
export const llmSchema = z.strictObject({
  preset: z.enum(['openai', 'lmstudio', 'ollama']).nullable().default(null),
  base_url: httpUrl.nullable().default(null),
  model: z.string().min(1).nullable().default(null),
  api: z.enum(['responses', 'chat']).nullable().default(null),
  api_key_env: variableName.nullable().default(null),
  context_length: z.number().int().min(1_024).nullable().default(null),
  max_retries: z.number().int().min(0).max(10).default(2),
  step_timeout_seconds: z.number().positive().max(86_400).default(600),
  /** Bytes of an answer's body; a longer one is refused. */
  max_answer_bytes: z.number().int().min(65_536).default(2_097_152),
  /** Prices for a million tokens, by the names of models. */
  prices: z.record(z.string().min(1), modelPriceSchema).default({}),
  /** Name of the currency of all prices and limits, as people read it. */
  currency: z
    .string()
    .regex(/^\p{L}{1,8}$/u, 'must be the name of a currency such as USD')
    .default('USD'),
  /** A module whose default export returns an AI SDK `LanguageModel`; replaces everything above. */
  module: z.string().min(1).nullable().default(null),
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

/** An OpenAI-compatible endpoint, with everything that asking it takes. */
export interface EndpointSettings {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly api: 'responses' | 'chat';
  /** In tokens. */
  readonly contextLength: number;
  /** Null for an endpoint that wants no key. */
  readonly secret: string | null;
  /** Bytes of an answer that are read at most. */
  readonly maxAnswerBytes: number;
}

/** Settings with which no model can be asked. The message is for whoever wrote them: what is wrong, and what to do. */
export class ModelSettingsError extends Error {
  readonly code = 'model-settings';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModelSettingsError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Says at the start what would otherwise fail the first task, without loading anything. Of a model that a module brings
 * nothing is known yet.
 *
 * @throws ModelSettingsError when no model is named, or the key of its endpoint is not set
 */
export function checkModelSettings(llm: LlmConfig, environment: Environment): void {
  if (llm.module === null) checkEndpoint(llm, environment);
}

/**
 * Works out which endpoint the settings mean.
 *
 * @throws ModelSettingsError when no model is named, or the key of its endpoint is not set
 */
export function checkEndpoint(llm: LlmConfig, environment: Environment): EndpointSettings {
  if (llm.model === null) {
    throw new ModelSettingsError(
      'llm.model is not set. Name the model there, or in the environment variable LLM_MODEL.',
    );
  }
  const preset = presetOf(llm);
  const keyName = llm.api_key_env ?? (llm.base_url === null || llm.preset !== null ? preset.apiKeyEnv : null);
  return {
    provider: llm.preset ?? 'openai-compatible',
    model: llm.model,
    baseUrl: endpointAddressOf(llm),
    api: llm.api ?? preset.api,
    contextLength: llm.context_length ?? preset.contextLength,
    maxAnswerBytes: llm.max_answer_bytes,
    secret: keyName === null ? null : readKey(environment, keyName),
  };
}

function readKey(environment: Environment, name: string): string {
  const key = environment[name]?.trim();
  if (key) return key;
  throw new ModelSettingsError(
    `${name} is not set. It holds the key of the model endpoint. Export it, or put it into a file .env beside the configuration.`,
  );
}

/** Finds the address of the model's endpoint; of one that a module brings nothing is known. */
export function endpointAddressOf(llm: LlmConfig): string {
  return llm.base_url ?? presetOf(llm).baseUrl;
}

function presetOf(llm: LlmConfig): Preset {
  return presets[llm.preset ?? (llm.base_url === null ? 'openai' : 'lmstudio')];
}

/** Context of a model that a module brings, in tokens, where nobody says more. */
export const defaultContextLength = presets.lmstudio.contextLength;
