import { ChannelType, MessageType, RESTJSONErrorCodes } from 'discord-api-types/v10';
import { z } from 'zod';
import { changeThread, deleteThread } from '../actions/change-thread.ts';
import { startThread } from '../actions/start-thread.ts';
import { channelPayload } from '../payloads/channel-payload.ts';
import { joinedThreadPayload } from '../payloads/thread-payload.ts';
import type { ChannelRecord } from '../state/records.ts';
import { isDirect, isThread, type World } from '../state/world.ts';
import { findChannel, findMessage, requireActive, requirePermission } from './find-target.ts';
import { parseBody } from './parse-body.ts';
import { Refusal, threadIsArchived } from './refusal.ts';
import { answer, type RouteHandler } from './route.ts';

const name = z
  .string()
  .min(1, 'Must be between 1 and 100 in length.')
  .max(100, 'Must be between 1 and 100 in length.');
const startSchema = z.object({
  name,
  auto_archive_duration: z.literal([60, 1440, 4320, 10080]).nullish(),
});
const changeSchema = z.object({
  name: name.optional(),
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
});

const start: RouteHandler = (request) => {
  const { world } = request;
  const parent = findChannel(request);
  requireParent(parent);
  const from = findMessage(request, parent);
  requirePermission(request, parent, 'CreatePublicThreads');
  const body = parseBody(startSchema, request.body);
  if (from.type !== MessageType.Default && from.type !== MessageType.Reply) {
    const code = RESTJSONErrorCodes.CannotExecuteActionOnSystemMessage;
    throw new Refusal(403, code, 'Cannot execute action on a system message');
  }
  requireNoThread(world, from.id);
  const autoArchiveMinutes = body.auto_archive_duration ?? undefined;
  const channel = startThread(world, { parent, owner: world.bot, name: body.name, from, autoArchiveMinutes });
  return answer(201, viewThread(world, channel));
};

function requireParent(channel: ChannelRecord): void {
  if (isDirect(channel)) {
    const code = RESTJSONErrorCodes.CannotExecuteActionOnDMChannel;
    throw new Refusal(400, code, 'Cannot execute action on a DM channel');
  }
  if (channel.type === ChannelType.GuildText || channel.type === ChannelType.GuildAnnouncement) return;
  const code = RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType;
  throw new Refusal(400, code, 'Cannot execute action on this channel type');
}

function requireNoThread(world: World, messageId: string): void {
  if (!world.channels.has(messageId)) return;
  const code = RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage;
  throw new Refusal(400, code, 'A thread has already been created for this message');
}

const change: RouteHandler = (request) => {
  const channel = findChannel(request);
  const body = parseBody(changeSchema, request.body);
  if (!isThread(channel)) requirePermission(request, channel, 'ManageChannels');
  else requireChangeable(request.world, channel, () => requirePermission(request, channel, 'ManageThreads'));
  if (channel.thread?.archived && body.archived !== false) throw threadIsArchived(400);
  changeThread(request.world, channel, body);
  return answer(200, channelPayload(request.world, channel));
};

/** Its owner may change a thread that is not locked. */
function requireChangeable(world: World, { thread }: ChannelRecord, otherwise: () => void): void {
  if (thread?.ownerId !== world.bot.id || thread.locked) otherwise();
}

/** Of channels, this Discord deletes threads alone. @see https://docs.discord.com/developers/resources/channel#deleteclose-channel */
const remove: RouteHandler = (request) => {
  const channel = findChannel(request);
  requirePermission(request, channel, isThread(channel) ? 'ManageThreads' : 'ManageChannels');
  const view = channelPayload(request.world, channel);
  if (isThread(channel)) deleteThread(request.world, channel);
  return answer(200, view);
};

const join: RouteHandler = (request) => {
  requireActive(findChannel(request));
  return answer(204);
};

function viewThread(world: World, channel: ChannelRecord) {
  return channel.thread === null
    ? channelPayload(world, channel)
    : joinedThreadPayload(world, channel, channel.thread);
}

/** @see https://docs.discord.com/developers/resources/channel#start-thread-from-message */
export const threadRoutes = {
  'POST /channels/:channel/messages/:message/threads': start,
  'PATCH /channels/:channel': change,
  'DELETE /channels/:channel': remove,
  'PUT /channels/:channel/thread-members/@me': join,
} satisfies Record<string, RouteHandler>;
