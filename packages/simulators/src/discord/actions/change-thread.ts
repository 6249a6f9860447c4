import { GatewayDispatchEvents, type GatewayThreadDeleteDispatchData } from 'discord-api-types/v10';
import { threadPayload } from '../payloads/thread-payload.ts';
import type { ChannelRecord } from '../state/records.ts';
import { timestampOf, type World } from '../state/world.ts';

export interface ThreadChange {
  readonly name?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly locked?: boolean | undefined;
}

/** Renames, archives, locks or wakes a thread, and tells of it. */
export function changeThread(world: World, channel: ChannelRecord, change: ThreadChange): void {
  const { thread } = channel;
  if (thread === null) return;
  const { name = channel.name, archived = thread.archived, locked = thread.locked } = change;
  if (archived !== thread.archived) thread.archiveChangedAt = timestampOf(world);
  channel.name = name;
  thread.archived = archived;
  thread.locked = locked;
  world.publish({
    dispatch: { t: GatewayDispatchEvents.ThreadUpdate, d: threadPayload(world, channel, thread) },
    channelId: channel.id,
  });
}

/** Deletes a thread with its messages, and tells of it. */
export function deleteThread(world: World, channel: ChannelRecord): void {
  const { id, type, parentId } = channel;
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.ThreadDelete,
      d: {
        id,
        guild_id: world.guildId,
        ...(parentId === null ? {} : { parent_id: parentId }),
        type,
      } as GatewayThreadDeleteDispatchData,
    },
    channelId: id,
  });
  world.channels.delete(id);
}
