import { type APIUser, PermissionFlagsBits } from 'discord-api-types/v10';
import type { RoleRecord } from './records.ts';
import { createSnowflakes } from './snowflake.ts';
import type { PrivilegedIntents, World } from './world.ts';

/** Permissions of every member of a new guild, as far as it matters here. */
const USUAL =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.UseExternalEmojis |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.MentionEveryone;

export interface WorldOptions {
  readonly botName: string;
  readonly privileged: PrivilegedIntents;
  readonly now: () => number;
  readonly publish: World['publish'];
}

/** A guild with the bot and its owner in it, and no channel. */
export function createWorld({ botName, privileged, now, publish }: WorldOptions): World {
  const nextId = createSnowflakes(now);
  const guildId = nextId();
  const owner = createUser(nextId(), 'owner');
  const bot = createUser(nextId(), botName, true);
  const everyone = createRole(guildId, '@everyone', { position: 0 });
  const ofBot = createRole(nextId(), botName, { position: 1, managed: true });
  return {
    now,
    nextId,
    bot,
    guildId,
    ownerId: owner.id,
    users: new Map([owner, bot].map((user) => [user.id, user])),
    memberRoles: new Map([[bot.id, [ofBot.id]]]),
    roles: new Map([everyone, ofBot].map((role) => [role.id, role])),
    channels: new Map(),
    closedDirectMessages: new Set(),
    nonces: new Map(),
    files: new Map(),
    filesOrigin: '',
    privileged,
    publish,
  };
}

export function createUser(id: string, username: string, isBot = false): APIUser {
  return {
    id,
    username,
    discriminator: '0',
    global_name: isBot ? null : username,
    avatar: null,
    ...(isBot ? { bot: true } : {}),
  };
}

export function createRole(
  id: string,
  name: string,
  { position, managed = false, mentionable = false }: RoleSettings,
): RoleRecord {
  return { id, name, position, managed, mentionable, permissions: USUAL };
}

interface RoleSettings {
  readonly position: number;
  readonly managed?: boolean;
  readonly mentionable?: boolean;
}
