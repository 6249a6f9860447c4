import type { APIRole, RoleFlags } from 'discord-api-types/v10';
import type { RoleRecord } from '../state/records.ts';

const NO_FLAGS = 0 as RoleFlags;

/** @see https://docs.discord.com/developers/topics/permissions#role-object */
export function rolePayload(role: RoleRecord): APIRole {
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: String(role.permissions),
    managed: role.managed,
    mentionable: role.mentionable,
    flags: NO_FLAGS,
  };
}
