import { GatewayDispatchEvents, ReactionType } from 'discord-api-types/v10';
import type { MessageRecord } from '../state/message-record.ts';
import { isDirect, type World } from '../state/world.ts';

/** Adds somebody's reaction; a second time changes nothing. */
export function addReaction(
  world: World,
  message: MessageRecord,
  { userId, emoji }: { readonly userId: string; readonly emoji: string },
): void {
  const people = message.reactions.get(emoji) ?? new Set();
  if (people.has(userId)) return;
  message.reactions.set(emoji, people.add(userId));
  const channel = world.channels.get(message.channelId);
  const guild = channel === undefined || isDirect(channel) ? {} : { guild_id: world.guildId };
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.MessageReactionAdd,
      d: {
        user_id: userId,
        channel_id: message.channelId,
        message_id: message.id,
        message_author_id: message.author.id,
        emoji: { id: null, name: emoji },
        burst: false,
        type: ReactionType.Normal,
        ...guild,
      },
    },
    channelId: message.channelId,
  });
}
