import {
  checkOptions,
  checkValue,
  type ExpectationsOf,
  expected,
  expectNumber,
  expectOptions,
} from '@agent/text/options';
import type { LanguageModel, ModelMessage } from 'ai';
import { expectModel, expectTokens } from '../expectations.ts';
import { describeReason } from '../failures/model-failure.ts';
import { openAIOptions } from '../models/openai-options.ts';
import type { ContextWindow, FittedPrompt } from '../window/context-window.ts';
import { ModelError, type ReplyTime, replyInTime, toErrorCode } from './model-error.ts';
import { readSpeakers } from './own-turn.ts';
import { ReplyText } from './reply-text.ts';

/** A conversation that ends with what is to be answered. */
export interface ReplyRequest {
  /** Oldest first. */
  readonly messages: readonly ModelMessage[];
  /** The same as text, for models that are given one. */
  readonly transcript: string;
}

/** Shape of answers. What is not given is the model server's choice. */
export interface AnswerShape {
  /** Said to the model before every conversation. */
  readonly instructions?: string | undefined;
  /** 0: always the likeliest word; 2: the wildest. */
  readonly temperature?: number | undefined;
  /** Tokens of one answer, at most. */
  readonly maxTokens?: number | undefined;
}

/** Options of one reply. */
export interface ReplyOptions {
  readonly signal: AbortSignal;
  /** Hears the answer as it grows, each time the whole text so far. Null: nobody wants to. */
  readonly onText: ((textSoFar: string) => void) | null;
}

/** Reply of a model, without its reasoning. */
export interface Reply {
  /** May be empty. */
  readonly text: string;
  /** Tells whether the model got to its end. */
  readonly complete: boolean;
}

/** Whatever answers: LM Studio, or any model of the AI SDK. */
export interface ReplyModel {
  /** @throws ModelError */
  readonly reply: (request: ReplyRequest, options: ReplyOptions) => Promise<Reply>;
}

/** Limits and shape of the replies of a model. */
export interface LanguageModelOptions extends ReplyTime {
  /** Tokens of conversation and answer together. Default 128,000, or less after a refusal. */
  readonly contextLength?: number | undefined;
  readonly shape?: AnswerShape | undefined;
}

/** Conditions of the limits and the shape of replies. */
export const languageModelExpectations: ExpectationsOf<LanguageModelOptions> = {
  timeoutMs: expectNumber(0),
  sleep: expected.function,
  contextLength: expectTokens,
  shape: expectOptions({
    instructions: { isMet: (value) => typeof value === 'string', text: 'a text' },
    temperature: expectNumber(0, { most: 2 }),
    maxTokens: expectNumber(1),
  }),
};

/**
 * Any model of the AI SDK as the one that replies: it is given the messages, and asked once.
 *
 * @example
 * const model = fromLanguageModel(openai('gpt-5'), { timeoutMs: 60_000 });
 */
export function fromLanguageModel(model: LanguageModel, options: LanguageModelOptions = {}): ReplyModel {
  checkValue('model', model, expectModel);
  checkOptions('LanguageModelOptions', options, languageModelExpectations);
  const { shape = {}, contextLength, ...time } = options;
  const { instructions } = shape;
  const replyText = new ReplyText();
  let opened: Promise<ContextWindow> | undefined;
  return {
    reply: async ({ messages, transcript }, { signal, onText }) => {
      opened ??= openWindow(contextLength);
      const window = await opened;
      const prompt = window.fitConversation(messages, { instructions, answer: 0 });
      const speakers = readSpeakers(transcript);
      const show = (text: string): void => onText?.(replyText.readGrowing(text, speakers));
      const ask = (end: AbortSignal): Promise<Reply> =>
        generate({ model, prompt, shape }, { signal: end, onText: onText && show }).catch(
          async (error: unknown) => {
            // The next conversation is shorter.
            window.shrinkAfter(prompt, error);
            throw await toModelError(error);
          },
        );
      const { text, complete } = await replyInTime(ask, { ...time, signal });
      return { text: replyText.read(text, speakers), complete };
    },
  };
}

/** Loads the SDK with it, which takes a while. */
async function openWindow(contextLength: number | undefined): Promise<ContextWindow> {
  const { ContextWindow } = await import('../window/context-window.ts');
  return new ContextWindow({ contextLength });
}

async function generate(
  { model, prompt, shape }: { model: LanguageModel; prompt: FittedPrompt; shape: AnswerShape },
  { signal, onText }: ReplyOptions,
): Promise<Reply> {
  const { generateText, streamText } = await import('ai');
  const { instructions, messages } = prompt;
  const { temperature, maxTokens } = shape;
  const call = {
    model,
    ...(instructions === '' ? {} : { instructions }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    messages: [...messages],
    maxRetries: 0,
    abortSignal: signal,
    providerOptions: openAIOptions,
  };
  if (onText === null) {
    const { text, finishReason } = await generateText(call);
    return { text, complete: finishReason !== 'length' };
  }
  let text = '';
  let complete = true;
  // Errors come as parts; the SDK would print them besides.
  for await (const part of streamText({ ...call, onError: () => {} }).stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') complete = part.finishReason !== 'length';
    if (part.type !== 'text-delta') continue;
    text += part.text;
    onText(text);
  }
  signal.throwIfAborted();
  return { text, complete };
}

/** The SDK's messages may quote the request. */
async function toModelError(error: unknown): Promise<ModelError> {
  if (ModelError.isInstance(error)) return error;
  const { classifyModelError } = await import('../classify-model-error.ts');
  const failure = classifyModelError(error);
  const { status } = failure;
  const isAnswer = status !== null && status >= 400;
  const code = toErrorCode(failure, isAnswer ? 'model-status' : 'model-failed');
  if (code === 'model-unreachable') {
    const text = `cannot reach the model: ${describeReason(error)}`;
    return new ModelError(code, text, { cause: error });
  }
  const name = error instanceof Error ? error.name : 'unknown reason';
  const text = isAnswer ? `the model server answered with ${status}` : `the model failed (${name})`;
  return new ModelError(code, text, { status: isAnswer ? status : null, cause: error });
}
