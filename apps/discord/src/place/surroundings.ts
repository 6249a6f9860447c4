import type { Place } from './place.ts';

/** Opens a place for the answer to a message. */
export interface Places {
  /** Where the message stands; in channels and direct messages what is sent there is a reply to it. */
  readonly here: () => Place;
  /** Makes a thread from the message. @throws BotError */
  readonly startThread: (name: string) => Promise<Place>;
  /** The thread that was already made from it. @throws BotError */
  readonly findThread: () => Promise<Place>;
}

/** What else can be done about a message. */
export interface Courtesies {
  /** Shows that it was received. @throws BotError */
  readonly acknowledge: () => Promise<void>;
  /** Writes to its author in private. @throws BotError */
  readonly tellAuthor: (text: string) => Promise<void>;
}

/** All that stands around a message. */
export interface Surroundings extends Places, Courtesies {}
