import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Engine, EngineError } from './engine.ts';
import { createQueue } from './queue.ts';
import { RequestError, readChatRequest, readResponsesRequest } from './read-request.ts';
import { ChatWriter, ResponsesWriter } from './write-answer.ts';

/** An OpenAI-compatible server on loopback in front of a local model. */
export interface Front {
  /** `http://127.0.0.1:41234/v1` */
  readonly baseUrl: string;
  /** Figures of all requests so far. */
  readonly counts: () => FrontCounts;
  readonly close: () => Promise<void>;
}

export interface FrontCounts {
  readonly requests: number;
  readonly refused: number;
  readonly aborted: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Facts of one request, for a log. */
export interface FrontExchange {
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  /** The answer, or the message of the error. */
  readonly answer: unknown;
  readonly durationMs: number;
}

export interface FrontOptions {
  readonly engine: Engine;
  readonly onExchange?: ((exchange: FrontExchange) => void) | undefined;
}

const endpoints = {
  '/v1/chat/completions': { read: readChatRequest, Writer: ChatWriter },
  '/v1/responses': { read: readResponsesRequest, Writer: ResponsesWriter },
} as const;

/** Starts it on a free port. Requests are answered one after the other. */
export async function startFront({ engine, onExchange = () => {} }: FrontOptions): Promise<Front> {
  const enqueue = createQueue();
  const counts = { requests: 0, refused: 0, aborted: 0, promptTokens: 0, completionTokens: 0 };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    if (incoming.method === 'GET' && path === '/v1/models')
      return sendJson(outgoing, 200, { object: 'list', data: [describeModel(engine)] });
    const endpoint = Object.entries(endpoints).find(([name]) => name === path)?.[1];
    if (incoming.method !== 'POST' || endpoint === undefined)
      return sendError(outgoing, {
        status: 404,
        code: null,
        message: `Unknown endpoint: ${incoming.method} ${path}`,
      });
    const startedAt = performance.now();
    const body = parseBody(await text(incoming));
    const end = (status: number, given: unknown): void =>
      onExchange({
        path,
        body,
        status,
        answer: given,
        durationMs: Math.round(performance.now() - startedAt),
      });
    counts.requests += 1;
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort(new Error('The client closed the connection')));
    const writer = new endpoint.Writer(outgoing, engine.model);
    try {
      const { request, isStreamed, includesUsage } = endpoint.read(body);
      const onText = isStreamed ? (piece: string) => writer.addText(piece) : undefined;
      const given = await enqueue(() => {
        gone.signal.throwIfAborted();
        return engine.answer(request, { signal: gone.signal, ...(onText && { onText }) });
      });
      counts.promptTokens += given.usage.promptTokens;
      counts.completionTokens += given.usage.completionTokens;
      writer.end(given, { isStreamed, includesUsage });
      end(200, given);
    } catch (error) {
      if (gone.signal.aborted) {
        counts.aborted += 1;
        return end(499, (error as Error).message);
      }
      counts.refused += 1;
      const refusal = toRefusal(error);
      sendError(outgoing, refusal);
      end(refusal.status, refusal.message);
    }
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    counts: () => ({ ...counts }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function describeModel({ model, contextLength }: Engine): object {
  return { id: model, object: 'model', created: 0, owned_by: 'local', max_model_len: contextLength };
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
}

function toRefusal(error: unknown): Refusal {
  const { message } = error as Error;
  if (error instanceof EngineError) return { status: 400, code: error.code, message };
  if (error instanceof RequestError) return { status: 400, code: null, message };
  return { status: 500, code: 'server_error', message };
}

function sendError(outgoing: ServerResponse, { status, code, message }: Refusal): void {
  // A stream that began cannot be refused any more.
  if (outgoing.headersSent) return void outgoing.destroy();
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  sendJson(outgoing, status, { error: { message, type, param: null, code } });
}

function sendJson(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
