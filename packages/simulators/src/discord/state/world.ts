import { type APIUser, ChannelType } from 'discord-api-types/v10';
import type { Happening } from './dispatch.ts';
import type { MessageRecord } from './message-record.ts';
import type { ChannelRecord, RoleRecord } from './records.ts';

/** Intents that may be switched on for a bot in Discord's developer portal. */
export interface PrivilegedIntents {
  readonly messageContent: boolean;
  readonly guildMembers: boolean;
  readonly guildPresences: boolean;
}

export interface SimulatedFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** All that this Discord knows: one guild, its people and what they said. */
export interface World {
  readonly now: () => number;
  readonly nextId: () => string;
  readonly bot: APIUser;
  readonly guildId: string;
  readonly ownerId: string;
  readonly users: Map<string, APIUser>;
  /** Ids of the roles that a member has besides `@everyone`. */
  readonly memberRoles: Map<string, readonly string[]>;
  readonly roles: Map<string, RoleRecord>;
  readonly channels: Map<string, ChannelRecord>;
  /** People who take no direct messages. */
  readonly closedDirectMessages: Set<string>;
  /** Messages of the bot by their nonce, so that it is said once. */
  readonly nonces: Map<string, MessageRecord>;
  /** Attached files by the path of their address. */
  readonly files: Map<string, SimulatedFile>;
  /** Where files can be downloaded: `http://127.0.0.1:41234`. */
  filesOrigin: string;
  privileged: PrivilegedIntents;
  readonly publish: (happening: Happening) => void;
}

export function timestampOf(world: Pick<World, 'now'>): string {
  return new Date(world.now()).toISOString();
}

export function isThread(channel: ChannelRecord): boolean {
  return channel.thread !== null;
}

export function isDirect(channel: ChannelRecord): boolean {
  return channel.type === ChannelType.DM;
}

/** The channel with the settings that count: for a thread, the one it stands in. */
export function channelOfSettings(world: World, channel: ChannelRecord): ChannelRecord {
  return channel.parentId === null ? channel : (world.channels.get(channel.parentId) ?? channel);
}
