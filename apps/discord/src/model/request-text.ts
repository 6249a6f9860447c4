import { z } from 'zod';
import { BotError } from '../bot-error.ts';

const codeSchema = z
  .string()
  .regex(/^[\w.-]{1,60}$/)
  .nullish()
  .catch(null);

const errorSchema = z.object({ code: codeSchema, type: codeSchema });

/**
 * The code by which a server names its error, e.g. `model_not_found`, in brackets behind a blank; empty where it names none. What
 * else it says may quote the conversation.
 */
export function formatErrorCode(error: unknown): string {
  const { data } = errorSchema.safeParse(error);
  const code = data?.code ?? data?.type ?? null;
  return code === null ? '' : ` (${code})`;
}

export interface ModelQuestion {
  /** Behind the base URL. */
  readonly path: string;
  /** Sent as JSON with POST; null: a GET. */
  readonly body: object | null;
}

export interface ModelAnswer {
  /** Tells whether it comes as server-sent events. */
  readonly isStream: boolean;
  /** @throws BotError `model-unreachable` when it breaks off */
  readonly text: () => Promise<string>;
  /** The same in pieces. */
  readonly chunks: AsyncIterable<string>;
}

/** @throws BotError `model-unreachable` or `model-status` */
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

async function toStatusError(response: Response): Promise<BotError> {
  const body = await joinAll(readChunks(response));
  let error: unknown = null;
  try {
    ({ error } = JSON.parse(body));
  } catch {
    // Proxies answer with pages.
  }
  const { status } = response;
  const text = `the model server answered with ${status}${formatErrorCode(error)}`;
  return new BotError('model-status', text, { status });
}

async function send(server: ModelServer, { path, body }: ModelQuestion): Promise<Response> {
  const { baseUrl, apiKey, fetch, signal } = server;
  const headers = {
    accept: 'application/json, text/event-stream',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const sent = body === null ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    // A redirect would carry the conversation to another host.
    const url = baseUrl.replace(/(?<!\/)\/+$/, '') + path;
    return await fetch(url, { headers, signal, redirect: 'manual', ...sent });
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

function toUnreachable(error: unknown): BotError {
  return new BotError('model-unreachable', `cannot reach the model server: ${describeReason(error)}`, {
    cause: error,
  });
}

async function joinAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** Finds why something on the network failed: fetch hides it in a chain of causes. */
export function describeReason(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message } = (last ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? last);
}

/** A model server, for one exchange. */
export interface ModelServer {
  /** A slash at its end does not count. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}
