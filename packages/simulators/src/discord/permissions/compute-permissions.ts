import { PermissionFlagsBits } from 'discord-api-types/v10';
import type { ChannelRecord } from '../state/records.ts';
import { channelOfSettings, isDirect, type World } from '../state/world.ts';

/** The names that Discord's permissions have in its types, e.g. `SendMessages`. */
export type PermissionName = keyof typeof PermissionFlagsBits;

const EVERYTHING = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);
const LEFT_IN_LOCKED_THREADS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.UseExternalEmojis;

/**
 * What a member may do in a channel: its roles first, then the channel's overwrites for everyone, for the
 * member's roles and for the member. A thread has those of its channel; a locked one leaves little of them.
 *
 * @see https://docs.discord.com/developers/topics/permissions#permission-overwrites
 */
export function computePermissions(world: World, channel: ChannelRecord, userId: string): bigint {
  if (isDirect(channel) || userId === world.ownerId) return EVERYTHING;
  const roleIds = [world.guildId, ...(world.memberRoles.get(userId) ?? [])];
  const base = roleIds.reduce((sum, id) => sum | (world.roles.get(id)?.permissions ?? 0n), 0n);
  if (base & PermissionFlagsBits.Administrator) return EVERYTHING;
  const granted = applyOverwrites(channelOfSettings(world, channel), { base, roleIds, userId });
  const isRestricted = channel.thread?.locked === true && !(granted & PermissionFlagsBits.ManageThreads);
  return isRestricted ? granted & LEFT_IN_LOCKED_THREADS : granted;
}

interface Member {
  readonly base: bigint;
  /** `@everyone` first. */
  readonly roleIds: readonly string[];
  readonly userId: string;
}

function applyOverwrites({ overwrites }: ChannelRecord, { base, roleIds, userId }: Member): bigint {
  const [everyone = '', ...others] = roleIds;
  return [[everyone], others, [userId]].reduce((permissions, ids) => {
    const found = ids.flatMap((id) => overwrites.get(id) ?? []);
    const denied = found.reduce((sum, { deny }) => sum | BigInt(deny), 0n);
    const allowed = found.reduce((sum, { allow }) => sum | BigInt(allow), 0n);
    return (permissions & ~denied) | allowed;
  }, base);
}
