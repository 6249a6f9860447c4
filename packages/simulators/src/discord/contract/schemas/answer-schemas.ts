import type { APIApplication, RESTGetAPIGatewayBotResult } from 'discord-api-types/v10';
import { z } from 'zod';
import { direct, guildChannel, thread } from './channel-schemas.ts';
import { message } from './message-schemas.ts';
import { application, list, payload } from './payload.ts';
import { user } from './user-schemas.ts';

/** Schemas of the answers that are no refusals, by request. */
export const answerSchemas: Readonly<Record<string, z.ZodType>> = {
  'GET /gateway/bot': payload<RESTGetAPIGatewayBotResult>()({
    url: z.url(),
    shards: z.int(),
    session_start_limit: z.object({
      total: z.int(),
      remaining: z.int(),
      reset_after: z.int(),
      max_concurrency: z.int(),
    }),
  }),
  'GET /users/@me': user,
  'GET /users/:user': user,
  'GET /applications/@me': payload<APIApplication>()({
    ...application,
    name: z.string(),
    icon: z.null(),
    description: z.string(),
    bot_public: z.boolean(),
    bot_require_code_grant: z.boolean(),
    summary: z.literal(''),
    verify_key: z.string(),
    team: z.null(),
  }),
  'GET /guilds/:guild/channels': z.array(guildChannel),
  'GET /guilds/:guild/threads/active': z.object({ threads: z.array(thread), members: list }),
  'GET /channels/:channel': z.union([thread, guildChannel, direct]),
  'PATCH /channels/:channel': thread,
  'POST /users/@me/channels': direct,
  'GET /channels/:channel/messages': z.array(message),
  'POST /channels/:channel/messages': message,
  'GET /channels/:channel/messages/:message': message,
  'PATCH /channels/:channel/messages/:message': message,
  'POST /channels/:channel/messages/:message/threads': thread,
  'DELETE /channels/:channel/messages/:message': z.undefined(),
  'POST /channels/:channel/typing': z.undefined(),
  'PUT /channels/:channel/thread-members/@me': z.undefined(),
  'PUT /channels/:channel/messages/:message/reactions/:emoji/@me': z.undefined(),
};
