import { PermissionFlagsBits } from 'discord-api-types/v10';
import type { ChannelRecord } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { computePermissions, type PermissionName } from './compute-permissions.ts';

export function botMay(world: World, channel: ChannelRecord, permission: PermissionName): boolean {
  return (computePermissions(world, channel, world.bot.id) & PermissionFlagsBits[permission]) !== 0n;
}
