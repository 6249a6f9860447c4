import { isDocumentedKey } from './known-fields.ts';
import { toKnownHeaders } from './known-headers.ts';
import { findKnownRoute, findModelServer, nameQuery, type Service } from './known-routes.ts';
import { type Shape, toBodyShape } from './shape.ts';
import type { failureWords, ShapeLine } from './shape-line.ts';

/** Parts of a recording fetch. */
export interface RecordingOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly source: ShapeLine['source'];
  /** Receives each line when the whole answer was read. */
  readonly write: (line: ShapeLine) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives the reading of a copy of each answer, which can last longer than the request. */
  readonly onPending?: ((work: Promise<unknown>) => void) | undefined;
  /** Fields of a service that are named. Default: the fields that its vendors document. */
  readonly isKnown?: ((service: Service) => (key: string) => boolean) | undefined;
}

const maxBytes = 4_000_000;

type Asked = Pick<ShapeLine, 'service' | 'route' | 'query' | 'server' | 'request'> & {
  readonly perPage: number | null;
};

/** Sends requests, and records the shapes of each request and its answer. A fault of the recorder changes no request. */
export function createRecordingFetch(options: RecordingOptions): typeof globalThis.fetch {
  const { fetch: send, source, write, now, isKnown = isDocumentedKey, onPending = () => {} } = options;
  return async (input, init) => {
    const at = now();
    const asked = await attempt(() => readRequest(input, { init, isKnown }));
    const record = (
      answer: Pick<ShapeLine, 'status' | 'failure' | 'headers' | 'isFullPage' | 'answer'>,
    ): void => {
      if (asked === null) return;
      const { perPage: _, ...request } = asked;
      write({ at, source, ...request, milliseconds: Math.max(0, now() - at), ...answer });
    };
    const noAnswer = { status: null, headers: {}, isFullPage: null, answer: null };
    try {
      const response = await send(input, init);
      const copy = await attempt(() => response.clone());
      if (asked !== null && copy !== null) {
        const read = { asked, isKnown: isKnown(asked.service), signal: findSignal(input, init) };
        onPending(attempt(async () => record(await readAnswer(copy, read))));
      }
      return response;
    } catch (error) {
      await attempt(() => record({ ...noAnswer, failure: toFailure(error, findSignal(input, init)) }));
      throw error;
    }
  };
}

/** Runs a step of the recorder. Null if it fails: what is recorded must not disturb what is at work. */
async function attempt<Result>(step: () => Result | Promise<Result>): Promise<Result | null> {
  try {
    return await step();
  } catch {
    return null;
  }
}

function readRequest(
  input: Parameters<typeof fetch>[0],
  {
    init,
    isKnown,
  }: {
    readonly init: RequestInit | undefined;
    readonly isKnown: (service: Service) => (key: string) => boolean;
  },
): Asked {
  const isRequest = input instanceof Request;
  const url = new URL(isRequest ? input.url : input);
  const method = (init?.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
  const body = typeof init?.body === 'string' ? init.body : null;
  const { service, route } = findKnownRoute(method, url);
  const isField = isKnown(service);
  const query = [...new Set(url.searchParams.keys())].filter(isField).sort();
  return {
    service,
    route: route + nameQuery(route, body),
    query,
    server: service === 'model' ? findModelServer(url) : null,
    request:
      body === null || service === 'other'
        ? null
        : toBodyShape({ text: body, contentType: 'application/json' }, isField),
    perPage: Number(url.searchParams.get('per_page')) || null,
  };
}

async function readAnswer(
  response: Response,
  {
    asked: { service, perPage },
    isKnown,
    signal,
  }: {
    readonly asked: Asked;
    readonly isKnown: (key: string) => boolean;
    readonly signal: AbortSignal | null;
  },
): Promise<Pick<ShapeLine, 'status' | 'failure' | 'headers' | 'isFullPage' | 'answer'>> {
  const { status, headers } = response;
  const read = await readText(response, signal);
  const contentType = headers.get('content-type') ?? '';
  const answer = service === 'other' ? null : toBodyShape({ text: read.text, contentType }, isKnown);
  return {
    status,
    failure: read.failure,
    headers: toKnownHeaders(headers),
    isFullPage: perPage === null ? null : isFullPage(read.text, { perPage, answer }),
    answer,
  };
}

function isFullPage(
  text: string | null,
  { perPage, answer }: { readonly perPage: number; readonly answer: Shape | null },
): boolean | null {
  if (text === null || answer?.$?.includes('array') !== true) return null;
  return (JSON.parse(text) as readonly unknown[]).length >= perPage;
}

/** Reads a body to its end. Text null if it is too long, or was broken off. */
async function readText(
  response: Response,
  signal: AbortSignal | null,
): Promise<{ readonly text: string | null; readonly failure: ShapeLine['failure'] }> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return { text: null, failure: null };
      text += decoder.decode(chunk, { stream: true });
    }
    return { text: text + decoder.decode(), failure: null };
  } catch (error) {
    const failure = toFailure(error, signal);
    return { text: null, failure: failure === 'not connected' ? 'broken off' : failure };
  }
}

function findSignal(...[input, init]: Parameters<typeof fetch>): AbortSignal | null {
  return init?.signal ?? (input instanceof Request ? input.signal : null);
}

/** The error of an aborted request is the reason of its signal, which can be any error. */
function toFailure(error: unknown, signal: AbortSignal | null): (typeof failureWords)[number] {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return 'timed out';
  return name === 'AbortError' || signal?.aborted === true ? 'aborted' : 'not connected';
}
