import type {
  GatewayMessageDeleteDispatchData,
  GatewayMessageReactionAddDispatchData,
  GatewayReadyDispatchData,
  GatewayTypingStartDispatchData,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { guildChannel, thread } from './channel-schemas.ts';
import { guild } from './guild-schema.ts';
import { messageEvent } from './message-schemas.ts';
import { application, payload, snowflake } from './payload.ts';
import { role, user } from './user-schemas.ts';

/** What the data of each event must be. */
export const eventSchemas: Readonly<Record<string, z.ZodType>> = {
  READY: payload<GatewayReadyDispatchData>()({
    v: z.literal(10),
    user,
    guilds: z.array(z.object({ id: snowflake, unavailable: z.literal(true) })),
    session_id: z.string(),
    resume_gateway_url: z.url(),
    application: z.object(application),
  }),
  RESUMED: z.undefined(),
  GUILD_CREATE: guild,
  CHANNEL_CREATE: guildChannel,
  CHANNEL_UPDATE: guildChannel,
  GUILD_ROLE_CREATE: z.object({ guild_id: snowflake, role }),
  GUILD_ROLE_UPDATE: z.object({ guild_id: snowflake, role }),
  THREAD_CREATE: thread,
  THREAD_UPDATE: thread,
  MESSAGE_CREATE: messageEvent,
  MESSAGE_UPDATE: messageEvent,
  MESSAGE_DELETE: payload<GatewayMessageDeleteDispatchData>()({ id: snowflake, channel_id: snowflake }),
  MESSAGE_REACTION_ADD: payload<GatewayMessageReactionAddDispatchData>()({
    user_id: snowflake,
    channel_id: snowflake,
    message_id: snowflake,
    emoji: z.looseObject({ name: z.string() }),
    burst: z.boolean(),
    type: z.int(),
  }),
  TYPING_START: payload<GatewayTypingStartDispatchData>()({
    channel_id: snowflake,
    user_id: snowflake,
    timestamp: z.int(),
  }),
};
