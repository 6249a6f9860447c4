import { describeReason } from '@agent/runner/reply';
import type { Logger } from '@agent/text';
import {
  Client,
  type ClientOptions,
  Events,
  GatewayIntentBits,
  Options,
  Partials,
  PermissionFlagsBits,
  RESTEvents,
  type RESTOptions,
} from 'discord.js';
import { BotError, describeError } from '../bot-error.ts';
import type { TerminalTexts } from '../terminal-texts.en.ts';
import { isTransient } from '../waits.ts';

/** Texts for a login that Discord refuses. */
export type LoginTexts = Pick<TerminalTexts, 'wrongToken' | 'missingIntents' | 'discordUnreachable'>;

const authenticationFailed = 4004;
const disallowedIntents = 4014;

export interface LoginOptions {
  readonly token: string;
  readonly texts: LoginTexts;
  /** False: the bot was connected before, so that an address that cannot be reached is no wrong setting. */
  readonly isFirst: boolean;
}

/**
 * Logs in and waits until the bot knows its servers. `lost` rejects when Discord later shuts it out for good.
 *
 * @throws BotError `login`, whose message says what to click; `discord-temporary` when Discord does not answer
 */
export async function connectClient(
  client: Client,
  { token, texts, isFirst }: LoginOptions,
): Promise<{ readonly ready: Client<true>; readonly lost: Promise<never> }> {
  // The library would fail to send it, and say something about the network.
  if (!/^(?:Bot |Bearer )?[\x21-\x7e]+$/.test(token)) throw new BotError('login', texts.wrongToken);
  const lost = new Promise<never>((_, reject) => {
    client.once(Events.ShardDisconnect, ({ code }) => reject(toLoginError({ code }, { texts, isFirst })));
  });
  // Whoever waits for the end hears of it; nobody may be waiting yet.
  lost.catch(() => {});
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  const login = client.login(token).catch((error: unknown) => {
    throw toLoginError(error, { texts, isFirst });
  });
  try {
    const [client] = await Promise.race([Promise.all([ready, login]), lost]);
    return { ready: client, lost };
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

function toLoginError(error: unknown, { texts, isFirst }: Omit<LoginOptions, 'token'>): BotError {
  // A 401 of which it is not known whether it is about the token.
  if (isTransient(error)) return error as BotError;
  const { code, status, message } = error as { code?: unknown; status?: unknown; message?: string };
  const number =
    typeof status === 'number' ? `HTTP ${status}` : typeof code === 'number' ? String(code) : null;
  const isToken = code === 'TokenInvalid' || code === authenticationFailed || status === 401;
  const isIntents = code === disallowedIntents || message === 'Used disallowed intents';
  const text = isToken
    ? texts.wrongToken
    : isIntents
      ? texts.missingIntents
      : texts.discordUnreachable(number ?? describeReason(error));
  // An outage of Discord is temporary. Other failures at the start are for the operator.
  const isOutage = typeof status === 'number' && (status >= 500 || status === 429);
  const isRefused = isToken || isIntents || typeof code === 'number' || typeof status === 'number';
  const isPassing = isOutage || (!isFirst && !isRefused);
  return new BotError(isPassing ? 'discord-temporary' : 'login', text, { cause: error });
}

/** Discord's waits shorter than this are its everyday business. */
const notableWaitMs = 1_000;

/**
 * Logs how the connection fares; what the library mends by itself is no error. Gives what to call before the bot
 * leaves by itself, which the library takes for a loss.
 */
export function logConnection(client: Client, logger: Logger): () => void {
  const onReconnecting = (): void => logger.warn({}, 'reconnecting to Discord');
  client.on(Events.Error, (error) => logger.error(describeError(error), 'received Discord client error'));
  client.on(Events.ShardError, (error) =>
    logger.warn(describeError(error), 'received Discord connection error'),
  );
  client.on(Events.ShardReconnecting, onReconnecting);
  client.on(Events.ShardResume, (_, replayed) => logger.info({ replayed }, 'resumed Discord session'));
  client.rest.on(RESTEvents.RateLimited, ({ method, route, timeToReset: waitMs }) => {
    if (waitMs >= notableWaitMs) logger.info({ method, route, waitMs }, 'waiting for rate limit');
  });
  return () => void client.off(Events.ShardReconnecting, onReconnecting);
}

/** Every message brings its author; those of the last ones are kept. */
const keptPeople = 200;

/** Keeps the bot itself: its permissions are computed from what it is. */
function isSelf({ id, client }: { readonly id: string; readonly client: Client<true> }): boolean {
  return id === client.user?.id;
}

/** Permissions that the bot uses on a server. */
export const neededPermissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions;

export interface CreateClientOptions {
  /** `https://discord.com/api`. */
  readonly apiUrl: string;
  /** Settings of the library itself, e.g. how long it waits. Default: as it does. */
  readonly library?: Partial<ClientOptions> | undefined;
  /** Sends requests. Default: the library itself. */
  readonly makeRequest?: RESTOptions['makeRequest'] | undefined;
}

/**
 * The client with what the bot needs and no more. Nothing that somebody wrote stays in its memory, a message that is
 * sent again after a failure appears once, and nobody is called by what a model wrote.
 */
export function createClient({ apiUrl, library = {}, makeRequest }: CreateClientOptions): Client {
  return new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      GatewayIntentBits.MessageContent,
    ],
    // Direct messages come in channels that nobody told of before; what is deleted is not in memory.
    partials: [Partials.Channel, Partials.Message],
    allowedMentions: { parse: [] },
    enforceNonce: true,
    ...library,
    rest: { ...library.rest, api: apiUrl, ...(makeRequest === undefined ? {} : { makeRequest }) },
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionUserManager: 0,
      PresenceManager: 0,
      UserManager: { maxSize: keptPeople, keepOverLimit: isSelf },
      GuildMemberManager: { maxSize: keptPeople, keepOverLimit: isSelf },
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
    }),
  });
}
