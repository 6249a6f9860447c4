import { checkEndpoint, endpointAddressOf, llmSchema } from '@agent/runner/models/config';

export const presets = ['lmstudio', 'ollama', 'openai'] as const;

/** Model endpoint whose address, API, and key are known. */
export type PresetName = (typeof presets)[number];

/** Model server that runs on this machine. */
export interface FoundModelServer {
  readonly preset: PresetName;
  readonly baseUrl: string;
  /** Names of its models that can chat, in its order. */
  readonly models: readonly string[];
}

/** Milliseconds for an answer: the servers are on this machine. */
const timeoutMs = 1_000;

/** Base URL of a preset. */
export function toPresetUrl(preset: PresetName): string {
  return endpointAddressOf(llmSchema.parse({ preset })) ?? '';
}

/** Finds the model servers that run on this machine at their usual ports. */
export async function findModelServers(fetch: typeof globalThis.fetch): Promise<readonly FoundModelServer[]> {
  const found = await Promise.all(
    (['lmstudio', 'ollama'] as const).map((preset) => askServer(preset, fetch)),
  );
  return found.filter((server) => server !== null);
}

async function askServer(
  preset: PresetName,
  fetch: typeof globalThis.fetch,
): Promise<FoundModelServer | null> {
  const baseUrl = toPresetUrl(preset);
  try {
    const response = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(timeoutMs) });
    const { readModelList } = await import('@agent/runner/models');
    const list = readModelList(await response.json());
    const models = list?.filter(({ isChat }) => isChat).map(({ name }) => name);
    return models === undefined ? null : { preset, baseUrl, models };
  } catch {
    // Whatever is wrong there: it is not a server to suggest.
    return null;
  }
}

/** Facts of a model endpoint that was chosen. */
export interface ChosenEndpoint {
  readonly preset: PresetName | null;
  readonly model: string;
  /** Null for that of the preset. */
  readonly llmBaseUrl: string | null;
}

/** Finds the context of a model that runs on a server without a key, in tokens; null if it is unknown or the default. */
export async function findContextLength(
  { preset, model, llmBaseUrl }: ChosenEndpoint,
  fetch: typeof globalThis.fetch,
): Promise<number | null> {
  if (preset === 'openai') return null;
  const llm = llmSchema.parse({ preset, model, base_url: llmBaseUrl });
  const { baseUrl, contextLength: usual } = checkEndpoint(llm, {});
  if (baseUrl === null) return null;
  const { findCapabilities, minContextLength } = await import('@agent/runner/models');
  const found = await findCapabilities({ baseUrl, secret: null }, { model, fetch, timeoutMs });
  const length = found?.contextLength ?? null;
  return length === null || length === usual || length < minContextLength ? null : length;
}
