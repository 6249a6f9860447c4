import { type APIUser, ChannelType, GatewayDispatchEvents } from 'discord-api-types/v10';
import { guildChannelPayload } from '../payloads/channel-payload.ts';
import { createMessageLog } from '../state/message-log.ts';
import type { ChannelRecord } from '../state/records.ts';
import { isDirect, type World } from '../state/world.ts';

/** The kinds of channels that a guild may have here. */
export type SimulatedChannelKind = 'text' | 'announcement' | 'voice' | 'forum';

const TYPES = {
  text: ChannelType.GuildText,
  announcement: ChannelType.GuildAnnouncement,
  voice: ChannelType.GuildVoice,
  forum: ChannelType.GuildForum,
} as const satisfies Record<SimulatedChannelKind, ChannelType>;

/** Adds a channel to the guild and tells of it. */
export function addChannel(world: World, name: string, kind: SimulatedChannelKind): ChannelRecord {
  const channel = createChannel(world, { type: TYPES[kind], name, recipients: [] });
  world.publish({
    dispatch: { t: GatewayDispatchEvents.ChannelCreate, d: guildChannelPayload(world, channel) },
    channelId: null,
  });
  return channel;
}

/** The direct conversation of the bot and somebody, which is always the same. Nobody is told of it. */
export function openDirectChannel(world: World, user: APIUser): ChannelRecord {
  const open = [...world.channels.values()].find(
    (channel) => isDirect(channel) && channel.recipients.some(({ id }) => id === user.id),
  );
  return open ?? createChannel(world, { type: ChannelType.DM, name: '', recipients: [user] });
}

function createChannel(
  world: World,
  given: Pick<ChannelRecord, 'type' | 'name' | 'recipients'>,
): ChannelRecord {
  const channel: ChannelRecord = {
    id: world.nextId(),
    parentId: null,
    overwrites: new Map(),
    thread: null,
    messages: createMessageLog(),
    ...given,
  };
  world.channels.set(channel.id, channel);
  return channel;
}
