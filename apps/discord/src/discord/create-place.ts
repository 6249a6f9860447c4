import { type Message, PermissionFlagsBits, type SendableChannels, type TextChannel } from 'discord.js';
import { atDiscord, BotError } from '../bot-error.ts';
import type { Place, Surroundings } from '../place/place.ts';
import { has, type ThreadHistories } from './thread-history.ts';

/** "Cannot reply without permission to read message history." */
const mayNotReply = 160_002;

/** "Unknown message." */
const messageGone = 10_008;

export interface SurroundingsOptions {
  readonly histories: ThreadHistories;
  /** Minutes of silence after which a thread is archived. */
  readonly archiveMinutes: number;
  /** Looks later at a message that another process began to answer. */
  readonly lookAgain: (message: Message) => void;
}

/**
 * A channel or thread of discord.js as a place for answers to a message. Each of them replies to it, so that Discord says what is
 * answered; in the thread that was made from it, whose message stands elsewhere, the first one stands for itself.
 */
function createPlace(channel: SendableChannels, message: Message, histories: ThreadHistories): Place {
  const { id: channelId, client } = channel;
  const { id: authorId, username: authorName } = client.user;
  const own = { authorId, authorName, authorIsBot: true, isSystem: false };
  const starter = channelId === message.id ? null : message.id;
  return {
    id: channelId,
    history: channel.isThread() || channel.isDMBased() ? histories.of(channel) : null,
    mayPost: () => mayPost(channel),
    send: (content, { number, first }) =>
      atDiscord('post', async () => {
        const nonce = `${message.id}.${number}`;
        const sent = await sendReply(channel, { content, nonce, enforceNonce: true }, first ?? starter);
        histories.apply({
          kind: 'added',
          channelId,
          message: { ...own, id: sent.id, content: sent.content },
        });
        return sent;
      }),
    edit: (id, content) =>
      atDiscord('post', async () => {
        await channel.messages.edit(id, { content });
        histories.apply({ kind: 'edited', channelId, id, content });
      }),
    remove: (id) =>
      atDiscord('post', async () => {
        await channel.messages.delete(id).catch((error: unknown) => {
          // A request that is repeated finds it gone.
          if ((error as { code?: unknown }).code !== messageGone) throw error;
        });
        histories.apply({ kind: 'removed', channelId, ids: [id] });
      }),
    findSent: (content, { first }) =>
      atDiscord('read-history', async () => {
        const replyTo = first ?? starter;
        const last = await channel.messages.fetch({ limit: 100, cache: false });
        const isSame = (found: Message): boolean =>
          found.author.id === authorId &&
          found.content === content.trim() &&
          (found.reference?.messageId ?? null) === replyTo;
        return last.find(isSame) ?? null;
      }),
    showTyping: () => atDiscord('show-typing', () => channel.sendTyping()),
  };
}

/** Without a reference where Discord takes none. */
async function sendReply(
  channel: SendableChannels,
  message: { readonly content: string; readonly nonce: string; readonly enforceNonce: true },
  replyTo: string | null,
): Promise<Message> {
  if (replyTo === null || !has(channel, PermissionFlagsBits.ReadMessageHistory)) return channel.send(message);
  try {
    return await channel.send({ ...message, reply: { messageReference: replyTo, failIfNotExists: true } });
  } catch (error) {
    if ((error as { code?: unknown }).code !== mayNotReply) throw error;
    return channel.send(message);
  }
}

/** False only where it is known that the bot may not. */
function mayPost(channel: SendableChannels): boolean {
  if (channel.isThread()) return channel.sendable;
  return has(channel, PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages);
}

/** The channel, if messages can be sent there. @throws BotError */
function requireSendable(channel: { isSendable(): boolean } | null): SendableChannels {
  if (channel?.isSendable() === true) return channel as SendableChannels;
  throw new BotError('discord-refused', 'this channel does not accept messages', { operation: 'post' });
}

/** Shown on what was received. */
const receivedEmoji = '👀';

/** Shown on what is not answered because too much waits. */
export const refusedEmoji = '🚫';

/** Makes the actions on a message of discord.js. */
export function surroundMessage(
  message: Message,
  { histories, archiveMinutes, lookAgain }: SurroundingsOptions,
): Surroundings {
  const placeOf = (channel: SendableChannels): Place => createPlace(channel, message, histories);
  return {
    here: () => placeOf(requireSendable(message.channel)),
    startThread: (name) =>
      atDiscord('open-thread', async () => {
        requireRight(message, PermissionFlagsBits.SendMessagesInThreads);
        // `message.startThread` refuses by what it remembers of the message; Discord knows better.
        const { threads } = message.channel as TextChannel;
        const options = { name, startMessage: message, autoArchiveDuration: archiveMinutes };
        return placeOf(await threads.create(options));
      }),
    findThread: () =>
      atDiscord('open-thread', async () =>
        placeOf(requireSendable(await message.client.channels.fetch(message.id))),
      ),
    acknowledge: () => atDiscord('acknowledge', async () => void (await message.react(receivedEmoji))),
    refuse: () => atDiscord('acknowledge', async () => void (await message.react(refusedEmoji))),
    lookAgain: () => lookAgain(message),
    tellAuthor: (text) => atDiscord('tell-author', async () => void (await message.author.send(text))),
  };
}

/** A thread in which the bot could not speak is not made. */
function requireRight(message: Message, permission: bigint): void {
  if (has(message.channel as SendableChannels, permission)) return;
  throw new BotError('discord-permission', 'the bot is not allowed to send messages in threads here', {
    operation: 'open-thread',
  });
}
