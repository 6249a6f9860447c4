import { isRecord, type JsonRecord } from '@agent/text/json';
import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { boundFetch } from '../call-limits.ts';
import { readJsonBody } from './compatible/read-json-body.ts';
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

const expectations: ExpectationsOf<FindCapabilitiesOptions> = {
  model: expected.text,
  fetch: expected.function,
  timeoutMs: expectNumber(0),
  signal: expected.signal,
};

/**
 * Finds out what a server reports about a model: in its list of models, and under the addresses of LM Studio, Ollama, llama.cpp, TGI and KoboldCpp.
 * Null if it reports nothing.
 */
export async function findCapabilities(
  endpoint: ModelEndpoint,
  options: FindCapabilitiesOptions,
): Promise<ModelCapabilities | null> {
  checkOptions('FindCapabilitiesOptions', options, expectations, ['model']);
  const ask = createAsk(endpoint, options);
  const baseUrl = endpoint.baseUrl.replace(/(?<!\/)\/+$/, '');
  const root = baseUrl.replace(/\/v\d+$/, '');
  const { model } = options;
  const listed = readListed(findEntry(await ask(`${baseUrl}/models`), model));
  if (listed.lengths.some((length) => (toLength(length) ?? 0) > 0)) return summarize([listed]);
  const [lmStudio, newLmStudio, ollama, llamaCpp, tgi, kobold] = await Promise.all([
    ask(`${root}/api/v0/models`).then((list) => readLmStudio(findEntry(list, model))),
    ask(`${root}/api/v1/models`).then((list) => readNewLmStudio(findEntry(list, model))),
    askOllama(ask, { root, model }),
    ask(`${root}/props`).then(readLlamaCpp),
    ask(`${root}/info`).then((info) => readField(info, 'max_total_tokens')),
    ask(`${root}/api/extra/true_max_context_length`).then((found) => readField(found, 'value')),
  ]);
  return summarize([lmStudio, newLmStudio, ollama, llamaCpp, tgi, kobold, listed]);
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
      return response.ok ? readJsonBody(await response.text()) : null;
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
  const lengths = reports
    .flatMap(({ lengths: given }) => given.map(toLength))
    .filter((length) => length !== null);
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

/** No model has a larger window. */
const mostTokens = 1e9;

/** A length as a whole number; null for anything else. Servers write numbers as texts, and the largest number for none. */
function toLength(value: unknown): number | null {
  const text = typeof value === 'string' ? value.replaceAll(/(?<=\d)[,_](?=\d{3})/g, '').trim() : value;
  const length = typeof text === 'number' || (typeof text === 'string' && text !== '') ? Number(text) : null;
  return length !== null && Number.isInteger(length) && length < mostTokens ? length : null;
}

/** Fields under which servers put the name of a model. */
const nameFields = ['id', 'name', 'model', 'key'] as const;

function findEntry(list: unknown, model: string): JsonRecord | null {
  const lists = isRecord(list) ? [list.data, list.models] : [list];
  const entries = lists.filter(Array.isArray).flat().filter(isRecord);
  const isNamed = (entry: JsonRecord, isSame: (name: string) => boolean): boolean =>
    nameFields.some((field) => typeof entry[field] === 'string' && isSame(entry[field]));
  const plain = (name: string): string => name.replace(/^models\//, '').replace(/:latest$/, '');
  return (
    entries.find((entry) => isNamed(entry, (name) => name === model)) ??
    entries.find((entry) => isNamed(entry, (name) => plain(name) === plain(model))) ??
    null
  );
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
      ...findLengths(entry),
    ),
    toolCalls: list?.includes('tools') ?? toFlag(flags.function_calling ?? entry.supports_tools),
    structuredOutput: list === null ? undefined : list.includes('structured_outputs'),
    reasoning: list?.includes('reasoning') ?? toFlag(flags.reasoning),
    images: inputs?.includes('image') ?? toFlag(flags.vision ?? entry.supports_image_input),
  };
}

const lengthName =
  /^(?:max_)?(?:context_(?:length|window|size|len)|context_window_tokens|ctx_(?:len|size)|model_len|prompt_tokens|input_tokens)$|^inputTokenLimit$/;

/** Lengths below the fields of an entry, the smallest first: a prompt has to fit all of them. */
function findLengths(entry: JsonRecord, depth = 0): readonly number[] {
  const found = Object.entries(entry).flatMap(([name, value]): readonly number[] => {
    if (isRecord(value)) return depth < maxDepth ? findLengths(value, depth + 1) : [];
    const length = lengthName.test(name) ? toLength(value) : null;
    return length === null ? [] : [length];
  });
  return found.toSorted((one, other) => one - other);
}

const maxDepth = 2;

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

/** @see https://lmstudio.ai/docs/developer/rest/list */
function readNewLmStudio(entry: JsonRecord | null): Report {
  if (entry === null) return unknown;
  const { loaded_instances: loaded, capabilities, max_context_length: most } = entry;
  const [instance] = Array.isArray(loaded) ? loaded : [];
  const config = isRecord(instance) && isRecord(instance.config) ? instance.config : {};
  const can = isRecord(capabilities) ? capabilities : {};
  return {
    lengths: present(config.context_length, most),
    toolCalls: toFlag(can.trained_for_tool_use),
    images: toFlag(can.vision),
  };
}

function readField(answer: unknown, name: string): Report {
  return isRecord(answer) ? { lengths: present(answer[name]) } : unknown;
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
    .find(({ name, model: id }) => [model, `${model}:latest`].some((one) => one === name || one === id));
  const set = /^[ \t]*num_ctx[ \t]+(-?\d+)/m.exec(String(shown.parameters ?? ''))?.[1];
  const can = names(shown.capabilities);
  return {
    // The most that the model could have is not what it is loaded with: Ollama cuts longer requests without an error.
    lengths: present(loaded?.context_length, set),
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
