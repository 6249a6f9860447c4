import { z } from 'zod';
import { BotError } from '../bot-error.ts';

const codeSchema = z
  .string()
  .regex(/^[\w.-]{1,60}$/)
  .nullish()
  .catch(null);

const errorSchema = z.object({ code: codeSchema, type: codeSchema });

const bodySchema = z.object({ error: errorSchema });

/** The code by which a server names its error, e.g. `model_not_found`; null where it names none. */
function findErrorCode(body: string): string | null {
  try {
    const { data } = bodySchema.safeParse(JSON.parse(body));
    return data === undefined ? null : toErrorCode(data.error);
  } catch {
    return null;
  }
}

/** The code or else the type of an error that a server names; null for what is none. */
export function toErrorCode(error: unknown): string | null {
  const { data } = errorSchema.safeParse(error);
  return data?.code ?? data?.type ?? null;
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

/** What a server says about an error may quote the conversation; its code does not. */
async function toStatusError(response: Response): Promise<BotError> {
  const code = findErrorCode(await joinAll(readChunks(response)));
  const reason = code === null ? '' : ` (${code})`;
  const { status } = response;
  return new BotError('model-status', `the model server answered with ${status}${reason}`, { status });
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
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw toUnreachable(error);
  }
  yield decoder.decode();
}

function toUnreachable(error: unknown): BotError {
  return new BotError('model-unreachable', `cannot reach the model server: ${describeReason(error)}`, {
    cause: error,
  });
}

async function joinAll(chunks: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.join('');
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
