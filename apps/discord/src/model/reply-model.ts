import { cutAtGrapheme } from '@agent/text';
import type { ChatTurn } from '@agent/thread-context';

/** A conversation that ends with what is to be answered. */
export interface ReplyRequest {
  readonly turns: readonly ChatTurn[];
  /** The same as text. */
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

export interface ReplyOptions {
  readonly signal: AbortSignal;
  /** Hears the answer as it grows, each time the whole text so far. Null: nobody wants to. */
  readonly onText: ((textSoFar: string) => void) | null;
}

export interface Reply {
  /** May be empty. */
  readonly text: string;
  /** Tells whether the model got to its end. */
  readonly complete: boolean;
}

/** Whatever answers: LM Studio, or any model of the AI SDK. */
export interface ReplyModel {
  /** @throws BotError with a code that begins with `model-` */
  readonly reply: (request: ReplyRequest, options: ReplyOptions) => Promise<Reply>;
}

/**
 * The same model with answers of so many UTF-16 units at most. One that is longer is cut, and not complete; one that
 * is heard as it grows is not waited for any longer.
 */
export function boundReply(model: ReplyModel, { maxChars }: { readonly maxChars: number }): ReplyModel {
  return {
    reply: async (request, { signal, onText }) => {
      const full = new AbortController();
      const kept = { text: '' };
      const hear = (textSoFar: string): void => {
        if (full.signal.aborted) return;
        kept.text = cutAtGrapheme(textSoFar, maxChars);
        onText?.(kept.text);
        if (textSoFar.length > maxChars) full.abort();
      };
      try {
        const both = AbortSignal.any([signal, full.signal]);
        const { text, complete } = await model.reply(request, { signal: both, onText: onText && hear });
        return { text: cutAtGrapheme(text, maxChars), complete: complete && text.length <= maxChars };
      } catch (error) {
        if (signal.aborted || !full.signal.aborted) throw error;
        return { text: kept.text, complete: false };
      }
    },
  };
}
