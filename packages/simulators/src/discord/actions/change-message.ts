import { GatewayDispatchEvents } from 'discord-api-types/v10';
import { messageEventPayload } from '../payloads/message-payload.ts';
import type { Mentions, MessageRecord } from '../state/message-record.ts';
import { isDirect, timestampOf, type World } from '../state/world.ts';

export function editMessage(
  world: World,
  message: MessageRecord,
  { content, mentions }: { readonly content: string; readonly mentions: Mentions },
): void {
  message.content = content.trim();
  message.mentions = mentions;
  message.editedAt = timestampOf(world);
  publishUpdate(world, message);
}

/** Tells that a message is no longer as it was. */
export function publishUpdate(world: World, message: MessageRecord): void {
  world.publish({
    dispatch: { t: GatewayDispatchEvents.MessageUpdate, d: messageEventPayload(world, message) },
    channelId: message.channelId,
  });
}

export function deleteMessage(world: World, message: MessageRecord): void {
  const channel = world.channels.get(message.channelId);
  channel?.messages.remove(message.id);
  const guild = channel === undefined || isDirect(channel) ? {} : { guild_id: world.guildId };
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.MessageDelete,
      d: { id: message.id, channel_id: message.channelId, ...guild },
    },
    channelId: message.channelId,
  });
}
