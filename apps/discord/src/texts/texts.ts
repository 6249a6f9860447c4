import type { BotErrorCode } from '../bot-error.ts';

/** Why there is no answer of the model. @see seed 003 §4.3 */
export type ModelFailure = Extract<BotErrorCode, `model-${string}`>;

/** What the bot says on its own account, in one language. */
export interface Texts {
  readonly fallback: Readonly<Record<ModelFailure, string>>;
  /** The model answered with nothing. */
  readonly emptyAnswer: string;
  /** The answer ends before its end. */
  readonly cutOff: string;
  /** A mention with no text. */
  readonly askForQuestion: string;
  /** The answer to `/new`. */
  readonly begunAnew: string;
  readonly queueFull: (waiting: number) => string;
  /** To the author, in private. */
  readonly cannotPost: (channelId: string) => string;
}
