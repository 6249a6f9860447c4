import { estimateTokens, type Fitted, removeReasoning } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected, expectNullable } from '@agent/text/options';
import { tolerateDialects } from '../models/compatible/tolerant-fetch.ts';
import { shorten } from '../window/excerpt.ts';
import { WindowSize } from '../window/window-size.ts';
import { ModelError, type ReplyTime, replyInTime } from './model-error.ts';
import { findFirstModel, requestText } from './model-server.ts';
import { readSpeakers } from './own-turn.ts';
import {
  parseResponse,
  type ResponsesResponse,
  readOutputText,
  readResponseStream,
} from './parse-response.ts';
import { type AnswerShape, languageModelExpectations, type ReplyModel } from './reply-model.ts';
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
  /** Tokens of conversation and answer together. Default 128,000, or less after a refusal. */
  readonly contextLength?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const expectations: ExpectationsOf<LmStudioClientOptions> = {
  ...languageModelExpectations,
  baseUrl: expected.httpUrl,
  model: expectNullable(expected.text),
  apiKey: { ...expectNullable(expected.text), isSecret: true },
  fetch: expected.function,
};

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
  readonly #window: TranscriptWindow;

  /** @throws {TypeError} that names an option which is unknown or invalid */
  constructor(options: LmStudioClientOptions = {}) {
    checkOptions('LmStudioClientOptions', options, expectations);
    const {
      baseUrl = 'http://localhost:1234/v1',
      model = null,
      apiKey = null,
      shape = {},
      contextLength,
      fetch = globalThis.fetch,
      ...time
    } = options;
    this.#options = {
      baseUrl,
      model,
      apiKey,
      shape,
      fetch: tolerateDialects({ fetch, normalizes: false }),
      time,
    };
    this.#window = new TranscriptWindow(contextLength);
  }

  /**
   * Sends a transcript. Its beginning is left out if it is longer than the window of the model.
   *
   * @throws ModelError `model-unreachable`, `model-timeout`, `model-status`, `model-unreadable` or `model-failed`; the
   *   signal's reason when the caller gave up
   */
  async createResponse(input: string, options: CreateResponseOptions = {}): Promise<ResponsesResponse> {
    const { signal, onText = null } = options;
    const { time, shape, ...asked } = this.#options;
    const fitted = this.#window.fit(input, shape);
    const ask = async (end: AbortSignal): Promise<ResponsesResponse> => {
      const server = { ...asked, signal: end };
      const body = {
        model: asked.model ?? (await findFirstModel(server)) ?? undefined,
        instructions: shape.instructions,
        input: fitted.text,
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
    const response = await replyInTime(ask, { ...time, signal }).catch((error: unknown) => {
      const isTooLong = ModelError.isInstance(error) && error.code === 'model-too-long';
      if (isTooLong) this.#window.shrink(fitted);
      throw error;
    });
    this.#window.learn(fitted, response.usage?.input_tokens ?? 0);
    return response;
  }

  /** The text of an answer without reasoning; empty when the model said nothing. */
  extractOutputText(response: ResponsesResponse): string {
    return removeReasoning(readOutputText(response));
  }
}

/** Text of a conversation that fits the window of the model. Only a `TranscriptWindow` makes it. */
interface FittedTranscript {
  readonly text: Fitted<string>;
  /** Tokens of the request as this side counts them. */
  readonly estimate: number;
}

/** Window of a model that is given a conversation as one text. */
class TranscriptWindow {
  readonly #size: WindowSize;

  constructor(contextLength: number | undefined) {
    this.#size = new WindowSize({ contextLength, logger: null });
  }

  /** The newest part of a transcript, as far as it fits beside the instructions. */
  fit(
    transcript: string,
    { instructions = '' }: { readonly instructions?: string | undefined },
  ): FittedTranscript {
    const around = estimateTokens(instructions);
    const text = shorten(transcript, {
      maxTokens: Math.max(1, this.#size.room - around),
      count: estimateTokens,
      keep: 'end',
      note: ({ chars }) => `(${chars} characters before this are left out.)`,
    });
    return { text: text as Fitted<string>, estimate: around + estimateTokens(text) };
  }

  /** Learns from the endpoint's count of a request that it answered. */
  learn({ estimate }: FittedTranscript, inputTokens: number): void {
    this.#size.learn(estimate, inputTokens);
  }

  /** Learns from a refusal for length: the next transcript is shorter. */
  shrink({ estimate }: FittedTranscript): void {
    this.#size.shrink(estimate, {});
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
