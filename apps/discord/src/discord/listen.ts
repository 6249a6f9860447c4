import type { Logger } from '@agent/text';
import type { ThreadReader } from '@agent/thread-context';
import {
  ChannelType,
  type Client,
  Events,
  type Message,
  PermissionFlagsBits,
  type SendableChannels,
} from 'discord.js';
import { describeError } from '../bot-error.ts';
import type { DiscordBot } from '../discord-bot.ts';
import type { IncomingMessage, MessageOrigin, MessagePlace } from '../message/incoming-message.ts';
import type { Settings } from '../settings/parse-settings.ts';
import { has, surroundMessage } from './create-place.ts';
import { createRestReader, openHistory } from './thread-history.ts';

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

const threadParents: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
]);

/** A message of discord.js as the bot decides by it. */
function toIncomingMessage(message: Message, options: { readonly displayName: boolean }): IncomingMessage {
  const { author, client } = message;
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: author.id,
    authorName: options.displayName ? author.displayName : author.username,
    authorIsBot: author.bot || message.webhookId !== null,
    isSystem: message.system,
    content: message.content,
    readableContent: toReadable(message, client.user.id),
    mentionsBot: message.mentions.has(client.user, {
      ignoreEveryone: true,
      ignoreRoles: true,
      ignoreRepliedUser: true,
    }),
    where: toPlace(message),
    origin: toOrigin(message),
    guildLocale: message.guild?.preferredLocale ?? null,
  };
}

function toPlace({ channel, hasThread }: Message): MessagePlace {
  if (channel.isThread()) return { kind: 'thread', ownerId: channel.ownerId };
  if (channel.isDMBased()) return { kind: 'direct' };
  return { kind: 'channel', canHaveThread: threadParents.has(channel.type), hasThread };
}

function toOrigin({ guildId, channel, channelId, member }: Message): MessageOrigin {
  const parentId = channel.isThread() ? channel.parentId : null;
  return {
    guildId,
    channelIds: parentId === null ? [channelId] : [channelId, parentId],
    roleIds: [...(member?.roles.cache.keys() ?? [])],
  };
}

function toReadable({ content, mentions }: Message, botUserId: string): string {
  return content
    .replace(/<@!?(\d+)>/g, (written, id: string) => {
      if (id === botUserId) return '';
      const user = mentions.users.get(id);
      return user === undefined ? written : `@${user.username}`;
    })
    .replace(/<@&(\d+)>/g, (written, id: string) => {
      const role = mentions.roles.get(id);
      return role === undefined ? written : `@${role.name}`;
    })
    .replace(/<#(\d+)>/g, (written, id: string) => {
      const channel = mentions.channels.get(id);
      return channel === undefined || channel.isDMBased() ? written : `#${channel.name}`;
    })
    .replace(/<a?(:\w+:)\d+>/g, '$1');
}
