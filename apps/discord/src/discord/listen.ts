import type { Logger } from '@agent/text';
import type { ThreadReader } from '@agent/thread-context';
import {
  type Client,
  Events,
  type Message,
  PermissionFlagsBits,
  Routes,
  type SendableChannels,
  type TextChannel,
} from 'discord.js';
import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import type { DiscordBot } from '../discord-bot.ts';
import { createGatewayHistory, type GatewayHistory } from '../history/gateway-history.ts';
import { describeError } from '../log/describe-error.ts';
import type { Place, Surroundings } from '../place/place.ts';
import type { Settings } from '../settings/settings-schema.ts';
import { createPlace, has, type PlaceOptions, requireSendable } from './create-place.ts';
import { feedHistory } from './feed-history.ts';
import { atDiscord } from './to-bot-error.ts';
import { toIncomingMessage } from './to-incoming-message.ts';
import { messagePayloadSchema, type ThreadMessageOptions, toThreadMessage } from './to-thread-message.ts';

export interface ListenOptions {
  readonly bot: DiscordBot;
  readonly settings: Settings;
  readonly logger: Logger;
}

/** Brings the bot each message that the client hears. Gives what ends that. */
export function listen(client: Client<true>, { bot, settings, logger }: ListenOptions): () => void {
  const { DISPLAY_NAME: displayName, THREAD_ARCHIVE_MINUTES: archiveMinutes } = settings;
  const history = openHistory(client, settings);
  const historyOf = (channel: SendableChannels): ThreadReader => {
    const reader = createRestReader(client, {
      displayName,
      channelId: channel.id,
      parentId: channel.isThread() ? channel.parentId : null,
      mayReadHistory: () => has(channel, PermissionFlagsBits.ReadMessageHistory),
    });
    return history === null ? reader : history.remember(channel.id, reader);
  };
  const { id: authorId, username: authorName } = client.user;
  const own = { authorId, authorName, authorIsBot: true, isSystem: false };
  const onMessage = (message: Message): void => {
    const around = surroundMessage(message, {
      historyOf,
      archiveMinutes,
      // The event may come later than the next answer begins.
      onSent: ({ kind, id, channelId, content }) =>
        history?.apply(
          kind === 'edited'
            ? { kind, channelId, id, content }
            : { kind, channelId, message: { ...own, id, content } },
        ),
    });
    bot.onMessageCreate(toIncomingMessage(message, { displayName }), around);
  };
  const onMessageCreate = (message: Message): void => {
    try {
      onMessage(message);
    } catch (error) {
      // One message that cannot be read must not end the process, and with it all others.
      const ids = { messageId: message.id, threadId: message.channelId };
      logger.error({ ...ids, ...describeError(error) }, 'could not take a message');
    }
  };
  const onMessageDelete = ({ id }: { readonly id: string }): void => bot.onMessageDelete(id);
  const onMessagesDelete = (messages: ReadonlyMap<string, unknown>): void => {
    for (const id of messages.keys()) bot.onMessageDelete(id);
  };
  client.on(Events.MessageCreate, onMessageCreate);
  client.on(Events.MessageDelete, onMessageDelete);
  client.on(Events.MessageBulkDelete, onMessagesDelete);
  return () => {
    client.off(Events.MessageCreate, onMessageCreate);
    client.off(Events.MessageDelete, onMessageDelete);
    client.off(Events.MessageBulkDelete, onMessagesDelete);
  };
}

function openHistory(client: Client, settings: Settings): GatewayHistory | null {
  if (settings.HISTORY_CACHE === 'off') return null;
  const history = createGatewayHistory({ maxMessages: settings.MAX_THREAD_MESSAGES });
  feedHistory(client, history, { displayName: settings.DISPLAY_NAME });
  return history;
}

/** Shown on what was received. */
const receivedEmoji = '👀';

interface SurroundingsOptions extends Pick<PlaceOptions, 'onSent'> {
  /** Reads what was said in a thread or in direct messages. */
  readonly historyOf: (channel: SendableChannels) => ThreadReader;
  readonly archiveMinutes: number;
}

/** Makes the actions on a message of discord.js. */
function surroundMessage(message: Message, options: SurroundingsOptions): Surroundings {
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

interface RestReaderOptions extends ThreadMessageOptions {
  readonly channelId: string;
  /** The channel of a thread; null: it is none, and has no first message elsewhere. */
  readonly parentId: string | null;
  /** False where Discord would answer "no messages" instead of refusing. */
  readonly mayReadHistory: () => boolean;
}

/**
 * Reads a thread's history through the library's REST client: its queues and its patience with rate limits, but no
 * objects that stay in memory.
 *
 * @see https://docs.discord.com/developers/resources/message#get-channel-messages
 */
function createRestReader(client: Client, options: RestReaderOptions): ThreadReader {
  const { channelId, parentId, mayReadHistory } = options;
  return {
    fetchPage: ({ before, limit, signal }) =>
      atDiscord('read-history', async () => {
        if (!mayReadHistory()) {
          throw new BotError('discord-permission', 'the bot may not read the history here', {
            operation: 'read-history',
          });
        }
        const query = new URLSearchParams({ limit: String(limit), ...(before === null ? {} : { before }) });
        const page = await client.rest.get(Routes.channelMessages(channelId), {
          query,
          ...withSignal(signal),
        });
        return z
          .array(messagePayloadSchema)
          .parse(page)
          .map((payload) => toThreadMessage(payload, options));
      }),
    fetchStarter: async ({ signal } = {}) => {
      if (parentId === null) return null;
      try {
        return await atDiscord('read-history', async () => {
          const route = Routes.channelMessage(parentId, channelId);
          const payload = await client.rest.get(route, withSignal(signal));
          return toThreadMessage(messagePayloadSchema.parse(payload), options);
        });
      } catch (error) {
        // A thread made from nothing, or its first message was deleted.
        if (BotError.isInstance(error) && error.code === 'discord-gone') return null;
        throw error;
      }
    },
  };
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
