import type { APIGuildMember, APIRole, APIUser } from 'discord-api-types/v10';
import { z } from 'zod';
import { bits, payload, snowflake, time } from './payload.ts';

export const user = payload<APIUser>()({
  id: snowflake,
  username: z.string(),
  discriminator: z.string(),
  global_name: z.string().nullable(),
  avatar: z.string().nullable(),
});

export const role = payload<APIRole>()({
  id: snowflake,
  name: z.string(),
  color: z.int(),
  colors: z.object({ primary_color: z.int(), secondary_color: z.null(), tertiary_color: z.null() }),
  hoist: z.boolean(),
  position: z.int(),
  permissions: bits,
  managed: z.boolean(),
  mentionable: z.boolean(),
  flags: z.int(),
});

export const member = payload<APIGuildMember>()({
  user,
  roles: z.array(snowflake),
  joined_at: time,
  deaf: z.boolean(),
  mute: z.boolean(),
  flags: z.int(),
});
