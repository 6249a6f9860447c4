import { type Client, PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import { BotError } from '../bot-error.ts';
import type { TerminalTexts } from '../cli/terminal-texts.ts';
import { connectClient } from '../discord/connect-client.ts';
import { createClient } from '../discord/create-client.ts';
import type { Settings } from '../settings/settings-schema.ts';
import type { Finding } from './finding.ts';

/** What the bot does on a server. */
const needed =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions;

/** Logs in and looks at what the bot may do on each of its servers. */
export async function checkDiscord(settings: Settings, texts: TerminalTexts): Promise<readonly Finding[]> {
  const client = createClient({ apiUrl: settings.DISCORD_API_URL });
  try {
    const { ready } = await connectClient(client, { token: settings.DISCORD_TOKEN, texts });
    return [
      { isWell: true, text: texts.loggedIn(ready.user.username, ready.guilds.cache.size) },
      ...checkServers(ready, texts),
    ];
  } catch (error) {
    if (!BotError.isInstance(error)) throw error;
    return [{ isWell: false, text: error.message }];
  } finally {
    await client.destroy();
  }
}

function checkServers(client: Client<true>, texts: TerminalTexts): readonly Finding[] {
  const guilds = [...client.guilds.cache.values()];
  if (guilds.length === 0) {
    const url = `https://discord.com/oauth2/authorize?client_id=${client.user.id}&scope=bot&permissions=${needed}`;
    return [{ isWell: false, text: texts.noServer(url) }];
  }
  return guilds.flatMap((guild) => {
    const missing = guild.members.me?.permissions.missing(new PermissionsBitField(needed)) ?? [];
    if (missing.length === 0) return [];
    return [{ isWell: false, text: texts.missingPermissions(guild.name, missing.join(', ')) }];
  });
}
