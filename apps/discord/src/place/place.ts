import type { ThreadReader } from '@agent/thread-context';

/** A place where an answer goes, and where its conversation stands. */
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

/** Opens a place for the answer to a message. */
export interface Places {
  /** Place of the message; in channels and direct messages what is sent there is a reply to it. */
  readonly here: () => Place;
  /** Makes a thread from the message. @throws BotError */
  readonly startThread: (name: string) => Promise<Place>;
  /** The thread that was already made from it. @throws BotError */
  readonly findThread: () => Promise<Place>;
}

/** Other actions on a message. */
interface Courtesies {
  /** Shows that it was received. @throws BotError */
  readonly acknowledge: () => Promise<void>;
  /** Writes to its author in private. @throws BotError */
  readonly tellAuthor: (text: string) => Promise<void>;
}

/** All that stands around a message. */
export interface Surroundings extends Places, Courtesies {}
