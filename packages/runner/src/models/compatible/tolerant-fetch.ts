import { type AnswerError, findErrorInAnswer, findReportedError } from './answer-error.ts';
import { normalizeAnswer } from './normalize-answer.ts';
import type { ToolNames } from './normalize-parts.ts';
import { normalizeStream } from './normalize-stream.ts';
import { isRecord, type JsonRecord, parseJson, readJsonBody } from './read-json-body.ts';
import { applyChanges, FieldChanges, findRefusedFields } from './refused-fields.ts';

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
const refusals: ReadonlySet<number> = new Set([400, 422]);

/** Status of an error instead of an answer that names none. */
const unnamedStatus = 502;

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
      const answer = await readAnswer(response, { request: sent, isChat: url.includes('/chat/completions') });
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

async function readAnswer(response: Response, { request, isChat }: RequestFacts): Promise<ReadAnswer> {
  const type = response.headers.get('content-type') ?? '';
  const tools = listToolNames(request);
  const isStream = request.stream === true && isChat;
  if (response.ok && request.stream === true && response.body !== null && !type.includes('json')) {
    const body = isChat ? response.body.pipeThrough(normalizeStream(tools)) : response.body;
    return { response: new Response(body, headOf(response)), error: null };
  }
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    // As a break in the middle of the body, which the SDK explains.
    const body = new ReadableStream({ start: (controller) => controller.error(error) });
    return { response: new Response(body, headOf(response)), error: null };
  }
  const body = readJsonBody(text);
  const error = response.ok ? findErrorInAnswer(body) : findReportedError(body);
  if (error !== null) return { response: toErrorResponse(response, error), error };
  if (!(response.ok && isChat && isRecord(body)))
    return { response: new Response(text, headOf(response)), error };
  if (isStream) return { response: toStream(response, { text: JSON.stringify(body), tools }), error };
  return { response: new Response(JSON.stringify(normalizeAnswer(body, tools)), headOf(response)), error };
}

/** An answer that was to be a stream and came whole. */
function toStream(
  response: Response,
  { text, tools }: { readonly text: string; readonly tools: ToolNames },
): Response {
  const { headers } = headOf(response);
  headers.set('content-type', 'text/event-stream');
  const events = new Response(`data: ${text}\n\ndata: [DONE]\n\n`).body;
  return new Response(events?.pipeThrough(normalizeStream(tools)), { headers });
}

function toErrorResponse(response: Response, { status, body }: AnswerError): Response {
  const { headers, statusText } = headOf(response);
  headers.set('content-type', 'application/json');
  const init = { headers, statusText: response.ok ? '' : statusText };
  return new Response(JSON.stringify(body), {
    ...init,
    status: response.ok ? (status ?? unnamedStatus) : response.status,
  });
}

/** The length of a body that is changed is another one. */
function headOf({ status, statusText, headers: given }: Response) {
  const headers = new Headers(given);
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
