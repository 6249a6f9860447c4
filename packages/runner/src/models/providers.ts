import type { LanguageModel } from 'ai';
import { ModelSettingsError } from './model-settings-error.ts';
import type { PromptCache } from './prompt-cache.ts';

/** Vendors whose own endpoints are asked, each through a package of the AI SDK that is installed beside. */
export const providerNames = ['anthropic', 'google', 'azure', 'bedrock'] as const;

/** Name of such a vendor. */
export type ProviderName = (typeof providerNames)[number];

export function isProviderName(name: string): name is ProviderName {
  return providerNames.some((one) => one === name);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that asking a vendor's endpoint takes. */
export interface ProviderSettings {
  readonly model: string;
  readonly baseUrl: string;
  /** Null where the environment holds other credentials of the vendor. */
  readonly secret: string | null;
  readonly environment: Environment;
  readonly fetch: typeof globalThis.fetch;
}

interface Provider {
  readonly package: string;
  /** Variable that holds the key where nobody names another. */
  readonly keyName: string;
  /** Null where it has to be named. */
  readonly baseUrl: string | null;
  readonly contextLength: number;
  readonly promptCache: PromptCache | null;
  readonly connect: (settings: ProviderSettings) => Promise<LanguageModel>;
}

/** Facts of each vendor. */
export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    package: '@ai-sdk/anthropic',
    keyName: 'ANTHROPIC_API_KEY',
    baseUrl: 'https://api.anthropic.com/v1',
    contextLength: 200_000,
    promptCache: 'anthropic',
    connect: async ({ model, baseUrl: baseURL, secret, fetch }) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey: secret ?? '', fetch })(model);
    },
  },
  google: {
    package: '@ai-sdk/google',
    keyName: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    contextLength: 1_000_000,
    // It keeps what it has read by itself.
    promptCache: null,
    connect: async ({ model, baseUrl: baseURL, secret, fetch }) => {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey: secret ?? '', fetch })(model);
    },
  },
  azure: {
    package: '@ai-sdk/azure',
    keyName: 'AZURE_API_KEY',
    baseUrl: null,
    contextLength: 128_000,
    promptCache: 'openai',
    connect: async ({ model, baseUrl: baseURL, secret, fetch }) => {
      const { createAzure } = await import('@ai-sdk/azure');
      return createAzure({ baseURL, apiKey: secret ?? '', fetch })(model);
    },
  },
  bedrock: {
    package: '@ai-sdk/amazon-bedrock',
    keyName: 'AWS_BEARER_TOKEN_BEDROCK',
    baseUrl: null,
    contextLength: 200_000,
    promptCache: 'bedrock',
    connect: async ({ model, baseUrl: baseURL, secret, environment, fetch }) => {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      const credentials = secret === null ? readAwsKeys(environment) : { apiKey: secret };
      const region =
        /bedrock-runtime\.([a-z0-9-]+)\./.exec(baseURL)?.[1] ?? environment.AWS_REGION ?? 'us-east-1';
      return createAmazonBedrock({ baseURL, region, ...credentials, fetch })(model);
    },
  },
};

function readAwsKeys(environment: Environment) {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_SESSION_TOKEN: token } = environment;
  return { accessKeyId: id ?? '', secretAccessKey: key ?? '', ...(token ? { sessionToken: token } : {}) };
}

/** Variables whose values are secrets of vendors, whatever the settings name. */
export const secretVariables: readonly string[] = [
  ...Object.values(providers).map(({ keyName }) => keyName),
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
];

/** Tells whether a vendor may be asked without a key: the environment holds other credentials, or a package knows more. */
export function hasOtherCredentials(name: string, environment: Environment): boolean {
  if (!isProviderName(name)) return true;
  return name === 'bedrock' && Boolean(environment.AWS_ACCESS_KEY_ID && environment.AWS_SECRET_ACCESS_KEY);
}

/** Says what to install where an error says that a vendor's package is missing; any other error stays as it is. */
export function explainMissing(name: ProviderName, error: unknown): unknown {
  if ((error as { readonly code?: unknown } | null)?.code !== 'ERR_MODULE_NOT_FOUND') return error;
  const { package: missing } = providers[name];
  return new ModelSettingsError(
    `llm.provider "${name}" needs the package ${missing}, which is not installed.`,
    {
      fault: 'package-missing',
      remedy: `Install it beside this program: npm install ${missing}`,
      cause: error,
    },
  );
}

/**
 * Connects to a vendor's own endpoint.
 *
 * @throws ModelSettingsError that names the package where it is not installed
 */
export async function connectProvider(
  name: ProviderName,
  settings: ProviderSettings,
): Promise<LanguageModel> {
  return providers[name].connect(settings).catch((error: unknown) => {
    throw explainMissing(name, error);
  });
}
