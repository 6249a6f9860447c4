import { estimateTokens, type Fitted, type TokenCounter } from '@agent/text';
import { APICallError, type ModelMessage, RetryError } from 'ai';

/** Prompt that fits the window of the model. Only a `PromptWindow` makes it. */
export interface FittedPrompt {
  readonly instructions: string;
  readonly messages: Fitted<readonly ModelMessage[]>;
  /** Tokens of the request as the window counts them. */
  readonly estimate: number;
}

/** Parts of a request beside its text. */
export interface PromptSurroundings {
  readonly instructions: string;
  /** Least share of the window that is left for the answer. */
  readonly answer: number;
  /** Tokens of the schema that is sent. */
  readonly toolTokens: number;
  /** Messages after the text: an answer that could not be read, and the problem with it. */
  readonly followUp: readonly ModelMessage[];
}

/** Context window of a model. The `ContextWindow` of `@agent/runner` is one. */
export interface PromptWindow {
  readonly count: TokenCounter;
  /** Converts a share of the window to tokens. */
  readonly toTokens: (share: number) => number;
  /** Makes a prompt of a text, and shortens the text if it does not fit. */
  readonly fitText: (text: string, surroundings: PromptSurroundings) => FittedPrompt;
  /** Learns from the endpoint's count of a request that it answered. */
  readonly learn: (prompt: FittedPrompt, inputTokens: number) => void;
  /** Learns from a request that failed. True if it was too long for the model and a smaller prompt is worth a request. */
  readonly shrinkAfter: (prompt: FittedPrompt, error: unknown) => boolean;
}

/** Share of the window for what others wrote: comments, outputs of tools, results of earlier runs. */
const materialShare = 0.25;
/** Share of the window that is left for the answer. */
const answerShare = 0.25;

/** The part of a question that its prompt is made of. */
export interface WrittenQuestion {
  readonly instructions: string;
  readonly format: object;
  readonly write: (room: { readonly maxChars: number }) => string;
}

/** Makes the prompt of a question: what others wrote gets a share of the window, and the prompt as a whole fits it. */
export function fitQuestion(
  { instructions, format, write }: WrittenQuestion,
  { window, followUp }: { readonly window: PromptWindow; readonly followUp: readonly ModelMessage[] },
): FittedPrompt {
  const maxTokens = window.count(write({ maxChars: 0 })) + window.toTokens(materialShare);
  let maxChars = 4 * maxTokens;
  let text = write({ maxChars });
  for (let tokens = window.count(text); tokens > maxTokens && maxChars >= 1; tokens = window.count(text)) {
    maxChars = Math.floor((0.95 * maxChars * maxTokens) / tokens);
    text = write({ maxChars });
  }
  const toolTokens = window.count(JSON.stringify(format));
  return window.fitText(text, { instructions, answer: answerShare, toolTokens, followUp });
}

/** Tokens of question and answer together, if no size is given. */
const unknownContextLength = 128_000;
/** Smallest window that a model is believed to have. */
const smallestWindow = 256;

/** Words with which endpoints refuse a request for its length. */
const lengthWords = /context|prompt|input|token/i;
const limitWords = /too (?:long|large|many)|exceed|maximum|limit/i;

/** Creates the window for use without `@agent/runner`: an estimate of tokens, halved after each refusal for length. */
export function createPromptWindow({
  contextLength = unknownContextLength,
}: {
  readonly contextLength?: number | undefined;
}): PromptWindow {
  let limit = contextLength > 0 ? contextLength : unknownContextLength;
  return {
    count: estimateTokens,
    toTokens: (share) => Math.floor(limit * share),
    fitText: (text, { instructions, answer, toolTokens, followUp }) => {
      const around = estimateTokens(instructions) + toolTokens + estimateTokens(JSON.stringify(followUp));
      const room = Math.max(64, Math.floor(limit * (1 - answer)) - around);
      const content = cutToTokens(text, room);
      const messages: readonly ModelMessage[] = [{ role: 'user', content }, ...followUp];
      return {
        instructions,
        messages: messages as FittedPrompt['messages'],
        estimate: around + estimateTokens(content),
      };
    },
    learn: () => undefined,
    shrinkAfter: ({ estimate }, error) => {
      if (!isTooLong(error) || limit <= smallestWindow) return false;
      limit = Math.max(smallestWindow, Math.floor(Math.min(limit, estimate) / 2));
      return true;
    },
  };
}

function isTooLong(error: unknown): boolean {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (!APICallError.isInstance(last)) return false;
  const said = `${last.message} ${last.responseBody ?? ''}`;
  return (
    last.statusCode === 413 || (last.statusCode === 400 && lengthWords.test(said) && limitWords.test(said))
  );
}

/** The end of a question says how to answer: it stays, and the middle is left out. */
function cutToTokens(text: string, maxTokens: number): string {
  const note = '\n[A part is left out here, because of the context window.]\n';
  let shown = text;
  for (let chars = text.length; estimateTokens(shown) > maxTokens && chars > 0; ) {
    chars = Math.floor((0.9 * chars * maxTokens) / estimateTokens(shown));
    const half = Math.floor(chars / 2);
    shown = `${text.slice(0, half).toWellFormed()}${note}${text.slice(text.length - half).toWellFormed()}`;
  }
  return shown;
}
