import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import { checkResponse, toModelFailure } from './parse-response.ts';
import { readEvents } from './read-events.ts';
import type { ResponsesResponse } from './responses-response.ts';

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
