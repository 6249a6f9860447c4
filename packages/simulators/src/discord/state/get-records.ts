import type { MessageRecord } from './message-record.ts';
import type { ChannelRecord } from './records.ts';
import type { World } from './world.ts';

/** @throws Error for a mistake in the test or example that asks. */
export function getChannel(world: World, id: string): ChannelRecord {
  const channel = world.channels.get(id);
  if (channel === undefined) throw new Error(`No channel ${id}`);
  return channel;
}

/** @throws Error for a mistake in the test or example that asks. */
export function getMessage(
  world: World,
  { id, channel_id: channelId }: { readonly id: string; readonly channel_id: string },
): MessageRecord {
  const message = getChannel(world, channelId).messages.get(id);
  if (message === undefined) throw new Error(`No message ${id} in channel ${channelId}`);
  return message;
}
