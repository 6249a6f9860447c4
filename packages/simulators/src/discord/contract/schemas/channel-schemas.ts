import {
  type APIChannel,
  type APITextChannel,
  type APIThreadChannel,
  type APIThreadMetadata,
  ChannelType,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { bits, payload, snowflake, time } from './payload.ts';

const threadMetadata = payload<APIThreadMetadata>()({
  archived: z.boolean(),
  auto_archive_duration: z.literal([60, 1440, 4320, 10080]),
  archive_timestamp: time,
  locked: z.boolean(),
});

export const thread = payload<APIThreadChannel>()({
  id: snowflake,
  type: z.literal([ChannelType.PublicThread, ChannelType.AnnouncementThread]),
  name: z.string().min(1).max(100),
}).extend({
  guild_id: snowflake,
  parent_id: snowflake,
  owner_id: snowflake,
  thread_metadata: threadMetadata,
});

export const guildChannel = payload<APITextChannel>()({
  id: snowflake,
  type: z.literal([
    ChannelType.GuildText,
    ChannelType.GuildVoice,
    ChannelType.GuildForum,
    ChannelType.GuildAnnouncement,
  ]),
  name: z.string(),
  position: z.int(),
}).extend({
  permission_overwrites: z.array(
    z.object({ id: snowflake, type: z.literal([0, 1]), allow: bits, deny: bits }),
  ),
});

export const direct = payload<APIChannel & { type: ChannelType.DM }>()({
  id: snowflake,
  type: z.literal(ChannelType.DM),
  name: z.null(),
});
