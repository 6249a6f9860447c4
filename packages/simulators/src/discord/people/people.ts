import type { APIMessage, APIUser, MessageType } from 'discord-api-types/v10';

/** Details of a message that somebody writes. */
export interface SayOptions {
  /** Puts a mention of the bot before the text. Default: false. */
  readonly mention?: boolean;
  /** The id of the message, in the same channel, that this answers. */
  readonly replyTo?: string;
  /** True: the author of that message is called by it. Default: true, as in the client. */
  readonly pingReplied?: boolean;
  /** Default: none. */
  readonly files?: readonly AttachedFile[];
}

/** A file that a message brings. */
export interface AttachedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Default: `text/plain; charset=utf-8`, which Discord gives to text files. */
  readonly type?: string;
}

/** Messages that `fill` adds. */
export interface FillOptions {
  /** The text of the message with this number, from 0. Default: `message 0`, … */
  readonly text?: (index: number) => string;
  /** Name of the one who says it. Default: alice. The bot goes by its own name. */
  readonly author?: (index: number) => string;
}

/** People's doings in this Discord. Whoever is named and not there yet joins; nobody needs permissions but the bot. */
export interface People {
  /** The user of a name; the bot's name finds the bot. */
  readonly user: (name: string) => APIUser;
  /** Lets another bot in. */
  readonly addBot: (name: string) => APIUser;
  readonly say: (name: string, channelId: string, text: string, options?: SayOptions) => APIMessage;
  /** Forwards a message. Discord sends a copy without its author. @see https://docs.discord.com/developers/resources/message#message-snapshot-object */
  readonly forward: (name: string, channelId: string, message: MessageAddress) => APIMessage;
  readonly edit: (message: MessageAddress, text: string) => APIMessage;
  readonly delete: (message: MessageAddress) => void;
  readonly react: (name: string, message: MessageAddress, emoji: string) => void;
  readonly type: (name: string, channelId: string) => void;
  /** A message of a webhook, under a name of its own. */
  readonly postAsWebhook: (name: string, channelId: string, text: string) => APIMessage;
  /** A message of Discord itself, e.g. `MessageType.UserJoin`. */
  readonly postSystemMessage: (name: string, channelId: string, type: MessageType) => APIMessage;
  /** Makes a thread, of a message or of nothing. Gives its id. */
  readonly startThread: (name: string, channelId: string, thread: NewThread) => string;
  /** Archives, locks, renames or wakes a thread. */
  readonly changeThread: (threadId: string, change: ChangedThread) => void;
  /** The direct conversation with the bot. Gives its id. */
  readonly openDirect: (name: string) => string;
  /** Takes no more direct messages from the bot. */
  readonly closeDirect: (name: string) => void;
  /** Adds so many messages at once, of which nobody hears. Gives their ids, oldest first. */
  readonly fill: (channelId: string, count: number, options?: FillOptions) => readonly string[];
}

/** A message, as every function here gives it back. */
export type MessageAddress = Pick<APIMessage, 'id' | 'channel_id'>;

export interface NewThread {
  readonly title: string;
  readonly messageId?: string;
}

export interface ChangedThread {
  readonly name?: string;
  readonly archived?: boolean;
  readonly locked?: boolean;
}
