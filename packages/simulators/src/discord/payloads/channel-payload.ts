import {
  type APIChannel,
  type APIDMChannel,
  type APIGuildForumChannel,
  type APIGuildVoiceChannel,
  type APINewsChannel,
  type APITextChannel,
  ChannelType,
  ForumLayoutType,
  type GuildChannelType,
  type ThreadChannelType,
} from 'discord-api-types/v10';
import type { ChannelRecord } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { threadPayload } from './thread-payload.ts';

/** A channel that the list of a guild shows. */
export type GuildChannelPayload = APIChannel & {
  type: Exclude<GuildChannelType, ThreadChannelType>;
  guild_id: string;
};

/** @see https://docs.discord.com/developers/resources/channel#channel-object */
export function channelPayload(world: World, channel: ChannelRecord): APIChannel {
  if (channel.thread !== null) return threadPayload(world, channel, channel.thread);
  return channel.type === ChannelType.DM ? directPayload(channel) : guildChannelPayload(world, channel);
}

export function guildChannelPayload(world: World, channel: ChannelRecord): GuildChannelPayload {
  switch (channel.type) {
    case ChannelType.GuildVoice:
      return voicePayload(world, channel);
    case ChannelType.GuildForum:
      return forumPayload(world, channel);
    case ChannelType.GuildAnnouncement:
      return { ...textPayload(world, channel), type: ChannelType.GuildAnnouncement } satisfies APINewsChannel;
    default:
      return textPayload(world, channel);
  }
}

function textPayload(world: World, channel: ChannelRecord) {
  return {
    ...common(world, channel),
    type: ChannelType.GuildText as const,
    topic: null,
    rate_limit_per_user: 0,
    last_message_id: channel.messages.newestId(),
    last_pin_timestamp: null,
  } satisfies APITextChannel;
}

function voicePayload(world: World, channel: ChannelRecord) {
  return {
    ...common(world, channel),
    type: ChannelType.GuildVoice as const,
    bitrate: 64_000,
    user_limit: 0,
    rtc_region: null,
    rate_limit_per_user: 0,
    last_message_id: channel.messages.newestId(),
  } satisfies APIGuildVoiceChannel;
}

function forumPayload(world: World, channel: ChannelRecord) {
  return {
    ...common(world, channel),
    type: ChannelType.GuildForum as const,
    topic: null,
    last_message_id: null,
    available_tags: [],
    default_reaction_emoji: null,
    default_sort_order: null,
    default_forum_layout: ForumLayoutType.NotSet,
  } satisfies APIGuildForumChannel;
}

function directPayload(channel: ChannelRecord): APIDMChannel {
  return {
    id: channel.id,
    type: ChannelType.DM,
    name: null,
    recipients: [...channel.recipients],
    last_message_id: channel.messages.newestId(),
  };
}

function common(world: World, channel: ChannelRecord) {
  return {
    id: channel.id,
    guild_id: world.guildId,
    name: channel.name,
    position: 0,
    permission_overwrites: [...channel.overwrites.values()],
    parent_id: null,
    nsfw: false,
  };
}
