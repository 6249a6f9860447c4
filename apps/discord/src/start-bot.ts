import { randomInt } from 'node:crypto';
import type { ReplyModel } from '@agent/runner/reply';
import { cutAtGrapheme, type Logger } from '@agent/text';
import { AttachedFiles, ThreadNames } from '@agent/thread-context/chat';
import { DefaultRestOptions } from 'discord.js';
import type { AnswerParts } from './answer/answer-message.ts';
import { BotError, describeError } from './bot-error.ts';
import { type CreateClientOptions, createClient, type LoginTexts } from './discord/connect-client.ts';
import { keepConnected } from './discord/keep-connected.ts';
import { listen } from './discord/listen.ts';
import { createLoginGuard } from './discord/login-guard.ts';
import { paceRequests } from './discord/pace-requests.ts';
import { createConversationReader, toContextOptions } from './history/read-conversation.ts';
import { MessageHandler } from './message-handler.ts';
import { leaseMsOf, type Settings } from './settings/parse-settings.ts';
import { chooseLocale, chooseTexts } from './texts/choose-texts.ts';
import { type Clock, createSemaphore, systemClock, wakefulClock } from './waits.ts';

export interface StartBotOptions {
  readonly settings: Settings;
  readonly model: ReplyModel;
  readonly logger: Logger;
  readonly loginTexts: LoginTexts;
  /** Default: the time of this machine. */
  readonly clock?: Clock | undefined;
  /** Tells processes of one account apart. From 0 up to but not 65,536. Default: by chance. */
  readonly key?: number | undefined;
  /** Settings of the Discord library. Default: as it does. */
  readonly library?: CreateClientOptions['library'];
  /** Aborts the start. Later it changes nothing. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunningBot {
  readonly bot: { readonly id: string; readonly name: string };
  /** Decides about messages, and answers them. */
  readonly handler: MessageHandler;
  /** Rejects when Discord shuts the bot out for good. */
  readonly lost: Promise<never>;
  /** Lets the answers under way end, for as long as the settings allow, and leaves Discord. */
  readonly stop: () => Promise<void>;
}

/**
 * Connects the bot and lets it answer: where everything meets.
 *
 * @example
 * const settings = parseSettings(process.env, texts);
 * const { stop } = await startBot({ settings, model, logger: console, loginTexts: texts });
 *
 * @throws BotError `login`; `discord-temporary` when Discord has not answered for 15 minutes; the signal's reason when it aborts the start
 */
export async function startBot(options: StartBotOptions): Promise<RunningBot> {
  const { settings, logger } = options;
  const { DISCORD_API_URL: apiUrl } = settings;
  const { wrongToken } = options.loginTexts;
  const { clock = systemClock } = options;
  const makeRequest = paceRequests(DefaultRestOptions.makeRequest, clock);
  const guard = createLoginGuard({ apiUrl, clock, wrongToken, makeRequest });
  const leaving = new AbortController();
  const connection = await keepConnected({
    createClient: (signal) =>
      createClient({
        apiUrl,
        library: options.library,
        makeRequest: async (url, init) => {
          const response = await guard.makeRequest(url, init);
          signal.throwIfAborted();
          return response;
        },
      }),
    token: settings.DISCORD_TOKEN,
    texts: options.loginTexts,
    clock: options.clock ?? wakefulClock,
    logger,
    signal: options.signal,
  });
  const { user, guilds } = connection.client();
  const bot = { id: user.id, name: user.username };
  const names = new ThreadNames();
  const files = new AttachedFiles();
  const handler = new MessageHandler(toAnswerParts(options, { bot, names, files }), {
    maxWaitingPerThread: settings.MAX_WAITING_PER_THREAD,
    allowed: {
      servers: settings.ALLOWED_SERVERS ?? null,
      channels: settings.ALLOWED_CHANNELS ?? null,
      people: settings.ALLOWED_PEOPLE ?? null,
      roles: settings.ALLOWED_ROLES ?? null,
    },
  });
  connection.use((client) =>
    listen(client, { bot: handler, names, files, settings, clock, logger, signal: leaving.signal }),
  );
  const stop = async (limitMs: number): Promise<void> => {
    leaving.abort(new BotError('stopped', 'the bot is shutting down'));
    await handler.stop(limitMs);
    await connection.close();
  };
  guard.watch();
  const lost = Promise.race([connection.lost, guard.lost]);
  lost.catch(async (error: unknown) => {
    logger.error(describeError(error), 'stopping: Discord ended the session');
    await stop(0);
  });
  logger.info({ bot: bot.name, servers: guilds.cache.size }, 'connected to Discord');
  return { bot, handler, lost, stop: () => stop(settings.SHUTDOWN_SECONDS * 1_000) };
}

interface ReadParts {
  readonly bot: AnswerParts['bot'];
  readonly names: ThreadNames;
  readonly files: AttachedFiles;
}

function toAnswerParts(options: StartBotOptions, { bot, names, files }: ReadParts): AnswerParts {
  const { settings, model, logger, clock = systemClock, key = randomInt(65_536) } = options;
  return {
    bot,
    own: { key, leaseMs: leaseMsOf(settings) },
    model: boundReply(model, { maxChars: settings.MAX_ANSWER_CHARS }),
    clock,
    logger,
    slots: createSemaphore(settings.MAX_CONCURRENT_ANSWERS),
    stream: settings.STREAM,
    debug: settings.DEBUG_ASSISTANT,
    textsFor: (message) => chooseTexts(chooseLocale(message, settings.LOCALE), settings),
    names,
    files,
    readConversation: createConversationReader(toContextOptions(settings), { botUserId: bot.id, files }),
  };
}

/**
 * The same model with answers of so many UTF-16 units at most. One that is longer is cut, and not complete; one that
 * is heard as it grows is not waited for any longer.
 */
function boundReply(model: ReplyModel, { maxChars }: { readonly maxChars: number }): ReplyModel {
  return {
    reply: async (request, { signal, onText }) => {
      const full = new AbortController();
      const kept = { text: '' };
      const hear = (textSoFar: string): void => {
        if (full.signal.aborted) return;
        kept.text = cutAtGrapheme(textSoFar, maxChars);
        onText?.(kept.text);
        if (textSoFar.length > maxChars) full.abort();
      };
      try {
        const both = AbortSignal.any([signal, full.signal]);
        const { text, complete } = await model.reply(request, { signal: both, onText: onText && hear });
        return { text: cutAtGrapheme(text, maxChars), complete: complete && text.length <= maxChars };
      } catch (error) {
        if (signal.aborted || !full.signal.aborted) throw error;
        return { text: kept.text, complete: false };
      }
    },
  };
}
