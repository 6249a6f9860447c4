import type { APIGuildMember, APIGuildMemberNoUser, APIUser, GuildMemberFlags } from 'discord-api-types/v10';
import type { World } from '../state/world.ts';

const JOINED_AT = '2026-01-05T09:00:00.000Z';
const NO_FLAGS = 0 as GuildMemberFlags;

/** A member as it stands beside its user, in events about messages. */
export function memberPayload(world: World, userId: string): APIGuildMemberNoUser {
  return {
    nick: null,
    avatar: null,
    roles: [...(world.memberRoles.get(userId) ?? [])],
    joined_at: JOINED_AT,
    premium_since: null,
    pending: false,
    communication_disabled_until: null,
    deaf: false,
    mute: false,
    flags: NO_FLAGS,
  };
}

/** @see https://docs.discord.com/developers/resources/guild#guild-member-object */
export function memberWithUserPayload(world: World, user: APIUser): APIGuildMember {
  return { ...memberPayload(world, user.id), user };
}
