import { parseJson } from '@agent/text/json';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { classifyAnswer } from '../failures/classify-answer.ts';
import { readErrorBody } from '../failures/read-error-body.ts';
import { formatErrorCode, ModelError, toErrorCode } from './model-error.ts';

const partSchema = z.object({
  type: z.string().nullish(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});

/**
 * An answer of a Responses API, as far as it is read here. Servers leave out what OpenAI's always has.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object
 */
const responsesResponseSchema = z.object({
  status: z.string().nullish(),
  output: z
    .array(
      z.object({
        type: z.string().nullish(),
        content: z.union([z.string(), z.array(partSchema)]).nullish(),
      }),
    )
    .nullish(),
  output_text: z.string().nullish(),
  usage: z
    .object({ input_tokens: z.number().nullish().catch(null) })
    .nullish()
    .catch(null),
  error: z.unknown().optional(),
});

export type ResponsesResponse = z.infer<typeof responsesResponseSchema>;

/** Reads an answer's JSON. @throws ModelError `model-unreadable`; `model-failed` when the answer says that there is none */
export function parseResponse(text: string): ResponsesResponse {
  const json = parseJson(text);
  // The parser's message would quote the text.
  if (json === undefined) throw new ModelError('model-unreadable', 'the answer of the model is not JSON');
  return checkResponse(json);
}

/** The same for what was parsed already. */
function checkResponse(json: unknown): ResponsesResponse {
  const parsed = responsesResponseSchema.safeParse(json);
  if (!parsed.success) {
    throw new ModelError('model-unreadable', 'the answer of the model has an unknown shape', {
      cause: parsed.error,
    });
  }
  const { data } = parsed;
  if (data.status === 'failed' || data.status === 'cancelled' || (data.error ?? null) !== null) {
    throw toModelFailure(data.error);
  }
  if ((data.output ?? null) === null && (data.output_text ?? null) === null) {
    throw new ModelError('model-unreadable', 'the answer of the model has no output');
  }
  return data;
}

function toModelFailure(error: unknown): ModelError {
  const failure = classifyAnswer({ status: null, headers: {}, body: readErrorBody({ error }) }, Date.now);
  const code = toErrorCode(failure, 'model-failed');
  return new ModelError(code, `the model reports that it failed${formatErrorCode(error)}`);
}

/**
 * The text of an answer: that of its messages, in their order, as the model wrote it. Calls and items of reasoning are left out. A
 * refusal is what the model has to say.
 */
export function readOutputText(response: ResponsesResponse): string {
  const parts = (response.output ?? [])
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : (content ?? []).map((part) => textOf(part)),
    );
  const text = parts.join('').trim();
  return text === '' ? (response.output_text ?? '').trim() : text;
}

function textOf(part: z.infer<typeof partSchema>): string {
  if (part.type === 'refusal') return part.refusal ?? '';
  return part.type === 'output_text' || part.type === 'text' ? (part.text ?? '') : '';
}

const eventSchema = z.object({
  type: z.string(),
  delta: z.string().nullish(),
  refusal: z.string().nullish(),
  response: z.unknown().optional(),
});

type StreamEvent = z.infer<typeof eventSchema>;

const ends = new Set(['response.completed', 'response.incomplete', 'response.failed']);

const growth = new Set(['response.output_text.delta', 'response.refusal.delta']);

/**
 * Follows an answer as it grows; gives it whole.
 *
 * @throws ModelError `model-failed`, or `model-unreadable` when the stream ends before the answer
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export async function readResponseStream(
  chunks: AsyncIterable<string>,
  onText: (textSoFar: string) => void,
): Promise<ResponsesResponse> {
  let text = '';
  for await (const data of readEvents(chunks)) {
    const event = parseEvent(data);
    if (event === null) continue;
    if (event.type === 'error') throw toModelFailure(JSON.parse(data));
    if (ends.has(event.type)) return withText(event, text);
    if (growth.has(event.type) && event.delta) {
      text += event.delta;
      onText(text);
    }
  }
  throw new ModelError('model-unreadable', 'the stream of the model ended before its answer');
}

/** Some servers leave the text out of the last event. */
function withText({ type, response }: StreamEvent, text: string): ResponsesResponse {
  const given = response ?? { status: type.replace('response.', '') };
  const whole = checkResponse({ output: [], ...(given as object) });
  return (whole.output ?? []).some((item) => item.type === 'message')
    ? whole
    : { ...whole, output_text: text };
}

function parseEvent(data: string): StreamEvent | null {
  return eventSchema.safeParse(parseJson(data)).data ?? null;
}

/** The data of server-sent events. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export async function* readEvents(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => void data.push(event.data) });
  for await (const chunk of chunks) {
    parser.feed(chunk);
    yield* data.splice(0);
  }
  // Servers that close at once may leave out the last empty line.
  parser.feed('\n\n');
  yield* data;
}
