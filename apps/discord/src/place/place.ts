import type { ThreadReader } from '@agent/thread-context';

/** Where an answer goes, and where its conversation stands. */
export interface Place {
  /** Id of the thread or channel. */
  readonly id: string;
  /** Null: what stands there is no conversation with the bot, so that only the message itself counts. */
  readonly history: ThreadReader | null;
  /** False when it is known that nothing could be sent. */
  readonly mayPost: () => boolean;
  /** Gives the id of the message. @throws BotError */
  readonly send: (content: string) => Promise<string>;
  /** @throws BotError */
  readonly edit: (messageId: string, content: string) => Promise<void>;
  /** For about ten seconds, or until a message comes. @throws BotError */
  readonly showTyping: () => Promise<void>;
}
