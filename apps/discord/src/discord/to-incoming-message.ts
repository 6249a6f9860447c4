import { ChannelType, type Message } from 'discord.js';
import type { IncomingMessage, MessagePlace } from '../message/incoming-message.ts';

const threadParents: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
]);

/** A message of discord.js as the bot decides by it. */
export function toIncomingMessage(
  message: Message,
  options: { readonly displayName: boolean },
): IncomingMessage {
  const { author, client, channel } = message;
  const parentId = channel.isThread() ? channel.parentId : null;
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
    origin: {
      guildId: message.guildId,
      channelIds: parentId === null ? [message.channelId] : [message.channelId, parentId],
      roleIds: [...(message.member?.roles.cache.keys() ?? [])],
    },
    guildLocale: message.guild?.preferredLocale ?? null,
  };
}

function toPlace({ channel, hasThread }: Message): MessagePlace {
  if (channel.isThread()) return { kind: 'thread', ownerId: channel.ownerId };
  if (channel.isDMBased()) return { kind: 'direct' };
  return { kind: 'channel', canHaveThread: threadParents.has(channel.type), hasThread };
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
