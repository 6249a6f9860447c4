import { removeReasoning } from '@agent/text';
import { tolerateDialects } from '../models/compatible/tolerant-fetch.ts';
import { type ReplyTime, replyInTime } from './model-error.ts';
import { findFirstModel, requestText } from './model-server.ts';
import { readSpeakers } from './own-turn.ts';
import {
  parseResponse,
  type ResponsesResponse,
  readOutputText,
  readResponseStream,
} from './parse-response.ts';
import type { AnswerShape, ReplyModel } from './reply-model.ts';
import { ReplyText } from './reply-text.ts';

/** Server, model and limits of a client. */
export interface LmStudioClientOptions extends ReplyTime {
  /** Default: `http://localhost:1234/v1`. */
  readonly baseUrl?: string | undefined;
  /** Default: null, the first that the server lists. */
  readonly model?: string | null | undefined;
  /** Default: null, none is sent. */
  readonly apiKey?: string | null | undefined;
  readonly shape?: AnswerShape | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Options of one request. */
export interface CreateResponseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Asks for a stream, and hears the whole text so far at each piece. Default: null. */
  readonly onText?: ((textSoFar: string) => void) | null | undefined;
}

/**
 * Asks an OpenAI-compatible Responses API, as LM Studio has it. Every request says all there is to say: nothing rests
 * on what the server remembers, and nothing is asked twice.
 *
 * @example
 * const client = new LmStudioClient({ timeoutMs: 60_000 });
 * client.extractOutputText(await client.createResponse('user: alice: hello'));
 *
 * @see seed 003 §4.1 and decisions D14, D15, D17
 * @see https://lmstudio.ai/docs/developer/openai-compat/responses
 */
export class LmStudioClient {
  readonly #options;

  constructor({
    baseUrl = 'http://localhost:1234/v1',
    model = null,
    apiKey = null,
    shape = {},
    fetch = globalThis.fetch,
    ...time
  }: LmStudioClientOptions = {}) {
    this.#options = {
      baseUrl,
      model,
      apiKey,
      shape,
      fetch: tolerateDialects({ fetch, normalizes: false }),
      time,
    };
  }

  /**
   * Sends a transcript.
   *
   * @throws ModelError `model-unreachable`, `model-timeout`, `model-status`, `model-unreadable` or `model-failed`; the
   *   signal's reason when the caller gave up
   */
  async createResponse(input: string, options: CreateResponseOptions = {}): Promise<ResponsesResponse> {
    const { signal, onText = null } = options;
    const { time, shape, ...asked } = this.#options;
    const ask = async (end: AbortSignal): Promise<ResponsesResponse> => {
      const server = { ...asked, signal: end };
      const body = {
        model: asked.model ?? (await findFirstModel(server)) ?? undefined,
        instructions: shape.instructions,
        input,
        // The server keeps nothing of the conversation. A server that refuses the field gets requests without it.
        store: false,
        temperature: shape.temperature,
        max_output_tokens: shape.maxTokens,
        stream: onText === null ? undefined : true,
      };
      const answer = await requestText(server, { path: '/responses', body });
      if (answer.isStream) return readResponseStream(answer.chunks, onText ?? (() => {}));
      return parseResponse(await answer.text());
    };
    return replyInTime(ask, { ...time, signal });
  }

  /** The text of an answer without reasoning; empty when the model said nothing. */
  extractOutputText(response: ResponsesResponse): string {
    return removeReasoning(readOutputText(response));
  }
}

/**
 * LM Studio as the model that replies: it is given the transcript.
 *
 * @example
 * const model = fromLmStudio(new LmStudioClient({ model: 'qwen' }));
 */
export function fromLmStudio(client: LmStudioClient): ReplyModel {
  const replyText = new ReplyText();
  return {
    reply: async ({ transcript }, { signal, onText }) => {
      const speakers = readSpeakers(transcript);
      const show = (text: string): void => onText?.(replyText.readGrowing(text, speakers));
      const response = await client.createResponse(transcript, { signal, onText: onText && show });
      const text = replyText.read(readOutputText(response), speakers);
      return { text, complete: response.status !== 'incomplete' };
    },
  };
}
