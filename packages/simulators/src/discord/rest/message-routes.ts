import { MessageType, RESTJSONErrorCodes } from 'discord-api-types/v10';
import { z } from 'zod';
import { deleteMessage, editMessage } from '../actions/change-message.ts';
import { botMay } from '../permissions/bot-may.ts';
import type { MessageRecord } from '../state/message-record.ts';
import type { ChannelRecord } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { allowedMentionsSchema, allowMentions } from './allowed-mentions.ts';
import { findChannel, findMessage, requireActive, requirePermission } from './find-target.ts';
import { parseBody, textUpTo } from './parse-body.ts';
import { invalidField, missingPermissions, Refusal } from './refusal.ts';
import { answer, type RouteHandler, type RouteRequest } from './route.ts';
import { viewMessage } from './view-message.ts';

const listMessages: RouteHandler = (request) => {
  const { world, query } = request;
  const channel = findChannel(request);
  // Who may not read history gets no error, but nothing.
  if (!botMay(world, channel, 'ReadMessageHistory')) return answer(200, []);
  const page = channel.messages.page({
    limit: parseLimit(query.get('limit')),
    around: query.get('around'),
    before: query.get('before'),
    after: query.get('after'),
  });
  return answer(
    200,
    page.map((message) => viewMessage(world, message)),
  );
};

function parseLimit(written: string | null): number {
  const limit = Number(written ?? 50);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw invalidField(['limit'], 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.');
}

const getMessage: RouteHandler = (request) => {
  const channel = findChannel(request);
  requirePermission(request, channel, 'ReadMessageHistory');
  return answer(200, viewMessage(request.world, findMessage(request, channel)));
};

const editSchema = z.object({
  content: textUpTo(2000).nullish(),
  allowed_mentions: allowedMentionsSchema.nullish(),
});

const patchMessage: RouteHandler = (request) => {
  const { world } = request;
  const channel = findChannel(request);
  const message = findMessage(request, channel);
  const body = parseBody(editSchema, request.body);
  requireOwn(world, message);
  requireActive(channel);
  const content = body.content ?? message.content;
  if (content.trim() === '') throw emptyMessage();
  const rules = { channel, allowed: body.allowed_mentions ?? null, repliedTo: null };
  editMessage(world, message, { content, mentions: allowMentions(world, content, rules) });
  return answer(200, viewMessage(world, message));
};

function requireOwn(world: World, { author }: MessageRecord): void {
  if (author.id === world.bot.id) return;
  const code = RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser;
  throw new Refusal(403, code, 'Cannot edit a message authored by another user');
}

const removeMessage: RouteHandler = (request) => {
  const channel = findChannel(request);
  const message = findMessage(request, channel);
  requireDeletable(request, channel, message);
  deleteMessage(request.world, message);
  return answer(204);
};

function requireDeletable({ world }: RouteRequest, channel: ChannelRecord, message: MessageRecord): void {
  if (message.type === MessageType.ThreadStarterMessage) {
    const code = RESTJSONErrorCodes.CannotExecuteActionOnSystemMessage;
    throw new Refusal(403, code, 'Cannot execute action on a system message');
  }
  if (message.author.id !== world.bot.id && !botMay(world, channel, 'ManageMessages'))
    throw missingPermissions();
}

export function emptyMessage(): Refusal {
  return new Refusal(400, RESTJSONErrorCodes.CannotSendAnEmptyMessage, 'Cannot send an empty message');
}

/** @see https://docs.discord.com/developers/resources/message */
export const messageRoutes = {
  'GET /channels/:channel/messages': listMessages,
  'GET /channels/:channel/messages/:message': getMessage,
  'PATCH /channels/:channel/messages/:message': patchMessage,
  'DELETE /channels/:channel/messages/:message': removeMessage,
} satisfies Record<string, RouteHandler>;
