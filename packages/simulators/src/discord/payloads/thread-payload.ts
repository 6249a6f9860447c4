import {
  type APIAnnouncementThreadChannel,
  type APIPublicThreadChannel,
  ChannelType,
  type ThreadMemberFlags,
} from 'discord-api-types/v10';
import type { ChannelRecord, ThreadRecord } from '../state/records.ts';
import type { World } from '../state/world.ts';

const NO_FLAGS = 0 as ThreadMemberFlags;

type ThreadPayload = APIAnnouncementThreadChannel | APIPublicThreadChannel;

/** @see https://docs.discord.com/developers/topics/threads */
export function threadPayload(world: World, channel: ChannelRecord, thread: ThreadRecord): ThreadPayload {
  const rest = commonPayload(world, channel, thread);
  return channel.type === ChannelType.AnnouncementThread
    ? { ...rest, type: ChannelType.AnnouncementThread }
    : { ...rest, type: ChannelType.PublicThread };
}

function commonPayload(world: World, channel: ChannelRecord, thread: ThreadRecord) {
  return {
    id: channel.id,
    guild_id: world.guildId,
    ...(channel.parentId === null ? {} : { parent_id: channel.parentId }),
    owner_id: thread.ownerId,
    name: channel.name,
    last_message_id: channel.messages.newestId(),
    rate_limit_per_user: 0,
    message_count: thread.totalSent,
    member_count: 1,
    total_message_sent: thread.totalSent,
    thread_metadata: {
      archived: thread.archived,
      auto_archive_duration: thread.autoArchiveMinutes,
      archive_timestamp: thread.archiveChangedAt,
      locked: thread.locked,
      create_timestamp: thread.createdAt,
    },
  };
}

/** A thread as its creator sees it, who is a member of it at once. */
export function joinedThreadPayload(
  world: World,
  channel: ChannelRecord,
  thread: ThreadRecord,
): ThreadPayload {
  const payload = threadPayload(world, channel, thread);
  if (thread.ownerId !== world.bot.id) return payload;
  const member = {
    id: channel.id,
    user_id: world.bot.id,
    join_timestamp: thread.createdAt,
    flags: NO_FLAGS,
  };
  return { ...payload, member };
}
