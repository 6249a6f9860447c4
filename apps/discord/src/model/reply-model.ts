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
