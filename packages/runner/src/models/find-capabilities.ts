import { boundFetch } from '../call-limits.ts';
import { isRecord, type JsonRecord, parseJson } from './compatible/read-json-body.ts';
import type { ModelEndpoint } from './create-model.ts';

/** Capabilities of a model as its server reports them; null for what the server does not report. */
export interface ModelCapabilities {
  /** Tokens of its window as it is loaded; the most that it could have, if the server does not report more. */
  readonly contextLength: number | null;
  /** Reported length that cannot be used, such as 0 or -1; null if there is no such report. */
  readonly unusableContextLength: number | null;
  readonly toolCalls: boolean | null;
  readonly structuredOutput: boolean | null;
  readonly reasoning: boolean | null;
  readonly images: boolean | null;
}

/** Smallest window that a run can work in, in tokens. */
export const minContextLength = 8_192;

/** Options of `findCapabilities`. */
export interface FindCapabilitiesOptions {
  readonly model: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for each request. Default 3,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out what a server reports about a model: in its list of models, and under the addresses of LM Studio, Ollama and llama.cpp.
 * Null if it reports nothing.
 */
export async function findCapabilities(
  endpoint: ModelEndpoint,
  options: FindCapabilitiesOptions,
): Promise<ModelCapabilities | null> {
  const ask = createAsk(endpoint, options);
  const baseUrl = endpoint.baseUrl.replace(/(?<!\/)\/+$/, '');
  const root = baseUrl.replace(/\/v\d+$/, '');
  const { model } = options;
  const listed = readListed(findEntry(await ask(`${baseUrl}/models`), model));
  if (listed.lengths.length > 0) return summarize([listed]);
  const [lmStudio, ollama, llamaCpp] = await Promise.all([
    ask(`${root}/api/v0/models`).then((list) => readLmStudio(findEntry(list, model))),
    askOllama(ask, { root, model }),
    ask(`${root}/props`).then(readLlamaCpp),
  ]);
  return summarize([lmStudio, ollama, llamaCpp, listed]);
}

type Ask = (url: string, body?: object) => Promise<unknown>;

function createAsk({ secret }: ModelEndpoint, options: FindCapabilitiesOptions): Ask {
  const { fetch = globalThis.fetch, timeoutMs = 3_000, signal } = options;
  const send = boundFetch({ fetch });
  return async (url, body) => {
    const late = AbortSignal.timeout(timeoutMs);
    const headers = {
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    try {
      const within = signal === undefined ? late : AbortSignal.any([signal, late]);
      const response = await send(url, { headers, signal: within, ...sent });
      return response.ok ? parseJson(await response.text()) : null;
    } catch {
      // A server of another make: the other addresses tell.
      return null;
    }
  };
}

/** Part of what is known; of several lengths the first that is usable counts. */
interface Report {
  readonly lengths: readonly unknown[];
  readonly toolCalls?: boolean | undefined;
  readonly structuredOutput?: boolean | undefined;
  readonly reasoning?: boolean | undefined;
  readonly images?: boolean | undefined;
}

const unknown: Report = { lengths: [] };

function summarize(reports: readonly Report[]): ModelCapabilities | null {
  const lengths = reports.flatMap(({ lengths: given }) => given.map(Number)).filter(Number.isInteger);
  const firstOf = (name: 'toolCalls' | 'structuredOutput' | 'reasoning' | 'images') =>
    reports.map((report) => report[name]).find((value) => typeof value === 'boolean') ?? null;
  const contextLength = lengths.find((length) => length > 0) ?? null;
  const found: ModelCapabilities = {
    contextLength,
    unusableContextLength: contextLength === null ? (lengths[0] ?? null) : null,
    toolCalls: firstOf('toolCalls'),
    structuredOutput: firstOf('structuredOutput'),
    reasoning: firstOf('reasoning'),
    images: firstOf('images'),
  };
  return Object.values(found).every((value) => value === null) ? null : found;
}

function findEntry(list: unknown, model: string): JsonRecord | null {
  const entries = isRecord(list) && Array.isArray(list.data) ? list.data : Array.isArray(list) ? list : [];
  return entries.filter(isRecord).find(({ id }) => id === model) ?? null;
}

const names = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);
const present = (...values: readonly unknown[]) =>
  values.filter((value) => value !== undefined && value !== null);

/** An entry of `/models` as vLLM, OpenRouter, Groq, Mistral, Together, Fireworks and llama.cpp write it. */
function readListed(entry: JsonRecord | null): Report {
  if (entry === null) return unknown;
  const {
    supported_parameters: parameters,
    capabilities: can,
    architecture,
    meta,
    top_provider: top,
  } = entry;
  const list = names(parameters);
  const inputs = isRecord(architecture) ? names(architecture.input_modalities) : null;
  const flags = isRecord(can) ? can : {};
  return {
    lengths: present(
      isRecord(top) ? top.context_length : null,
      entry.max_model_len,
      entry.context_length,
      entry.context_window,
      entry.max_context_length,
      isRecord(meta) ? meta.n_ctx : null,
    ),
    toolCalls: list?.includes('tools') ?? toFlag(flags.function_calling ?? entry.supports_tools),
    structuredOutput: list === null ? undefined : list.includes('structured_outputs'),
    reasoning: list?.includes('reasoning') ?? toFlag(flags.reasoning),
    images: inputs?.includes('image') ?? toFlag(flags.vision ?? entry.supports_image_input),
  };
}

function toFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** @see https://lmstudio.ai/docs/developer/rest/endpoints */
function readLmStudio(entry: JsonRecord | null): Report {
  if (entry === null) return unknown;
  const can = names(entry.capabilities);
  return {
    lengths: present(entry.loaded_context_length, entry.max_context_length),
    toolCalls: can?.includes('tool_use'),
    images: entry.type === 'vlm' ? true : entry.type === 'llm' ? false : undefined,
  };
}

/** @see https://docs.ollama.com/api */
async function askOllama(
  ask: Ask,
  { root, model }: { readonly root: string; readonly model: string },
): Promise<Report> {
  const running = await ask(`${root}/api/ps`);
  if (!isRecord(running) || !Array.isArray(running.models)) return unknown;
  const shown = await ask(`${root}/api/show`, { model });
  if (!isRecord(shown)) return unknown;
  const loaded = running.models
    .filter(isRecord)
    .find(({ name, model: id }) => name === model || id === model);
  const info = isRecord(shown.model_info) ? shown.model_info : {};
  const most = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1];
  const set = /^[ \t]*num_ctx[ \t]+(-?\d+)/m.exec(String(shown.parameters ?? ''))?.[1];
  const can = names(shown.capabilities);
  return {
    lengths: present(loaded?.context_length, set, most),
    toolCalls: can?.includes('tools'),
    reasoning: can?.includes('thinking'),
    images: can?.includes('vision'),
  };
}

/** @see https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md */
function readLlamaCpp(props: unknown): Report {
  if (!isRecord(props)) return unknown;
  const { default_generation_settings: settings, modalities } = props;
  return {
    lengths: present(isRecord(settings) ? settings.n_ctx : null),
    images: isRecord(modalities) ? toFlag(modalities.vision) : undefined,
  };
}
