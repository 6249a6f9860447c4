import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
} from '@agent/text/options';
import { type ListedModel, readModelList } from '../chat-models.ts';
import { classifyAnswer } from '../failures/classify-answer.ts';
import { describeReason } from '../failures/model-failure.ts';
import { readErrorBody } from '../failures/read-error-body.ts';
import { formatErrorCode, ModelError, toErrorCode } from './model-error.ts';

/** A model server, for one exchange. */
export interface ModelServer {
  /** A slash at its end does not count. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** One request to a model server. */
export interface ModelQuestion {
  /** Behind the base URL. */
  readonly path: string;
  /** Sent as JSON with POST; null: a GET. */
  readonly body: object | null;
}

/** Body of its answer. */
export interface ModelAnswer {
  /** Tells whether it comes as server-sent events. */
  readonly isStream: boolean;
  /** @throws ModelError `model-unreachable` when it breaks off */
  readonly text: () => Promise<string>;
  /** The same in pieces. */
  readonly chunks: AsyncIterable<string>;
}

/** Sends a request. @throws ModelError `model-unreachable`, or by what an answer that is an error shows */
export async function requestText(server: ModelServer, question: ModelQuestion): Promise<ModelAnswer> {
  const response = await send(server, question);
  if (!response.ok) throw await toStatusError(response);
  const chunks = readChunks(response);
  return {
    isStream: response.headers.get('content-type')?.startsWith('text/event-stream') === true,
    chunks,
    text: () => joinAll(chunks),
  };
}

async function toStatusError(response: Response): Promise<ModelError> {
  const body = await joinAll(readChunks(response));
  let error: unknown = null;
  try {
    ({ error } = JSON.parse(body));
  } catch {
    // Proxies answer with pages.
  }
  const { status } = response;
  const text = `the model server answered with ${status}${formatErrorCode(error)}`;
  const headers = Object.fromEntries(response.headers);
  const failure = classifyAnswer({ status, headers, body: readErrorBody(body) }, Date.now);
  return new ModelError(toErrorCode(failure, 'model-status'), text, { status });
}

async function send(server: ModelServer, { path, body }: ModelQuestion): Promise<Response> {
  const { baseUrl, apiKey, fetch: request, signal } = server;
  const headers = {
    accept: 'application/json, text/event-stream',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const sent = body === null ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    // A redirect would carry the conversation to another host.
    const url = baseUrl.replace(/(?<!\/)\/+$/, '') + path;
    return await request(url, { headers, signal, redirect: 'manual', ...sent });
  } catch (error) {
    throw toUnreachable(error);
  }
}

async function* readChunks(response: Response): AsyncGenerator<string> {
  try {
    yield* response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  } catch (error) {
    throw toUnreachable(error);
  }
}

function toUnreachable(error: unknown): ModelError {
  return new ModelError('model-unreachable', `cannot reach the model server: ${describeReason(error)}`, {
    cause: error,
  });
}

async function joinAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** Lists the models of a server; none where it has no list. @throws ModelError `model-unreachable`; the signal's reason */
async function listModels(server: ModelServer): Promise<readonly ListedModel[]> {
  try {
    const answer = await requestText(server, { path: '/models', body: null });
    return readModelList(JSON.parse((await answer.text()).replace(/^\uFEFF/, ''))) ?? [];
  } catch (error) {
    server.signal.throwIfAborted();
    if (ModelError.isInstance(error) && error.code === 'model-unreachable') throw error;
    return [];
  }
}

/**
 * The first model that a server lists and that can chat. Null if it lists none or has no list, so that the request names none.
 * Requested each time, because people switch models.
 *
 * @see decision D17
 */
export async function findFirstModel(server: ModelServer): Promise<string | null> {
  const models = await listModels(server);
  return models.find(({ isChat }) => isChat)?.name ?? null;
}

/** Address of a model server, and how long it is waited for. */
export interface ModelServerOptions {
  readonly baseUrl: string;
  /** Default: null, none is sent. */
  readonly apiKey?: string | null | undefined;
  /** Default: 5,000, long enough for a server on this machine or the next one. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const expectations: ExpectationsOf<ModelServerOptions> = {
  baseUrl: expected.httpUrl,
  apiKey: { ...expectNullable(expected.text), isSecret: true },
  timeoutMs: expectNumber(0),
  fetch: expected.function,
};

/** Finds why a model server cannot be asked; null when it can, whatever it answers. */
export async function findUnreachable(options: ModelServerOptions): Promise<string | null> {
  checkOptions('ModelServerOptions', options, expectations, ['baseUrl']);
  const { baseUrl, apiKey = null, timeoutMs = 5_000, fetch = globalThis.fetch } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await listModels({ baseUrl, apiKey, fetch, signal });
    return null;
  } catch (error) {
    return signal.aborted ? `${timeoutMs / 1_000} s` : (error as ModelError).message;
  }
}
