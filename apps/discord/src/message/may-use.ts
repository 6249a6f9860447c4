import type { IncomingMessage } from './incoming-message.ts';

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
 * Whether a message's server, channel and author are all allowed. A direct message stands on no server: as soon as
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
