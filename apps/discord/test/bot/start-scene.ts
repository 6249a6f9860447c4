import type { ReplyModel } from '@agent/runner/reply';
import { type DiscordSimulator, startDiscordSimulator } from '@agent/simulators/discord';
import { type LmStudio, type LmStudioOptions, startLmStudio } from '@agent/simulators/lm-studio';
import { isUnfinished } from '@agent/thread-context/chat';
import { createModel } from '../../src/create-model.ts';
import type { LoginTexts } from '../../src/discord/connect-client.ts';
import { parseSettings } from '../../src/settings/parse-settings.ts';
import { type RunningBot, startBot } from '../../src/start-bot.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

/** A line of the bot's log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface SceneOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly lmStudio?: LmStudioOptions;
  /** Takes the place of LM Studio. */
  readonly model?: ReplyModel;
  /** How often the library of Discord tries again after a 5xx. Default: 0. */
  readonly retries?: number;
}

/** A Discord, a model server and the bot between them. */
export interface Scene extends AsyncDisposable {
  readonly discord: DiscordSimulator;
  readonly lmStudio: LmStudio;
  readonly clock: FakeClock;
  readonly log: readonly LogLine[];
  /** Lets the bot that runs end. */
  readonly stop: () => Promise<void>;
  /** Starts another, as a new process would. */
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<RunningBot>;
  /** Starts one more beside it, with the same token. Default environment: that of the first. */
  readonly startSecond: (environment?: Readonly<Record<string, string>>) => Promise<RunningBot>;
  /** Waits for the bot's last messages in a channel or thread: as soon as there are so many and none grows any more, their texts. */
  readonly answers: (channelId: string, count: number) => Promise<readonly string[]>;
}

const loginTexts: LoginTexts = {
  wrongToken: 'wrong token',
  missingIntents: 'missing intents',
  discordUnreachable: (reason) => `unreachable: ${reason}`,
};

export async function startScene(options: SceneOptions = {}): Promise<Scene> {
  const clock = createFakeClock(Date.UTC(2026, 0, 5));
  const discord = await startDiscordSimulator({ now: clock.now });
  const lmStudio = await startLmStudio(options.lmStudio);
  const log: LogLine[] = [];
  let running: RunningBot | null = null;
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = null;
  };
  const startOne = (environment = options.environment ?? {}): Promise<RunningBot> =>
    startBotFor({
      discord,
      lmStudio,
      clock,
      log,
      environment,
      retries: options.retries ?? 0,
      model: options.model ?? null,
    });
  const start: Scene['start'] = async (environment) => {
    running = await startOne(environment);
    return running;
  };
  await start();
  return {
    discord,
    lmStudio,
    clock,
    log,
    stop,
    start,
    startSecond: startOne,
    answers: (channelId, count) =>
      discord.until(() => {
        const texts = listMessages(discord, channelId)
          .filter(({ author, type }) => author.id === discord.bot.id && (type === 0 || type === 19))
          .map(({ content }) => content);
        return texts.length >= count && !texts.some(isUnfinished) && texts;
      }),
    [Symbol.asyncDispose]: async () => {
      await stop();
      await lmStudio.close();
      await discord.close();
    },
  };
}

/** None where the thread is yet to be made. */
function listMessages(discord: DiscordSimulator, channelId: string) {
  try {
    return discord.lastMessages(channelId);
  } catch {
    return [];
  }
}

interface Parts extends Pick<Scene, 'discord' | 'lmStudio' | 'clock'> {
  readonly log: LogLine[];
  readonly environment: Readonly<Record<string, string>>;
  readonly model: ReplyModel | null;
  readonly retries: number;
}

async function startBotFor({
  discord,
  lmStudio,
  clock,
  log,
  environment,
  model,
  retries,
}: Parts): Promise<RunningBot> {
  const settings = parseSettings(
    {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      LM_BASE_URL: lmStudio.baseUrl,
      LM_MODEL: 'simulated-model',
      // What the model reads is then the conversation alone.
      INSTRUCTIONS: 'none',
      ...environment,
    },
    { wrongSettings: 'wrong settings', tokenMissing: 'no token' },
  );
  const write =
    (level: LogLine['level']) =>
    (fields: object, message: string): void =>
      void log.push({ level, message, fields: { ...fields } });
  return startBot({
    settings,
    clock,
    loginTexts,
    model: model ?? (await createModel(settings, { clock })),
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    library: {
      // Discord's limit of 50 requests a second would make tests wait.
      rest: { retries, timeout: 5_000, globalRequestsPerSecond: 10_000 },
      // A login within five seconds of the last one is nothing that a loopback gateway minds.
      ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
      waitGuildTimeout: 1_000,
      closeTimeout: 100,
    },
  });
}
