import {
  type APIMessage,
  type APIReaction,
  type GatewayMessageCreateDispatchData,
  MessageType,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { thread } from './channel-schemas.ts';
import { list, payload, snowflake, time } from './payload.ts';
import { user } from './user-schemas.ts';

const reaction = payload<APIReaction>()({
  count: z.int().positive(),
  count_details: z.object({ burst: z.int(), normal: z.int() }),
  me: z.boolean(),
  me_burst: z.boolean(),
  emoji: z.object({ id: z.null(), name: z.string() }),
  burst_colors: list,
});

export const message = payload<APIMessage>()({
  id: snowflake,
  channel_id: snowflake,
  author: user,
  content: z.string().max(2000),
  timestamp: time,
  edited_timestamp: time.nullable(),
  tts: z.boolean(),
  mention_everyone: z.boolean(),
  mention_roles: z.array(snowflake),
  mentions: z.array(user),
  attachments: list,
  embeds: list,
  pinned: z.boolean(),
  type: z.enum(MessageType),
}).extend({
  reactions: z.array(reaction).optional(),
  thread: thread.optional(),
  message_reference: z.looseObject({ channel_id: snowflake }).optional(),
});

export const messageEvent = message.extend(
  payload<Pick<GatewayMessageCreateDispatchData, 'mentions'>>()({ mentions: z.array(user) }).shape,
);
