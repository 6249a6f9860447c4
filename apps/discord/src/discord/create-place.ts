import type { ThreadReader } from '@agent/thread-context';
import { type Message, PermissionFlagsBits, type SendableChannels, type TextChannel } from 'discord.js';
import { atDiscord, BotError } from '../bot-error.ts';
import type { Place, Surroundings } from '../place/place.ts';

/** "Cannot reply without permission to read message history." */
const mayNotReply = 160_002;

/** A post of the bot. */
export interface SentMessage {
  readonly kind: 'added' | 'edited';
  readonly id: string;
  readonly channelId: string;
  readonly content: string;
}

export interface PlaceOptions {
  /** What is sent there replies to this message; null: it stands for itself. */
  readonly replyTo: Message | null;
  readonly history: ThreadReader | null;
  /** Hears of each message as soon as it is there, and as soon as it is changed. */
  readonly onSent: (message: SentMessage) => void;
}

/** A channel or thread of discord.js as a place for answers. */
function createPlace(channel: SendableChannels, options: PlaceOptions): Place {
  const { history, onSent } = options;
  let replyTo = options.replyTo;
  return {
    id: channel.id,
    history,
    mayPost: () => mayPost(channel),
    send: (content) =>
      atDiscord('post', async () => {
        const sent = await sendReply(channel, content, replyTo);
        // Of an answer in several messages only the first replies.
        replyTo = null;
        onSent({ kind: 'added', id: sent.id, channelId: channel.id, content });
        return sent.id;
      }),
    edit: (messageId, content) =>
      atDiscord('post', async () => {
        await channel.messages.edit(messageId, { content });
        onSent({ kind: 'edited', id: messageId, channelId: channel.id, content });
      }),
    showTyping: () => atDiscord('show-typing', () => channel.sendTyping()),
  };
}

/** Without a reference where Discord takes none. */
async function sendReply(
  channel: SendableChannels,
  content: string,
  replyTo: Message | null,
): Promise<{ readonly id: string }> {
  if (replyTo === null) return channel.send({ content });
  try {
    return await channel.send({
      content,
      reply: { messageReference: replyTo.id, failIfNotExists: false },
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== mayNotReply) throw error;
    return channel.send({ content });
  }
}

/** What is not known is tried. */
function mayPost(channel: SendableChannels): boolean {
  if (channel.isThread()) return channel.sendable;
  return has(channel, PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages);
}

/** Tells whether the bot has permissions in a channel; true in direct messages and where it is not known. */
export function has(channel: SendableChannels, permissions: bigint): boolean {
  if (channel.isDMBased()) return true;
  return channel.permissionsFor(channel.client.user)?.has(permissions) ?? true;
}

/** The channel, if messages can be sent there. @throws BotError */
function requireSendable(channel: { isSendable(): boolean } | null): SendableChannels {
  if (channel?.isSendable() === true) return channel as SendableChannels;
  throw new BotError('discord-refused', 'this is no place for messages', { operation: 'post' });
}

/** Shown on what was received. */
const receivedEmoji = '👀';

interface SurroundingsOptions extends Pick<PlaceOptions, 'onSent'> {
  /** Reads what was said in a thread or in direct messages. */
  readonly historyOf: (channel: SendableChannels) => ThreadReader;
  readonly archiveMinutes: number;
}

/** Makes the actions on a message of discord.js. */
export function surroundMessage(message: Message, options: SurroundingsOptions): Surroundings {
  const { onSent, historyOf } = options;
  const placeOf = (channel: SendableChannels): Place => {
    const isConversation = channel.isThread() || channel.isDMBased();
    return createPlace(channel, {
      replyTo: channel.isThread() ? null : message,
      history: isConversation ? historyOf(channel) : null,
      onSent,
    });
  };
  return {
    here: () => placeOf(requireSendable(message.channel)),
    startThread: (name) =>
      atDiscord('open-thread', async () => {
        requireRight(message, PermissionFlagsBits.SendMessagesInThreads);
        return placeOf(await startThread(message, name, options.archiveMinutes));
      }),
    findThread: () =>
      atDiscord('open-thread', async () =>
        placeOf(requireSendable(await message.client.channels.fetch(message.id))),
      ),
    acknowledge: () => atDiscord('acknowledge', async () => void (await message.react(receivedEmoji))),
    tellAuthor: (text) => atDiscord('tell-author', async () => void (await message.author.send(text))),
  };
}

function startThread(message: Message, name: string, autoArchiveDuration: number): Promise<SendableChannels> {
  // `message.startThread` refuses by what it remembers of the message; Discord knows better.
  const channel = message.channel as TextChannel;
  return channel.threads.create({ name, startMessage: message, autoArchiveDuration });
}

/** A thread in which the bot could not speak is not made. */
function requireRight(message: Message, permission: bigint): void {
  if (has(message.channel as SendableChannels, permission)) return;
  throw new BotError('discord-permission', 'the bot may not send messages in threads here', {
    operation: 'open-thread',
  });
}
