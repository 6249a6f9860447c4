import { type APIUser, ChannelType, GatewayDispatchEvents, MessageType } from 'discord-api-types/v10';
import { joinedThreadPayload } from '../payloads/thread-payload.ts';
import { createMessageLog } from '../state/message-log.ts';
import type { MessageRecord } from '../state/message-record.ts';
import type { ChannelRecord, ThreadRecord } from '../state/records.ts';
import { timestampOf, type World } from '../state/world.ts';
import { publishUpdate } from './change-message.ts';
import { postMessage } from './post-message.ts';

export interface ThreadDraft {
  readonly parent: ChannelRecord;
  readonly owner: APIUser;
  readonly name: string;
  /** The message it is made from; null: none. */
  readonly from: MessageRecord | null;
  readonly autoArchiveMinutes?: ThreadRecord['autoArchiveMinutes'] | undefined;
}

/**
 * Makes a thread. One made from a message takes that message's id, and begins with a message that refers to it and
 * has no text: the text stays in the channel. One made from nothing is announced in the channel.
 *
 * @see https://docs.discord.com/developers/topics/threads
 */
export function startThread(world: World, draft: ThreadDraft): ChannelRecord {
  const { parent, owner, from } = draft;
  const channel = createThread(world, draft);
  world.channels.set(channel.id, channel);
  const thread = joinedThreadPayload(world, channel, channel.thread);
  world.publish({
    dispatch: { t: GatewayDispatchEvents.ThreadCreate, d: { ...thread, newly_created: true } },
    channelId: channel.id,
  });
  if (from === null) {
    const reference = { channelId: channel.id, messageId: null };
    postMessage(world, {
      channel: parent,
      author: owner,
      content: channel.name,
      type: MessageType.ThreadCreated,
      reference,
    });
    return channel;
  }
  publishUpdate(world, from);
  const reference = { channelId: parent.id, messageId: from.id };
  // Whoever wrote the message is its author here too: a bot that tells messages by author alone trips over it.
  postMessage(world, {
    channel,
    author: from.author,
    content: '',
    type: MessageType.ThreadStarterMessage,
    reference,
  });
  return channel;
}

function createThread(
  world: World,
  { parent, owner, name, from, autoArchiveMinutes = 1440 }: ThreadDraft,
): ChannelRecord & { readonly thread: ThreadRecord } {
  const isAnnounced = parent.type === ChannelType.GuildAnnouncement;
  const now = timestampOf(world);
  return {
    id: from?.id ?? world.nextId(),
    type: isAnnounced ? ChannelType.AnnouncementThread : ChannelType.PublicThread,
    name,
    parentId: parent.id,
    overwrites: new Map(),
    recipients: [],
    thread: {
      ownerId: owner.id,
      createdAt: now,
      archived: false,
      locked: false,
      archiveChangedAt: now,
      autoArchiveMinutes,
      totalSent: 0,
    },
    messages: createMessageLog(),
  };
}
