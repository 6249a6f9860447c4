import { CheckFailure, cleanLine, makeCheck, RehearsalError, type Verdict } from '@agent/rehearsal';
import { ChannelType, type Client, type GuildTextBasedChannel } from 'discord.js';
import { z } from 'zod';
import { checkModel } from '../../check-model.ts';
import { connectClient, createClient, neededPermissions } from '../../discord/connect-client.ts';
import type { Settings } from '../../settings/parse-settings.ts';
import type { TerminalTexts } from '../../terminal-texts.en.ts';
import type { ServerCheckParts } from '../create-advice.ts';
import { DiscordRequestError, type DiscordRequests } from '../discord-requests.ts';

/** Parts of the checks before anything is written. */
export interface PrepareParts extends ServerCheckParts {
  readonly requests: DiscordRequests;
  readonly settings: Settings;
  readonly terminalTexts: TerminalTexts;
  readonly channelId: string;
  /** Sends requests to the model server. */
  readonly fetch: typeof globalThis.fetch;
}

/** Server, channel and bot of a rehearsal. Names are safe for a terminal. */
export interface RehearsedPlace {
  readonly guild: { readonly id: string; readonly name: string };
  readonly channelName: string;
  readonly bot: { readonly id: string; readonly name: string };
}

const gatewayPatienceMs = 30_000;
const clockToleranceMs = 60_000;
/** Flags of an application: message content, for large and for small bots. */
const messageContentFlags = (1 << 18) | (1 << 19);

/** Checks token, intents, channel, permissions and model. Writes nothing. @returns null if one of them failed */
export async function prepare(parts: PrepareParts): Promise<RehearsedPlace | null> {
  const { requests, texts, clock } = parts;
  let aheadMs: number | null = null;
  const isToken = await makeCheck(parts, 'token', async () => {
    const account = await requests.readAccount(clock.now).catch((error: Error) => {
      const isRefused = error instanceof DiscordRequestError && error.status === 401;
      throw isRefused
        ? new Error(texts.tokenRefused(error.message))
        : new CheckFailure(texts.notReachable(error.message), texts.fixes.gateway);
    });
    aheadMs = account.aheadMs;
    return { status: 'passed', text: texts.tokenAccepted(account.username) };
  });
  if (!isToken) return null;
  const isRead = await makeCheck(parts, 'intents', async () => {
    const { flags } = await requests.readApplication();
    return ((flags ?? 0) & messageContentFlags) === 0
      ? { status: 'failed', text: texts.intentOff }
      : { status: 'passed', text: texts.intentOn };
  });
  if (!isRead) return null;
  const place = await checkPlace(parts);
  if (place === null) return null;
  const isModel = (await checkModelName(parts)) && (await makeCheck(parts, 'model', () => askModel(parts)));
  if (!isModel) return null;
  await makeCheck(parts, 'clock', async () => toClockVerdict(aheadMs, parts));
  return place;
}

/** Logs in, and finds the channel. */
async function checkPlace(parts: PrepareParts): Promise<RehearsedPlace | null> {
  const { settings, terminalTexts: loginTexts, texts, clock, signal } = parts;
  const client = createClient({ apiUrl: settings.DISCORD_API_URL });
  const over = new AbortController();
  const late = clock.sleep(gatewayPatienceMs, AbortSignal.any([over.signal, signal])).then((): never => {
    throw new RehearsalError(texts.gatewayLate(gatewayPatienceMs / 1_000));
  });
  late.catch(() => {});
  let ready: Client<true> | null = null;
  try {
    await makeCheck(parts, 'gateway', async () => {
      const login = connectClient(client, {
        token: settings.DISCORD_TOKEN,
        texts: loginTexts,
        isFirst: true,
      });
      try {
        ({ ready } = await Promise.race([login, late]));
      } catch (error) {
        throw toKnownFailure(error as Error, parts);
      }
      return { status: 'passed', text: texts.connected(ready.guilds.cache.size) };
    });
    return ready === null ? null : await checkChannel(parts, ready);
  } finally {
    over.abort();
    await client.destroy();
  }
}

/** Adds the instruction for a login that Discord refuses. */
function toKnownFailure(error: Error, { terminalTexts, texts: { fixes } }: PrepareParts): Error {
  if (error.message === terminalTexts.wrongToken) return new CheckFailure(error.message, fixes.token);
  if (error.message === terminalTexts.missingIntents) return new CheckFailure(error.message, fixes.intents);
  return error;
}

async function checkChannel(parts: PrepareParts, client: Client<true>): Promise<RehearsedPlace | null> {
  const { channelId, texts, settings } = parts;
  const found = client.channels.cache.get(channelId);
  let channel: GuildTextBasedChannel | null = null;
  await makeCheck(parts, 'channel', async () => {
    if (found === undefined || found.isDMBased() || !found.viewable)
      return { status: 'failed', text: texts.channelNotVisible(channelId) };
    const { name, guild } = found;
    if (found.type !== ChannelType.GuildText && found.type !== ChannelType.GuildAnnouncement)
      return { status: 'failed', text: texts.channelKind(name), fix: texts.fixesByCause.channelKind };
    const isAllowed =
      settings.ALLOWED_SERVERS?.includes(guild.id) !== false &&
      settings.ALLOWED_CHANNELS?.includes(channelId) !== false;
    if (!isAllowed)
      return {
        ...{ status: 'failed', text: texts.channelNotAllowed(name) },
        fix: texts.fixesByCause.channelNotAllowed,
      };
    channel = found;
    return { status: 'passed', text: texts.channelVisible(guild.name, name) };
  });
  if (channel === null) return null;
  const { guild, name } = channel as GuildTextBasedChannel;
  const isPermitted = await makeCheck(parts, 'permissions', async () => {
    const permissions = (channel as GuildTextBasedChannel | null)?.permissionsFor(client.user);
    const missing = permissions?.missing(neededPermissions) ?? [];
    const count = neededPermissions.toString(2).replaceAll('0', '').length;
    return missing.length === 0
      ? { status: 'passed', text: texts.permitted(count) }
      : { status: 'failed', text: texts.notPermitted(missing.join(', ')) };
  });
  if (!isPermitted) return null;
  const { id, username } = client.user;
  return {
    guild: { id: guild.id, name: cleanLine(guild.name) },
    channelName: cleanLine(name),
    bot: { id, name: cleanLine(username) },
  };
}

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const modelsPatienceMs = 10_000;

/** @returns false if no message could be answered */
async function checkModelName(parts: PrepareParts): Promise<boolean> {
  await makeCheck(parts, 'model-name', async (): Promise<Verdict> => {
    const { settings, texts } = parts;
    const { MODEL_MODULE, LM_MODEL: name } = settings;
    if (MODEL_MODULE !== undefined) return { status: 'not-supported', text: texts.modelModule };
    const names = await listModels(parts);
    if (names === null) return { status: 'not-supported', text: texts.modelsUnknown };
    const [first] = names;
    if (name === undefined)
      return first === undefined
        ? { status: 'failed', text: texts.noModels }
        : { status: 'passed', text: texts.modelsListed(names.length) };
    return names.includes(name)
      ? { status: 'passed', text: texts.modelListed(name) }
      : { status: 'failed', text: texts.modelNotListed(name, names.slice(0, 5).join(', ')) };
  });
  return !parts.results.list().some(({ name, status }) => name === 'model-name' && status === 'failed');
}

/** Names of the models that the server lists; null if it has no list, or does not answer: the next check says why. */
async function listModels({ settings, fetch, signal }: PrepareParts): Promise<readonly string[] | null> {
  const { LM_BASE_URL: baseUrl, LM_API_KEY: apiKey } = settings;
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(modelsPatienceMs)]),
    });
    const list = modelsSchema.safeParse(await response.json());
    return list.success ? list.data.data.map(({ id }) => id) : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

async function askModel({ settings, terminalTexts, signal }: PrepareParts): Promise<Verdict> {
  const { state, text } = await checkModel(settings, terminalTexts, { signal });
  signal.throwIfAborted();
  return { status: state === 'wrong' ? 'failed' : 'passed', text };
}

function toClockVerdict(aheadMs: number | null, { texts }: PrepareParts): Verdict {
  if (aheadMs === null) return { status: 'not-supported', text: texts.noClock };
  return Math.abs(aheadMs) <= clockToleranceMs
    ? { status: 'passed', text: texts.clockRight }
    : { status: 'failed', text: texts.clockWrong(Math.round(Math.abs(aheadMs) / 1_000)) };
}
