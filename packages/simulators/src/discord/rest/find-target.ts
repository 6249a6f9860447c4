import { botMay } from '../permissions/bot-may.ts';
import type { PermissionName } from '../permissions/compute-permissions.ts';
import type { MessageRecord } from '../state/message-record.ts';
import type { ChannelRecord } from '../state/records.ts';
import { isDirect } from '../state/world.ts';
import {
  missingAccess,
  missingPermissions,
  threadIsArchived,
  unknownChannel,
  unknownMessage,
} from './refusal.ts';
import type { RouteRequest } from './route.ts';

/**
 * The channel of a request.
 *
 * @throws Refusal 10003 without one, 50001 where the bot sees nothing.
 */
export function findChannel({ world, parameters }: RouteRequest): ChannelRecord {
  const channel = world.channels.get(parameters.channel ?? '');
  if (channel === undefined) throw unknownChannel();
  if (!botMay(world, channel, 'ViewChannel')) throw missingAccess();
  return channel;
}

/** @throws Refusal 10008 */
export function findMessage({ parameters }: RouteRequest, channel: ChannelRecord): MessageRecord {
  const message = channel.messages.get(parameters.message ?? '');
  if (message === undefined) throw unknownMessage();
  return message;
}

/** @throws Refusal 50013 */
export function requirePermission(
  { world }: RouteRequest,
  channel: ChannelRecord,
  name: PermissionName,
): void {
  if (!botMay(world, channel, name)) throw missingPermissions();
}

/**
 * Posting to an archived thread wakes it, unless it is locked and the bot may not manage threads.
 *
 * @throws Refusal 50013, 50083
 * @see https://docs.discord.com/developers/topics/threads#active-and-archived-threads
 */
export function requireSending(request: RouteRequest, channel: ChannelRecord): void {
  const { thread } = channel;
  if (isDirect(channel)) return;
  if (thread?.locked && thread.archived && !botMay(request.world, channel, 'ManageThreads')) {
    throw threadIsArchived(403);
  }
  requirePermission(request, channel, thread === null ? 'SendMessages' : 'SendMessagesInThreads');
}

/** @throws Refusal 50083 */
export function requireActive({ thread }: ChannelRecord): void {
  if (thread?.archived) throw threadIsArchived(400);
}
