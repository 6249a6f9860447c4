import type { AnswerParts } from './answer/answer-parts.ts';
import { createSlots } from './answer/slots.ts';
import { type Clock, systemClock } from './clock.ts';
import { connectClient, type LoginTexts } from './discord/connect-client.ts';
import { type CreateClientOptions, createClient } from './discord/create-client.ts';
import { listen } from './discord/listen.ts';
import { logConnection } from './discord/log-connection.ts';
import { DiscordBot } from './discord-bot.ts';
import { createConversationReader } from './history/read-conversation.ts';
import type { Logger } from './logger.ts';
import type { ReplyModel } from './model/reply-model.ts';
import type { Settings } from './settings/settings-schema.ts';
import { toContextOptions } from './settings/to-context-options.ts';
import { chooseLocale } from './texts/choose-locale.ts';
import { chooseTexts } from './texts/choose-texts.ts';
import { toOwnTexts } from './texts/to-own-texts.ts';

export interface StartBotOptions {
  readonly settings: Settings;
  readonly model: ReplyModel;
  readonly logger: Logger;
  readonly loginTexts: LoginTexts;
  /** Default: the time of this machine. */
  readonly clock?: Clock | undefined;
  /** How the Discord library behaves. Default: as it does. */
  readonly library?: CreateClientOptions['library'];
}

export interface RunningBot {
  readonly bot: { readonly id: string; readonly name: string };
  /** Rejects when Discord shuts the bot out for good. */
  readonly lost: Promise<never>;
  /** Lets the answers under way end, for as long as the settings allow, and leaves Discord. */
  readonly stop: () => Promise<void>;
}

/**
 * Connects the bot and lets it answer: where everything meets.
 *
 * @throws BotError `login`
 */
export async function startBot(options: StartBotOptions): Promise<RunningBot> {
  const { settings, logger } = options;
  const client = createClient({ apiUrl: settings.DISCORD_API_URL, library: options.library });
  const leaveConnection = logConnection(client, logger);
  const { ready, lost } = await connectClient(client, {
    token: settings.DISCORD_TOKEN,
    texts: options.loginTexts,
  });
  const bot = { id: ready.user.id, name: ready.user.username };
  const discordBot = new DiscordBot(toAnswerParts(options, bot), {
    maxWaitingPerThread: settings.MAX_WAITING_PER_THREAD,
  });
  const stopListening = listen(ready, { bot: discordBot, settings, logger });
  logger.info({ bot: bot.name, servers: client.guilds.cache.size }, 'the bot is there');
  return {
    bot,
    lost,
    stop: async () => {
      stopListening();
      await discordBot.stop(settings.SHUTDOWN_SECONDS * 1_000);
      leaveConnection();
      await client.destroy();
    },
  };
}

function toAnswerParts(options: StartBotOptions, bot: AnswerParts['bot']): AnswerParts {
  const { settings, model, logger, clock = systemClock } = options;
  const own = toOwnTexts(settings);
  return {
    bot,
    model,
    clock,
    logger,
    slots: createSlots(settings.MAX_CONCURRENT_ANSWERS),
    stream: settings.STREAM,
    debug: settings.DEBUG_ASSISTANT,
    textsFor: (message) => chooseTexts(chooseLocale(message, settings.LOCALE), own),
    readConversation: createConversationReader(toContextOptions(settings), bot.id),
  };
}
