import {
  type APIMessage,
  type APIReaction,
  type GatewayMessageCreateDispatchData,
  MessageFlags,
  MessageReferenceType,
  type TextChannelType,
} from 'discord-api-types/v10';
import type { MessageRecord } from '../state/message-record.ts';
import { isDirect, type World } from '../state/world.ts';
import { memberPayload } from './member-payload.ts';
import { threadPayload } from './thread-payload.ts';

/** @see https://docs.discord.com/developers/resources/message#message-object */
export function messagePayload(world: World, message: MessageRecord): APIMessage {
  const { reference } = message;
  return {
    ...plainPayload(world, message),
    ...(reference?.messageId && message.snapshot === null
      ? { referenced_message: findReferenced(world, message) }
      : {}),
  };
}

/** A message in an event, with the member that wrote it where there is one. */
export function messageEventPayload(world: World, message: MessageRecord): GatewayMessageCreateDispatchData {
  const channel = world.channels.get(message.channelId);
  const payload = messagePayload(world, message);
  if (channel === undefined) return payload;
  const place = { channel_type: channel.type as TextChannelType };
  if (isDirect(channel)) return { ...payload, ...place };
  const mentions = payload.mentions.map((user) => ({ ...user, member: memberPayload(world, user.id) }));
  const member = message.webhookId === null ? { member: memberPayload(world, message.author.id) } : {};
  return { ...payload, mentions, ...place, guild_id: world.guildId, ...member };
}

function plainPayload(world: World, message: MessageRecord): APIMessage {
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: message.author,
    content: message.content,
    timestamp: message.createdAt,
    edited_timestamp: message.editedAt,
    tts: false,
    mention_everyone: message.mentions.everyone,
    mentions: [...message.mentions.users],
    mention_roles: [...message.mentions.roles],
    attachments: [...message.attachments],
    embeds: [],
    components: [],
    pinned: false,
    flags: 0 as MessageFlags,
    ...(message.nonce === null ? {} : { nonce: message.nonce }),
    ...(message.webhookId === null ? {} : { webhook_id: message.webhookId }),
    ...(message.reactions.size === 0 ? {} : { reactions: listReactions(world, message) }),
    ...(message.snapshot === null ? {} : { message_snapshots: [message.snapshot] }),
    ...referenceOf(world, message),
    ...threadOf(world, message),
  };
}

function referenceOf(
  world: World,
  { reference, snapshot }: MessageRecord,
): Pick<APIMessage, 'message_reference'> {
  if (reference === null) return {};
  const channel = world.channels.get(reference.channelId);
  const guild = channel !== undefined && isDirect(channel) ? {} : { guild_id: world.guildId };
  const message = reference.messageId === null ? {} : { message_id: reference.messageId };
  const type = snapshot === null ? MessageReferenceType.Default : MessageReferenceType.Forward;
  return { message_reference: { type, channel_id: reference.channelId, ...guild, ...message } };
}

function findReferenced(world: World, { reference }: MessageRecord): APIMessage | null {
  const found = world.channels.get(reference?.channelId ?? '')?.messages.get(reference?.messageId ?? '');
  return found === undefined ? null : plainPayload(world, found);
}

function threadOf(world: World, message: MessageRecord): Pick<APIMessage, 'flags' | 'thread'> {
  const channel = world.channels.get(message.id);
  if (!channel?.thread) return {};
  return { flags: MessageFlags.HasThread, thread: threadPayload(world, channel, channel.thread) };
}

function listReactions(world: World, { reactions }: MessageRecord): APIReaction[] {
  return [...reactions].map(([name, people]) => ({
    count: people.size,
    count_details: { burst: 0, normal: people.size },
    me: people.has(world.bot.id),
    me_burst: false,
    emoji: { id: null, name },
    burst_colors: [],
  }));
}
