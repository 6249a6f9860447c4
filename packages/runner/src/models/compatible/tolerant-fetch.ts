import { isRecord, type JsonRecord, parseJson } from '@agent/text/json';
import { type AnswerError, findErrorInAnswer, findReportedError, unnamedStatus } from './answer-error.ts';
import { assembleAnswer } from './assemble-answer.ts';
import { normalizeAnswer } from './normalize-answer.ts';
import type { ToolNames } from './normalize-parts.ts';
import { normalizeStream } from './normalize-stream.ts';
import { readJsonBody, unwrapAnswer } from './read-json-body.ts';
import { applyChanges, FieldChanges, findRefusedFields } from './refused-fields.ts';
import { createEventReader, findErrorInEvent, listEvents, peekBody } from './stream-events.ts';

/** Options of `tolerateDialects`. */
export interface TolerantFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** False to leave answers as they are, and change requests alone. Default true. */
  readonly normalizes?: boolean | undefined;
  /** Default: one memory for the process. */
  readonly changes?: FieldChanges | undefined;
}

const changesOfProcess = new FieldChanges();

/** Changes to one request that are tried, one refusal after the other. */
const maxChanges = 8;

/** Statuses with which endpoints refuse a field. */
const refusals: ReadonlySet<number> = new Set([400, 422, unnamedStatus]);

/**
 * A `fetch` for OpenAI-compatible endpoints. It brings answers of the chat endpoint into the form that the SDK reads, reports an error
 * that was sent instead of an answer under the status of that error, and repeats a request without the fields that the
 * endpoint refuses.
 */
export function tolerateDialects({
  fetch: send,
  normalizes = true,
  changes = changesOfProcess,
}: TolerantFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = typeof init?.body === 'string' ? parseJson(init.body) : undefined;
    if (!isRecord(request)) return send(input, init);
    const url = input instanceof Request ? input.url : String(input);
    const endpoint = `${url} ${String(request.model)}`;
    for (let attempt = 1; ; attempt += 1) {
      const sent = applyChanges(request, changes.list(endpoint));
      const response = await send(input, { ...init, body: JSON.stringify(sent) });
      if (!normalizes && !refusals.has(response.status)) return response;
      const isChat = url.includes('/chat/completions');
      const answer = await readAnswer(response, { request: sent, isChat });
      if (!refusals.has(answer.response.status) || attempt > maxChanges) return answer.response;
      const refused = findRefusedFields(sent, answer.error?.body);
      if (refused.length === 0) return answer.response;
      changes.add(endpoint, refused);
    }
  };
}

interface ReadAnswer {
  readonly response: Response;
  readonly error: AnswerError | null;
}

interface RequestFacts {
  readonly request: JsonRecord;
  readonly isChat: boolean;
}

async function readAnswer(given: Response, facts: RequestFacts): Promise<ReadAnswer> {
  const { request, isChat } = facts;
  let response = given;
  if (response.ok && request.stream === true && response.body !== null) {
    const { start, body } = await peekBody(response.body, (text) => findForm(text) !== 'unknown');
    response = new Response(body, headOf(response));
    if (findForm(start) !== 'json') return isChat ? readStream(response, facts) : { response, error: null };
  }
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    // As a break in the middle of the body, which the SDK explains.
    const body = new ReadableStream({ start: (controller) => controller.error(error) });
    return { response: new Response(body, headOf(response)), error: null };
  }
  const error = findError(response, text);
  if (error !== null) return { response: toErrorResponse(response, error), error };
  const body = unwrapAnswer(readJsonBody(text) ?? (isChat ? assembleAnswer(text) : null));
  if (!(response.ok && isChat && isRecord(body)))
    return { response: new Response(text, headOf(response)), error };
  const tools = listToolNames(request);
  if (request.stream === true) return { response: toStream(response, { body, tools }), error };
  const answer = JSON.stringify(normalizeAnswer(body, tools));
  return { response: new Response(answer, headOf(response, { type: 'application/json' })), error };
}

/** Form of a body by its beginning, whatever its type says: comments of a stream can come before either. */
function findForm(start: string): 'json' | 'other' | 'unknown' {
  const lines = start.split('\n').map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !line.startsWith(':'));
  if (first === undefined) return 'unknown';
  return first.startsWith('{') || first.startsWith('[') ? 'json' : 'other';
}

function findError(response: Response, text: string): AnswerError | null {
  const body = readJsonBody(text);
  if (!response.ok) return findReportedError(body);
  if (body !== undefined) return findErrorInAnswer(body);
  return (
    listEvents(text)
      .map(findErrorInEvent)
      .find((error) => error !== null) ?? null
  );
}

/** A stream. An error that is its first event is reported as an answer would be. */
async function readStream(given: Response, { request }: RequestFacts): Promise<ReadAnswer> {
  if (given.body === null) return { response: given, error: null };
  const { start, body } = await peekBody(given.body, (text) => createEventReader()(text).length > 0);
  const [first] = listEvents(start);
  const error = first === undefined ? null : findErrorInEvent(first);
  if (error !== null) {
    void body.cancel().catch(() => undefined);
    return { response: toErrorResponse(given, error), error };
  }
  const stream = body.pipeThrough(normalizeStream(listToolNames(request)));
  return { response: new Response(stream, headOf(given, { type: 'text/event-stream' })), error };
}

/** An answer that was to be a stream and came whole. */
function toStream(
  response: Response,
  { body, tools }: { readonly body: JsonRecord; readonly tools: ToolNames },
): Response {
  const events = new Response(`data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`).body;
  const stream = events?.pipeThrough(normalizeStream(tools));
  return new Response(stream, headOf(response, { type: 'text/event-stream' }));
}

function toErrorResponse(response: Response, { status, body }: AnswerError): Response {
  const { headers, statusText } = headOf(response, { type: 'application/json' });
  const init = { headers, statusText: response.ok ? '' : statusText };
  return new Response(JSON.stringify(body), {
    ...init,
    status: response.ok ? (status ?? unnamedStatus) : response.status,
  });
}

/** The length of a body that is changed is another one. */
function headOf({ status, statusText, headers: given }: Response, { type }: { readonly type?: string } = {}) {
  const headers = new Headers(given);
  if (type !== undefined) headers.set('content-type', type);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return { status, statusText, headers };
}

function listToolNames({ tools }: JsonRecord): ToolNames {
  const names = (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    const name = isRecord(tool) && isRecord(tool.function) ? tool.function.name : null;
    return typeof name === 'string' ? [name] : [];
  });
  return new Set(names);
}
