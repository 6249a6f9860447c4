import {
  type APIApplication,
  ApplicationFlags,
  type RESTGetAPIGatewayBotResult,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { guildPayload } from '../payloads/guild-payload.ts';
import type { World } from '../state/world.ts';
import { Refusal } from './refusal.ts';
import { answer, type RouteHandler, type RouteRequest } from './route.ts';

const getGateway: RouteHandler = ({ gatewayUrl }) =>
  answer(200, {
    url: gatewayUrl,
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
  } satisfies RESTGetAPIGatewayBotResult);

const getSelf: RouteHandler = ({ world }) => answer(200, world.bot);

const getUser: RouteHandler = ({ world, parameters }) => {
  const user = world.users.get(parameters.user ?? '');
  if (user === undefined) throw new Refusal(404, RESTJSONErrorCodes.UnknownUser, 'Unknown User');
  return answer(200, user);
};

const getApplication: RouteHandler = ({ world }) =>
  answer(200, {
    id: world.bot.id,
    name: world.bot.username,
    icon: null,
    description: '',
    bot_public: false,
    bot_require_code_grant: false,
    bot: world.bot,
    summary: '',
    verify_key: '0'.repeat(64),
    team: null,
    flags: applicationFlags(world),
    flags_new: String(applicationFlags(world)),
  } satisfies APIApplication);

const listChannels: RouteHandler = (request) => answer(200, guildPayload(findGuild(request)).channels);

const listActiveThreads: RouteHandler = (request) =>
  answer(200, { threads: guildPayload(findGuild(request)).threads, members: [] });

function findGuild({ world, parameters }: RouteRequest): World {
  if (parameters.guild === world.guildId) return world;
  throw new Refusal(404, RESTJSONErrorCodes.UnknownGuild, 'Unknown Guild');
}

/** Flags of the privileged intents that are switched on, as a small bot has them. */
export function applicationFlags({ privileged }: World): ApplicationFlags {
  return (
    (privileged.messageContent ? ApplicationFlags.GatewayMessageContentLimited : 0) |
    (privileged.guildMembers ? ApplicationFlags.GatewayGuildMembersLimited : 0) |
    (privileged.guildPresences ? ApplicationFlags.GatewayPresenceLimited : 0)
  );
}

/** @see https://docs.discord.com/developers/events/gateway#get-gateway-bot */
export const accountRoutes = {
  'GET /gateway/bot': getGateway,
  'GET /users/@me': getSelf,
  'GET /users/:user': getUser,
  'GET /applications/@me': getApplication,
  'GET /guilds/:guild/channels': listChannels,
  'GET /guilds/:guild/threads/active': listActiveThreads,
} satisfies Record<string, RouteHandler>;
