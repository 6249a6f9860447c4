import {
  type APIAttachment,
  type APIMessageSnapshot,
  type APIUser,
  GatewayDispatchEvents,
  MessageType,
} from 'discord-api-types/v10';
import { messageEventPayload } from '../payloads/message-payload.ts';
import type { Mentions, MessageRecord, Reference } from '../state/message-record.ts';
import type { ChannelRecord } from '../state/records.ts';
import { timestampOf, type World } from '../state/world.ts';
import { changeThread } from './change-thread.ts';

const NO_MENTIONS: Mentions = { users: [], roles: [], everyone: false };

export interface MessageDraft {
  readonly channel: ChannelRecord;
  readonly author: APIUser;
  readonly content: string;
  /** Default: an ordinary message, or a reply when it refers to a message. */
  readonly type?: MessageType;
  readonly mentions?: Mentions;
  readonly reference?: Reference | null;
  readonly attachments?: readonly APIAttachment[];
  readonly snapshot?: APIMessageSnapshot | null;
  readonly nonce?: string | number | null;
  readonly webhookId?: string | null;
}

/** Puts a message at the end of a channel and tells of it. An archived thread wakes up first. */
export function postMessage(world: World, draft: MessageDraft): MessageRecord {
  const { channel } = draft;
  if (channel.thread?.archived) changeThread(world, channel, { archived: false });
  const message = addMessage(world, draft);
  world.publish({
    dispatch: { t: GatewayDispatchEvents.MessageCreate, d: messageEventPayload(world, message) },
    channelId: channel.id,
  });
  return message;
}

/** Puts a message at the end of a channel, and tells nobody. */
export function addMessage(world: World, draft: MessageDraft): MessageRecord {
  const { channel, reference = null, nonce = null, webhookId = null, mentions = NO_MENTIONS } = draft;
  const { attachments = [], snapshot = null } = draft;
  const isReply = reference !== null && snapshot === null;
  const { type = isReply ? MessageType.Reply : MessageType.Default } = draft;
  const message: MessageRecord = {
    id: world.nextId(),
    channelId: channel.id,
    type,
    author: draft.author,
    // Discord trims what it is given.
    content: draft.content.trim(),
    mentions,
    createdAt: timestampOf(world),
    editedAt: null,
    reference,
    attachments,
    snapshot,
    nonce,
    webhookId,
    reactions: new Map(),
  };
  channel.messages.add(message);
  if (channel.thread !== null && type !== MessageType.ThreadStarterMessage) channel.thread.totalSent += 1;
  return message;
}
