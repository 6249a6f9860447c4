import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { z } from 'zod';
import { openDirectChannel } from '../actions/add-channel.ts';
import { addReaction } from '../actions/add-reaction.ts';
import { startTyping } from '../actions/start-typing.ts';
import { channelPayload } from '../payloads/channel-payload.ts';
import { findChannel, findMessage, requireActive, requirePermission, requireSending } from './find-target.ts';
import { parseBody } from './parse-body.ts';
import { Refusal } from './refusal.ts';
import { answer, type RouteHandler } from './route.ts';

const getChannel: RouteHandler = (request) =>
  answer(200, channelPayload(request.world, findChannel(request)));

const type: RouteHandler = (request) => {
  const channel = findChannel(request);
  requireSending(request, channel);
  startTyping(request.world, channel, request.world.bot);
  return answer(204);
};

const react: RouteHandler = (request) => {
  const { world, parameters } = request;
  const channel = findChannel(request);
  const message = findMessage(request, channel);
  const emoji = decodeURIComponent(parameters.emoji ?? '');
  requirePermission(request, channel, 'ReadMessageHistory');
  if (!message.reactions.has(emoji)) requirePermission(request, channel, 'AddReactions');
  requireActive(channel);
  if (!/\p{Extended_Pictographic}/u.test(emoji)) {
    throw new Refusal(400, RESTJSONErrorCodes.UnknownEmoji, 'Unknown Emoji');
  }
  addReaction(world, message, { userId: world.bot.id, emoji });
  return answer(204);
};

const openDirect: RouteHandler = ({ world, body }) => {
  const { recipient_id: id } = parseBody(z.object({ recipient_id: z.string() }), body);
  const user = world.users.get(id);
  if (user === undefined) throw new Refusal(404, RESTJSONErrorCodes.UnknownUser, 'Unknown User');
  return answer(200, channelPayload(world, openDirectChannel(world, user)));
};

/** @see https://docs.discord.com/developers/resources/channel */
export const channelRoutes = {
  'GET /channels/:channel': getChannel,
  'POST /channels/:channel/typing': type,
  'PUT /channels/:channel/messages/:message/reactions/:emoji/@me': react,
  'POST /users/@me/channels': openDirect,
} satisfies Record<string, RouteHandler>;
