import type { APIAttachment, APIMessageSnapshot, APIUser, MessageType } from 'discord-api-types/v10';

/** Whom a message mentions, after what its sender allowed and may do. */
export interface Mentions {
  readonly users: readonly APIUser[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

/** The message that a reply, a thread's first message or the notice of a thread refers to. */
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
  readonly attachments: readonly APIAttachment[];
  /** Of the message that it forwards; null: it forwards nothing. */
  readonly snapshot: APIMessageSnapshot | null;
  readonly nonce: string | number | null;
  readonly webhookId: string | null;
  /** Ids of those who reacted, by emoji. */
  readonly reactions: Map<string, Set<string>>;
}
