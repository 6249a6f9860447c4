/** A message that somebody posted, as far as the bot decides by it. */
export interface IncomingMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string;
  /** True for other bots and for webhooks. */
  readonly authorIsBot: boolean;
  /** True for joins, renames and the like, which nobody wrote. */
  readonly isSystem: boolean;
  /** As it was written, mentions as `<@id>`. */
  readonly content: string;
  /** For people: mentions as names, those of the bot left out. */
  readonly readableContent: string;
  /** Whether the text calls the bot by `<@id>`. */
  readonly mentionsBot: boolean;
  readonly where: MessagePlace;
  readonly origin: MessageOrigin;
  /** Discord's name of the server's language, e.g. `ja` or `en-US`; null in direct messages. */
  readonly guildLocale: string | null;
}

/** What an allow list may name. */
export interface MessageOrigin {
  /** Null in direct messages. */
  readonly guildId: string | null;
  /** The channel; of a thread the thread and its channel. */
  readonly channelIds: readonly string[];
  /** Roles of the author. */
  readonly roleIds: readonly string[];
}

/** Where a message stands. */
export type MessagePlace =
  | { readonly kind: 'direct' }
  | { readonly kind: 'thread'; readonly ownerId: string | null }
  /** `canHaveThread`: text and announcement channels; `hasThread`: somebody was faster. */
  | { readonly kind: 'channel'; readonly canHaveThread: boolean; readonly hasThread: boolean };
