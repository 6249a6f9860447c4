import { BotError } from '../bot-error.ts';
import { type Clock, limitTime, systemClock } from '../clock.ts';
import { findFirstModel } from './find-first-model.ts';
import {
  extractOutputText,
  parseResponse,
  type ResponsesResponse,
  readResponseStream,
} from './parse-response.ts';
import type { AnswerShape, ReplyModel } from './reply-model.ts';
import { requestText } from './request-text.ts';

export interface LmStudioClientOptions {
  /** Default: `http://localhost:1234/v1`. */
  readonly baseUrl?: string | undefined;
  /** Default: null, the first that the server lists. */
  readonly model?: string | null | undefined;
  /** Default: null, none is sent. */
  readonly apiKey?: string | null | undefined;
  /** For a whole exchange, its body included. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly shape?: AnswerShape | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;
}

export interface CreateResponseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Asks for a stream, and hears the whole text so far at each piece. Default: null. */
  readonly onText?: ((textSoFar: string) => void) | null | undefined;
}

/**
 * Asks an OpenAI-compatible Responses API, as LM Studio has it. Every request says all there is to say: nothing rests
 * on what the server remembers, and nothing is asked twice.
 *
 * @see seed 003 §4.1 and decisions D14, D15, D17
 * @see https://lmstudio.ai/docs/developer/openai-compat/responses
 */
export class LmStudioClient {
  readonly #baseUrl: string;
  readonly #options: LmStudioClientOptions;
  readonly #timeoutMs: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Clock;

  constructor(options: LmStudioClientOptions = {}) {
    const { baseUrl = 'http://localhost:1234/v1', timeoutMs = 30_000 } = options;
    const { fetch = globalThis.fetch, clock = systemClock } = options;
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#options = options;
    this.#timeoutMs = timeoutMs;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * Sends a transcript.
   *
   * @throws BotError `model-unreachable`, `model-timeout`, `model-status`, `model-unreadable` or `model-failed`; the
   *   signal's reason when the caller gave up
   */
  async createResponse(input: string, options: CreateResponseOptions = {}): Promise<ResponsesResponse> {
    const { signal = new AbortController().signal, onText = null } = options;
    const limit = limitTime(this.#clock, {
      limitMs: this.#timeoutMs,
      signal,
      reason: () => new BotError('model-timeout', `no answer of the model within ${this.#timeoutMs} ms`),
    });
    try {
      return await this.#exchange(input, { signal: limit.signal, onText });
    } catch (error) {
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      limit.end();
    }
  }

  /** The text of an answer; empty when the model said nothing. */
  extractOutputText(response: ResponsesResponse): string {
    return extractOutputText(response);
  }

  async #exchange(
    input: string,
    { signal, onText }: { readonly signal: AbortSignal; readonly onText: ((text: string) => void) | null },
  ): Promise<ResponsesResponse> {
    const { apiKey = null } = this.#options;
    const server = { baseUrl: this.#baseUrl, apiKey, fetch: this.#fetch, signal };
    const model = this.#options.model ?? (await findFirstModel(server));
    const answer = await requestText(server, {
      path: '/responses',
      body: this.#toBody({ model, input, isStream: onText !== null }),
    });
    return answer.isStream
      ? readResponseStream(answer.chunks, onText ?? (() => {}))
      : parseResponse(await answer.text());
  }

  /** `store: false`: the server keeps nothing of the conversation. */
  #toBody(asked: {
    readonly model: string | null;
    readonly input: string;
    readonly isStream: boolean;
  }): object {
    const { instructions, temperature, maxTokens } = this.#options.shape ?? {};
    return {
      ...(asked.model === null ? {} : { model: asked.model }),
      ...(instructions === undefined ? {} : { instructions }),
      input: asked.input,
      store: false,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
      ...(asked.isStream ? { stream: true } : {}),
    };
  }
}

/** LM Studio as the model that replies: it is given the transcript. */
export function fromLmStudio(client: LmStudioClient): ReplyModel {
  return {
    reply: async ({ transcript }, { signal, onText }) => {
      const hear = (text: string): void => onText?.(withoutRole(text, { isWhole: false }));
      const response = await client.createResponse(transcript, { signal, onText: onText && hear });
      const text = withoutRole(client.extractOutputText(response), { isWhole: true });
      return { text, complete: response.status !== 'incomplete' };
    },
  };
}

const role = 'assistant: ';

/** An answer without the role that a model copies from the transcript; of one that still grows, nothing but a role is nothing yet. */
function withoutRole(text: string, { isWhole }: { readonly isWhole: boolean }): string {
  const start = text.trimStart();
  if (start.toLowerCase().startsWith(role)) return start.slice(role.length);
  return !isWhole && role.startsWith(start.toLowerCase()) ? '' : text;
}
