import type { APIOverwrite, APIUser, ChannelType, MessageType } from 'discord-api-types/v10';
import type { MessageLog } from './message-log.ts';

/** Whom a message mentions, after what its sender allowed and may do. */
export interface Mentions {
  readonly users: readonly APIUser[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

/** What a reply, a thread's first message or the notice of a thread refers to. */
export interface Reference {
  readonly channelId: string;
  /** Null: the reference is to a channel. */
  readonly messageId: string | null;
}

export interface MessageRecord {
  readonly id: string;
  readonly channelId: string;
  readonly type: MessageType;
  readonly author: APIUser;
  content: string;
  mentions: Mentions;
  readonly createdAt: string;
  editedAt: string | null;
  readonly reference: Reference | null;
  readonly nonce: string | number | null;
  readonly webhookId: string | null;
  /** Ids of those who reacted, by emoji. */
  readonly reactions: Map<string, Set<string>>;
}

export interface ThreadRecord {
  readonly ownerId: string;
  readonly createdAt: string;
  archived: boolean;
  locked: boolean;
  archiveChangedAt: string;
  autoArchiveMinutes: 60 | 1440 | 4320 | 10080;
  /** How many messages were ever sent, without the first. */
  totalSent: number;
}

export interface ChannelRecord {
  readonly id: string;
  readonly type: ChannelType;
  name: string;
  /** The channel of a thread. */
  readonly parentId: string | null;
  readonly overwrites: Map<string, APIOverwrite>;
  /** The people of a direct conversation, without the bot. */
  readonly recipients: readonly APIUser[];
  readonly thread: ThreadRecord | null;
  readonly messages: MessageLog;
}

export interface RoleRecord {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly mentionable: boolean;
  readonly managed: boolean;
  permissions: bigint;
}
