import { BotError } from '../bot-error.ts';
import { toErrorCode } from './find-error-code.ts';
import { type ResponsesResponse, responsesResponseSchema } from './responses-response.ts';

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
