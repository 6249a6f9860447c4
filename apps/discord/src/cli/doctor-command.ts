import { ModelError } from '@agent/runner/reply';
import { toPlainLine } from '@agent/thread-context/chat';
import { ChannelType, type Client, type Guild, PermissionFlagsBits } from 'discord.js';
import { BotError } from '../bot-error.ts';
import { createModel, findBareHost, findModelProblem } from '../create-model.ts';
import { connectClient, createClient } from '../discord/connect-client.ts';
import type { Settings } from '../settings/parse-settings.ts';
import type { TerminalTexts } from '../terminal-texts.en.ts';
import { type Clock, sleep, systemClock } from '../waits.ts';
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

interface CheckOptions {
  readonly clock?: Clock | undefined;
}

/** Asks the model once, as a message would. */
export async function checkModel(
  settings: Settings,
  texts: TerminalTexts,
  { clock = systemClock }: CheckOptions = {},
): Promise<Finding> {
  const reason = await findModelProblem(settings);
  if (reason !== null) return { state: 'wrong', text: texts.modelUnreachable(settings.LM_BASE_URL, reason) };
  const begun = clock.now();
  try {
    const model = await createModel(settings, { clock });
    const message = { role: 'user', content: 'doctor: Say "ready".' } as const;
    await model.reply(
      { messages: [message], transcript: `${message.role}: ${message.content}` },
      { signal: new AbortController().signal, onText: null },
    );
    return { state: 'well', text: texts.modelAnswers(clock.now() - begun) };
  } catch (error) {
    const said = texts.modelFails((error as Error).message);
    return { state: 'wrong', text: [said, ...adviseOn(error, settings, texts)].join(' ') };
  }
}

function adviseOn(error: unknown, settings: Settings, texts: TerminalTexts): readonly string[] {
  if (settings.MODEL_MODULE !== undefined) return [];
  const host = findBareHost(settings);
  if (host !== null) return [texts.addressWithoutPath(host)];
  const { code = null, status = null } = ModelError.isInstance(error) ? error : {};
  if (status === 401 || status === 403) return [texts.modelRefusesKey];
  return [code === 'model-timeout' ? texts.modelTakesLong : texts.loadModel];
}

/** Permissions that the bot uses on a server. */
export const neededPermissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions;

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

/** One thing that was looked at. */
export interface Finding {
  /** `note`: it may be meant so. */
  readonly state: 'well' | 'note' | 'wrong';
  /** Finding in a sentence; where it is wrong, what to do about it. */
  readonly text: string;
}
