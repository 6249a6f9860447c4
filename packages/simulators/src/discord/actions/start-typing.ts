import { type APIUser, GatewayDispatchEvents } from 'discord-api-types/v10';
import { memberWithUserPayload } from '../payloads/member-payload.ts';
import type { ChannelRecord } from '../state/records.ts';
import { isDirect, type World } from '../state/world.ts';

/** Tells that somebody types. */
export function startTyping(world: World, channel: ChannelRecord, user: APIUser): void {
  const guild = isDirect(channel)
    ? {}
    : { guild_id: world.guildId, member: memberWithUserPayload(world, user) };
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.TypingStart,
      d: {
        channel_id: channel.id,
        user_id: user.id,
        timestamp: Math.floor(world.now() / 1000),
        ...guild,
      },
    },
    channelId: channel.id,
  });
}
