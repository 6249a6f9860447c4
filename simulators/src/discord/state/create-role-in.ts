import { GatewayDispatchEvents } from 'discord-api-types/v10';
import { rolePayload } from '../payloads/role-payload.ts';
import { createRole } from './create-world.ts';
import type { World } from './world.ts';

/** Adds a role that people may be called by, and tells of it. Gives its id. */
export function createRoleIn(world: World, name: string): string {
  const role = createRole(world.nextId(), name, { position: world.roles.size, mentionable: true });
  world.roles.set(role.id, role);
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.GuildRoleCreate,
      d: { guild_id: world.guildId, role: rolePayload(role) },
    },
    channelId: null,
  });
  return role.id;
}
