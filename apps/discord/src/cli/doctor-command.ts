import { toPlainLine } from '@agent/thread-context/chat';
import { ChannelType, type Client, type Guild, PermissionFlagsBits } from 'discord.js';
import { BotError } from '../bot-error.ts';
import { type CheckOptions, checkModel, type Finding } from '../check-model.ts';
import { connectClient, createClient, neededPermissions } from '../discord/connect-client.ts';
import type { Settings } from '../settings/parse-settings.ts';
import type { TerminalTexts } from '../terminal-texts.en.ts';
import { sleep, systemClock } from '../waits.ts';
import { type CommandFlags, type CommandIo, loadSettings } from './command-io.ts';

const signs: Readonly<Record<Finding['state'], string>> = { well: '✓', note: '!', wrong: '✗' };

/**
 * `agent-discord doctor`: tries everything that answering needs, and posts nothing.
 *
 * @returns the exit code: 1 when something has to be fixed
 * @throws BotError `settings`
 */
export async function doctorCommand(flags: CommandFlags, io: CommandIo): Promise<number> {
  const { settings, texts } = await loadSettings(flags, io);
  let failed = 0;
  const report = ({ state, text }: Finding): void => {
    if (state === 'wrong') failed += 1;
    // Names of servers and channels are strangers' texts.
    io.print(`${signs[state]} ${toPlainLine(text)}`);
  };
  report({ state: 'well', text: texts.settingsOk });
  for (const finding of await checkDiscord(settings, texts)) report(finding);
  report(await checkModel(settings, texts));
  io.print(`\n${failed === 0 ? texts.allWell : texts.toFix(failed)}`);
  return failed === 0 ? 0 : 1;
}

/** Longer than the library takes for a login that succeeds. */
const limitMs = 30_000;

/** Logs in and looks at what the bot may do on each of its servers, and in their channels. */
export async function checkDiscord(
  settings: Settings,
  texts: TerminalTexts,
  { clock = systemClock }: CheckOptions = {},
): Promise<readonly Finding[]> {
  const client = createClient({ apiUrl: settings.DISCORD_API_URL });
  const over = new AbortController();
  const late = sleep(clock, limitMs, over.signal).then((): never => {
    throw new BotError('login', texts.discordUnreachable(`${limitMs / 1_000} s`));
  });
  try {
    const login = connectClient(client, { token: settings.DISCORD_TOKEN, texts, isFirst: true });
    const { ready } = await Promise.race([login, late]);
    return [
      { state: 'well', text: texts.loggedIn(ready.user.username, ready.guilds.cache.size) },
      ...checkServers(ready, texts),
    ];
  } catch (error) {
    if (!BotError.isInstance(error)) throw error;
    return [{ state: 'wrong', text: error.message }];
  } finally {
    over.abort();
    await client.destroy();
  }
}

function checkServers(client: Client<true>, texts: TerminalTexts): readonly Finding[] {
  const guilds = [...client.guilds.cache.values()];
  if (guilds.length === 0) {
    const url = `https://discord.com/oauth2/authorize?client_id=${client.user.id}&scope=bot&permissions=${neededPermissions}`;
    return [{ state: 'wrong', text: texts.noServer(url) }];
  }
  return guilds.flatMap((guild) => checkServer(guild, texts));
}

function checkServer(guild: Guild, texts: TerminalTexts): readonly Finding[] {
  const missing: readonly string[] = guild.members.me?.permissions.missing(neededPermissions) ?? [];
  const channels = [...guild.channels.cache.values()].flatMap((channel): Finding[] => {
    if (channel.type !== ChannelType.GuildText && channel.type !== ChannelType.GuildAnnouncement) return [];
    const permissions = channel.permissionsFor(guild.client.user);
    // What the bot is not to see is nothing that it lacks.
    if (permissions?.has(PermissionFlagsBits.ViewChannel) !== true) return [];
    const lacking = permissions.missing(neededPermissions).filter((name) => !missing.includes(name));
    if (lacking.length === 0) return [];
    return [{ state: 'note', text: texts.channelLacks(guild.name, channel.name, lacking.join(', ')) }];
  });
  if (missing.length === 0) return channels;
  return [{ state: 'wrong', text: texts.missingPermissions(guild.name, missing.join(', ')) }, ...channels];
}
