import { type DiscordSimulator, startDiscordSimulator } from '@agent/simulators/discord';
import { startLmStudio } from '@agent/simulators/lm-studio';
import { type BotProcess, forkBot } from './fork-bot.ts';

export interface RoomOptions {
  /** Settings of the bot beyond the addresses. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What the Discord library allows itself. Default: 100,000, no limit here. */
  readonly requestsPerSecond?: number;
  /** Further arguments of the bot's Node. */
  readonly nodeArguments?: readonly string[];
}

/** A simulated Discord and a model that answers at once, with the bot between them in its own process. */
export interface Room {
  readonly discord: DiscordSimulator;
  readonly bot: BotProcess;
  /** Mentions the bot in the channel and waits for the answer. Gives the thread's id. */
  readonly open: (text: string) => Promise<string>;
  /** Writes in a thread and waits for the answer. */
  readonly ask: (threadId: string, text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openRoom({
  settings = {},
  requestsPerSecond = 100_000,
  nodeArguments = [],
}: RoomOptions = {}): Promise<Room> {
  const discord = await startDiscordSimulator();
  const lmStudio = await startLmStudio({
    script: () => 'An answer of some length, as a model gives it at once.',
  });
  const addresses = {
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    LM_BASE_URL: lmStudio.baseUrl,
    LM_MODEL: 'simulated-model',
    BENCH_REQUESTS_PER_SECOND: String(requestsPerSecond),
  };
  const bot = await forkBot({ ...addresses, ...settings }, nodeArguments);
  const answered = (threadId: string) =>
    discord.until(() => discord.lastMessages(threadId, 1)[0]?.author.id === discord.bot.id);
  return {
    discord,
    bot,
    open: async (text) => {
      const { id } = discord.people.say('alice', discord.generalId, text, { mention: true });
      await discord.until(() => isThere(discord, id));
      await answered(id);
      return id;
    },
    ask: async (threadId, text) => {
      discord.people.say('alice', threadId, text);
      await answered(threadId);
    },
    close: async () => {
      await bot.end();
      await Promise.all([discord.close(), lmStudio.close()]);
    },
  };
}

/** Asking for what is not there is an error to the simulator. */
function isThere(discord: DiscordSimulator, threadId: string): boolean {
  try {
    return discord.lastMessages(threadId, 1)[0]?.author.id === discord.bot.id;
  } catch {
    return false;
  }
}
