import { ChannelType, MessageType, RESTJSONErrorCodes } from 'discord-api-types/v10';
import { z } from 'zod';
import { postMessage } from '../actions/post-message.ts';
import { botMay } from '../permissions/bot-may.ts';
import type { MessageRecord } from '../state/message-record.ts';
import type { ChannelRecord } from '../state/records.ts';
import { isDirect, type World } from '../state/world.ts';
import { allowedMentionsSchema, allowMentions } from './allowed-mentions.ts';
import { findChannel, requireSending } from './find-target.ts';
import { emptyMessage } from './message-routes.ts';
import { parseBody, textUpTo } from './parse-body.ts';
import { invalidField, Refusal, unknownMessage } from './refusal.ts';
import { answer, type RouteHandler } from './route.ts';
import { viewMessage } from './view-message.ts';

const schema = z.object({
  content: textUpTo(2000).nullish(),
  nonce: z.union([textUpTo(25), z.number().int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  allowed_mentions: allowedMentionsSchema.nullish(),
  message_reference: z
    .object({ message_id: z.string(), fail_if_not_exists: z.boolean().nullish() })
    .nullish(),
});

type Body = z.infer<typeof schema>;

/** @see https://docs.discord.com/developers/resources/message#create-message */
export const createMessage: RouteHandler = (request) => {
  const { world } = request;
  const channel = findChannel(request);
  requireChannelOfMessages(world, channel);
  requireSending(request, channel);
  const body = parseBody(schema, request.body);
  const content = body.content ?? '';
  if (content.trim() === '') throw emptyMessage();
  const said = findSaid(world, body);
  if (said !== null) return answer(200, viewMessage(world, said));
  const repliedTo = findReplied(world, channel, body);
  const message = postMessage(world, {
    channel,
    author: world.bot,
    content,
    mentions: allowMentions(world, content, { channel, allowed: body.allowed_mentions ?? null, repliedTo }),
    reference: repliedTo && { channelId: channel.id, messageId: repliedTo.id },
    nonce: body.nonce ?? null,
  });
  if (body.nonce != null) world.nonces.set(String(body.nonce), message);
  return answer(200, viewMessage(world, message));
};

function requireChannelOfMessages(world: World, channel: ChannelRecord): void {
  if (channel.type === ChannelType.GuildForum) {
    throw new Refusal(
      400,
      RESTJSONErrorCodes.CannotSendAMessageInAForumChannel,
      'Cannot send a message in a forum channel',
    );
  }
  if (isDirect(channel) && channel.recipients.some(({ id }) => world.closedDirectMessages.has(id))) {
    throw new Refusal(
      403,
      RESTJSONErrorCodes.CannotSendMessagesToThisUser,
      'Cannot send messages to this user',
    );
  }
}

/** Discord says "a few minutes" and no more. */
const NONCE_MS = 5 * 60_000;

/**
 * Finds what the bot has said under the same nonce lately; without `enforce_nonce` a nonce binds nobody.
 *
 * @throws Refusal 10008 when that was deleted
 * @see https://github.com/discord/discord-api-docs/pull/6647
 */
function findSaid(world: World, { nonce, enforce_nonce: isEnforced }: Body): MessageRecord | null {
  if (isEnforced !== true || nonce == null) return null;
  const said = world.nonces.get(String(nonce));
  if (said === undefined || world.now() - Date.parse(said.createdAt) > NONCE_MS) return null;
  if (world.channels.get(said.channelId)?.messages.get(said.id) === undefined) throw unknownMessage();
  return said;
}

function findReplied(
  world: World,
  channel: ChannelRecord,
  { message_reference: reference }: Body,
): MessageRecord | null {
  if (!reference) return null;
  if (!botMay(world, channel, 'ReadMessageHistory')) {
    const code = RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory;
    throw new Refusal(403, code, 'Cannot reply without permission to read message history');
  }
  const found = channel.messages.get(reference.message_id);
  if (found === undefined) {
    if (reference.fail_if_not_exists === false) return null;
    throw invalidField(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
  }
  if (found.type === MessageType.Default || found.type === MessageType.Reply) return found;
  const code = 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE';
  throw invalidField(['message_reference'], code, 'Cannot reply to a system message');
}
