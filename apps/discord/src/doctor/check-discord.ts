import {
  ChannelType,
  type Client,
  type Guild,
  PermissionFlagsBits,
  type PermissionsBitField,
} from 'discord.js';
import { BotError } from '../bot-error.ts';
import type { TerminalTexts } from '../cli/terminal-texts.en.ts';
import { type Clock, limitTime, orAbort, systemClock } from '../clock.ts';
import { connectClient, createClient } from '../discord/connect-client.ts';
import type { Settings } from '../settings/settings-schema.ts';

/** Permissions that the bot uses on a server. */
const needed =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions;

/** Longer than the library takes for a login that succeeds. */
const limitMs = 30_000;

export interface CheckDiscordOptions {
  readonly clock?: Clock | undefined;
}

/** Logs in and looks at what the bot may do on each of its servers, and in their channels. */
export async function checkDiscord(
  settings: Settings,
  texts: TerminalTexts,
  { clock = systemClock }: CheckDiscordOptions = {},
): Promise<readonly Finding[]> {
  const client = createClient({ apiUrl: settings.DISCORD_API_URL });
  const { signal, end } = limitTime(clock, {
    limitMs,
    signal: new AbortController().signal,
    reason: () => new BotError('login', texts.discordUnreachable(`${limitMs / 1_000} s`)),
  });
  try {
    const login = connectClient(client, { token: settings.DISCORD_TOKEN, texts });
    const { ready } = await orAbort(login, signal);
    return [
      { state: 'well', text: texts.loggedIn(ready.user.username, ready.guilds.cache.size) },
      ...checkServers(ready, texts),
    ];
  } catch (error) {
    if (!BotError.isInstance(error)) throw error;
    return [{ state: 'wrong', text: error.message }];
  } finally {
    end();
    await client.destroy();
  }
}

function checkServers(client: Client<true>, texts: TerminalTexts): readonly Finding[] {
  const guilds = [...client.guilds.cache.values()];
  if (guilds.length === 0) {
    const url = `https://discord.com/oauth2/authorize?client_id=${client.user.id}&scope=bot&permissions=${needed}`;
    return [{ state: 'wrong', text: texts.noServer(url) }];
  }
  return guilds.flatMap((guild) => checkServer(guild, texts));
}

function checkServer(guild: Guild, texts: TerminalTexts): readonly Finding[] {
  const missing = listMissing(guild.members.me?.permissions ?? null);
  const channels = [...guild.channels.cache.values()].flatMap((channel): Finding[] => {
    if (channel.type !== ChannelType.GuildText && channel.type !== ChannelType.GuildAnnouncement) return [];
    const permissions = channel.permissionsFor(guild.client.user);
    // What the bot is not to see is nothing that it lacks.
    if (permissions?.has(PermissionFlagsBits.ViewChannel) !== true) return [];
    const lacking = listMissing(permissions).filter((name) => !missing.includes(name));
    if (lacking.length === 0) return [];
    return [{ state: 'note', text: texts.channelLacks(guild.name, channel.name, lacking.join(', ')) }];
  });
  if (missing.length === 0) return channels;
  return [{ state: 'wrong', text: texts.missingPermissions(guild.name, missing.join(', ')) }, ...channels];
}

function listMissing(permissions: Readonly<PermissionsBitField> | null): readonly string[] {
  return permissions?.missing(needed) ?? [];
}

/** One thing that was looked at. */
export interface Finding {
  /** `note`: it may be meant so. */
  readonly state: 'well' | 'note' | 'wrong';
  /** Finding in a sentence; where it is wrong, what to do about it. */
  readonly text: string;
}
