import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import { toErrorCode } from './request-text.ts';

const partSchema = z.object({
  type: z.string().nullish(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});

/**
 * An answer of a Responses API, as far as the bot reads it. Servers leave out what OpenAI's always has.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object
 */
const responsesResponseSchema = z.object({
  id: z.string().nullish(),
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
  error: z.unknown().optional(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
});

export type ResponsesResponse = z.infer<typeof responsesResponseSchema>;

export type ContentPart = z.infer<typeof partSchema>;

/** Reads an answer's JSON. @throws BotError `model-unreadable`; `model-failed` when the answer says that there is none */
export function parseResponse(text: string): ResponsesResponse {
  return checkResponse(parseJson(text));
}

/** The same for what was parsed already. */
export function checkResponse(json: unknown): ResponsesResponse {
  const parsed = responsesResponseSchema.safeParse(json);
  if (!parsed.success) {
    throw new BotError('model-unreadable', 'the answer of the model has an unknown shape', {
      cause: parsed.error,
    });
  }
  const { data } = parsed;
  if (data.status === 'failed' || data.status === 'cancelled' || (data.error ?? null) !== null) {
    throw toModelFailure(data.error);
  }
  if ((data.output ?? null) === null && (data.output_text ?? null) === null) {
    throw new BotError('model-unreadable', 'the answer of the model has no output');
  }
  return data;
}

/** What a server says about its failure may quote the conversation; its code does not. */
export function toModelFailure(error: unknown): BotError {
  const code = toErrorCode(error);
  const reason = code === null ? '' : ` (${code})`;
  return new BotError('model-failed', `the model reports that it failed${reason}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    throw new BotError('model-unreadable', 'the answer of the model is no JSON');
  }
}

/**
 * The text of an answer: that of its messages, in their order, never what the model thought or called. A refusal is
 * what the model has to say.
 */
export function extractOutputText(response: ResponsesResponse): string {
  const parts = (response.output ?? [])
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : (content ?? []).map((part) => textOf(part)),
    );
  const text = parts.join('').trim();
  return text === '' ? (response.output_text ?? '').trim() : text;
}

function textOf(part: ContentPart): string {
  if (part.type === 'refusal') return part.refusal ?? '';
  return part.type === 'output_text' || part.type === 'text' ? (part.text ?? '') : '';
}
