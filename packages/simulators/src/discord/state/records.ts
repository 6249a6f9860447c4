import type { APIOverwrite, APIUser, ChannelType } from 'discord-api-types/v10';
import type { MessageLog } from './message-log.ts';

export interface ThreadRecord {
  readonly ownerId: string;
  readonly createdAt: string;
  archived: boolean;
  locked: boolean;
  archiveChangedAt: string;
  autoArchiveMinutes: 60 | 1440 | 4320 | 10080;
  /** Number of messages ever sent, without the first. */
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
