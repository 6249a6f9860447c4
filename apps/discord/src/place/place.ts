import { cutAtGrapheme } from '@agent/text';
import type { ThreadReader } from '@agent/thread-context';
import { BotError } from '../bot-error.ts';
import { type IncomingMessage, isVisible } from '../message/incoming-message.ts';
import { isTransient } from '../waits.ts';

/** A place where an answer goes, and where its conversation stands. */
export interface Place {
  /** Id of the thread or channel. */
  readonly id: string;
  /** Null: what stands there is no conversation with the bot, so that only the message itself counts. */
  readonly history: ThreadReader | null;
  /** False when it is known that nothing could be sent. */
  readonly mayPost: () => boolean;
  /**
   * Posts a part of the answer, at most once for each number: Discord takes the number for the same message for some minutes, whichever
   * process of the account sends it, and then gives back the message as it stands.
   *
   * @throws BotError `discord-gone` when what it answers was deleted
   */
  readonly send: (content: string, part: { readonly number: number } & PartOptions) => Promise<SentPart>;
  /** @throws BotError */
  readonly edit: (messageId: string, content: string) => Promise<void>;
  /** @throws BotError */
  readonly remove: (messageId: string) => Promise<void>;
  /** The part, if it stands among the last 100 messages. @throws BotError */
  readonly findSent: (content: string, part: PartOptions) => Promise<SentPart | null>;
  /** For about ten seconds, or until a message comes. @throws BotError */
  readonly showTyping: () => Promise<void>;
}

/** A message of the bot, as Discord has it. */
export interface SentPart {
  readonly id: string;
  readonly content: string;
}

interface PartOptions {
  /** Id of the first message of the answer, which the others reply to; null: this is the first, a reply to the question. */
  readonly first: string | null;
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

/** All that can be done around a message. */
export interface Surroundings extends Places {
  /** Shows that it was received. @throws BotError */
  readonly acknowledge: () => Promise<void>;
  /** Shows that it will not be answered. @throws BotError */
  readonly refuse: () => Promise<void>;
  /** Looks, when the time of an answer is over, whether the one that another process began stands whole, and takes it if not. */
  readonly lookAgain: () => void;
  /** Writes to its author in private. @throws BotError */
  readonly tellAuthor: (text: string) => Promise<void>;
}

/** "A thread has already been created for this message." */
const threadExists = 160_004;

/** "Unknown message." */
const messageGone = 10_008;

export interface EnsureThreadOptions {
  readonly places: Places;
  readonly botName: string;
  /** Hears why there is no thread although there could be one. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The thread where a message is answered: the one it stands in, the one made from it, or a new one. Where there can
 * be none, or none may be made, the answer becomes a reply to the message.
 *
 * @throws BotError `withdrawn` when the message is no longer there
 * @see seed 003 §2.3, decisions D6 and D11
 */
export async function ensureThread(message: IncomingMessage, options: EnsureThreadOptions): Promise<Place> {
  const { places, botName, onFailure } = options;
  const { where } = message;
  if (where.kind !== 'channel' || !where.canHaveThread) return places.here();
  try {
    if (where.hasThread) return await places.findThread();
    return await startOrFind(places, toThreadName(botName, message.readableContent));
  } catch (error) {
    // What fails for now says nothing about permissions, and the thread may have been made.
    if (isTransient(error) || (BotError.isInstance(error) && error.code === 'withdrawn')) throw error;
    onFailure(error);
    return places.here();
  }
}

async function startOrFind(places: Places, name: string): Promise<Place> {
  try {
    return await places.startThread(name);
  } catch (error) {
    if (!BotError.isInstance(error)) throw error;
    if (error.discordCode === threadExists) return places.findThread();
    if (error.discordCode !== messageGone) throw error;
    throw new BotError('withdrawn', 'the message was deleted', { cause: error });
  }
}

/** UTF-16 units. @see https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const maxNameChars = 100;

/**
 * Names a thread after its first question: `{bot}: {text}`, or `{bot}: conversation` where there is no text.
 *
 * @see seed 003 §4.4
 */
export function toThreadName(botName: string, text: string): string {
  const start = `${botName}: `;
  const line = text.replace(/\s+/gu, ' ').trim();
  const fitting = cutAtGrapheme(line, maxNameChars - start.length).trim();
  return `${start}${isVisible(fitting) ? fitting : 'conversation'}`;
}
