import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import { checkResponse, type ResponsesResponse, toModelFailure } from './parse-response.ts';

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
 * @throws BotError `model-failed`, or `model-unreadable` when the stream ends before the answer
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
  throw new BotError('model-unreadable', 'the stream of the model ended before its answer');
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
  try {
    return eventSchema.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}

/** The data of server-sent events. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export async function* readEvents(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    const found = /^data: ?(.*)$/s.exec(line);
    if (found !== null) data.push(found[1] ?? '');
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
  // Servers that close at once may leave out the last empty line.
  if (data.length > 0) yield data.join('\n');
}

async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // A carriage return at the end may be half of a line's end.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest.replace(/\r$/, '');
}
