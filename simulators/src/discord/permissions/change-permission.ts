import { GatewayDispatchEvents, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { guildChannelPayload } from '../payloads/channel-payload.ts';
import { rolePayload } from '../payloads/role-payload.ts';
import type { ChannelRecord, RoleRecord } from '../state/records.ts';
import type { World } from '../state/world.ts';
import type { PermissionName } from './compute-permissions.ts';

/** Gives the bot a permission or takes it: in one channel by an overwrite, or everywhere through its roles. */
export function changePermission(world: World, { permission, isGranted, channel }: PermissionChange): void {
  const bit = PermissionFlagsBits[permission];
  if (channel !== null) changeOverwrite(world, channel, isGranted ? { allow: bit } : { deny: bit });
  else
    for (const role of rolesOfBot(world)) {
      changeRole(world, role, isGranted ? role.permissions | bit : role.permissions & ~bit);
    }
}

interface PermissionChange {
  readonly permission: PermissionName;
  readonly isGranted: boolean;
  /** Null: everywhere. */
  readonly channel: ChannelRecord | null;
}

function changeOverwrite(
  world: World,
  channel: ChannelRecord,
  { allow = 0n, deny = 0n }: { readonly allow?: bigint; readonly deny?: bigint },
): void {
  const id = world.bot.id;
  const before = channel.overwrites.get(id);
  channel.overwrites.set(id, {
    id,
    type: OverwriteType.Member,
    allow: String((BigInt(before?.allow ?? 0) | allow) & ~deny),
    deny: String((BigInt(before?.deny ?? 0) | deny) & ~allow),
  });
  world.publish({
    dispatch: { t: GatewayDispatchEvents.ChannelUpdate, d: guildChannelPayload(world, channel) },
    channelId: null,
  });
}

function rolesOfBot(world: World): readonly RoleRecord[] {
  const ids = [world.guildId, ...(world.memberRoles.get(world.bot.id) ?? [])];
  return ids.flatMap((id) => world.roles.get(id) ?? []);
}

function changeRole(world: World, role: RoleRecord, permissions: bigint): void {
  if (role.permissions === permissions) return;
  role.permissions = permissions;
  world.publish({
    dispatch: {
      t: GatewayDispatchEvents.GuildRoleUpdate,
      d: { guild_id: world.guildId, role: rolePayload(role) },
    },
    channelId: null,
  });
}
