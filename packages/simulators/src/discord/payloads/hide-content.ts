import type { APIMessage, GatewayMessageCreateDispatchData } from 'discord-api-types/v10';
import { isDirect, type World } from '../state/world.ts';

/**
 * What is left of a message for a bot that may not read: its own messages, direct ones and those that mention it
 * keep their text.
 *
 * @see https://docs.discord.com/developers/events/gateway#message-content-intent
 */
export function hideContent<Payload extends APIMessage | GatewayMessageCreateDispatchData>(
  world: World,
  payload: Payload,
): Payload {
  const channel = world.channels.get(payload.channel_id);
  const isReadable =
    payload.author.id === world.bot.id ||
    (channel !== undefined && isDirect(channel)) ||
    payload.mentions.some(({ id }) => id === world.bot.id);
  const referenced = payload.referenced_message
    ? { referenced_message: hideContent(world, payload.referenced_message) }
    : {};
  return isReadable
    ? { ...payload, ...referenced }
    : { ...payload, ...referenced, content: '', embeds: [], attachments: [], components: [] };
}
