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
  /** For the model: names instead of ids, and what the message replies to or forwards. Default: `content`. */
  readonly modelContent?: string | undefined;
  /** True if it brings a file, a sticker or anything else that is no text. Default: false. */
  readonly hasAttachment?: boolean | undefined;
  /** Tells whether the text calls the bot by `<@id>`. */
  readonly mentionsBot: boolean;
  readonly where: MessagePlace;
  readonly origin: MessageOrigin;
  /** Discord's name of the server's language, e.g. `ja` or `en-US`; null in direct messages. */
  readonly guildLocale: string | null;
}

/** Server, channels and roles of a message, as allow lists name them. */
export interface MessageOrigin {
  /** Null in direct messages. */
  readonly guildId: string | null;
  /** The channel; of a thread the thread and its channel. */
  readonly channelIds: readonly string[];
  /** Roles of the author. */
  readonly roleIds: readonly string[];
}

/** Kind of place where a message stands. */
export type MessagePlace =
  | { readonly kind: 'direct' }
  | { readonly kind: 'thread'; readonly ownerId: string | null }
  /** `canHaveThread`: text and announcement channels; `hasThread`: somebody was faster. */
  | { readonly kind: 'channel'; readonly canHaveThread: boolean; readonly hasThread: boolean };

/** Ids of those who may use the bot and of where. Null: any. */
export interface AllowList {
  readonly servers: readonly string[] | null;
  /** With their threads. */
  readonly channels: readonly string[] | null;
  readonly people: readonly string[] | null;
  /** Whoever has one of these roles is as good as named among the people. */
  readonly roles: readonly string[] | null;
}

/** Lets in everybody who can write where the bot can read. */
export const openToAll: AllowList = { servers: null, channels: null, people: null, roles: null };

/**
 * Tells whether a message's server, channel and author are all allowed. A direct message stands on no server: as soon as
 * there is any list, it takes an author who is named.
 */
export function mayUse(
  { authorId, origin }: Pick<IncomingMessage, 'authorId' | 'origin'>,
  { servers, channels, people, roles }: AllowList,
): boolean {
  const isNamed = people?.includes(authorId) ?? false;
  if (origin.guildId === null) {
    return isNamed || [servers, channels, people, roles].every((list) => list === null);
  }
  const isServer = servers?.includes(origin.guildId) ?? true;
  const isChannel = channels === null || origin.channelIds.some((id) => channels.includes(id));
  const isPerson = people === null && roles === null;
  const hasRole = origin.roleIds.some((id) => roles?.includes(id));
  return isServer && isChannel && (isPerson || isNamed || hasRole);
}

/**
 * Tells whether a message is for the bot. In its own threads and in direct messages every text of a person is, elsewhere
 * it takes a mention by `<@id>`: `@everyone`, a role and a reply are none.
 *
 * @see seed 003 §2.1, decisions D11 and D12
 */
export function shouldHandle(message: IncomingMessage, botUserId: string): boolean {
  if (message.authorId === botUserId || message.authorIsBot || message.isSystem) return false;
  if (message.mentionsBot) return true;
  // A picture or a sticker alone is answered too: its author learns that the bot cannot read it.
  if (!isVisible(message.modelContent ?? message.content) && message.hasAttachment !== true) return false;
  const { where } = message;
  return where.kind === 'direct' || (where.kind === 'thread' && where.ownerId === botUserId);
}

/** Tells whether there is anything to see in a text: spaces, controls and characters without a shape are nothing. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text);
}
