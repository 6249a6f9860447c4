import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDiscordSimulator } from '@agent/simulators/discord';
import { startLmStudio } from '@agent/simulators/lm-studio';
import { cutFlow, type Flow, now, readTrace } from './read-trace.ts';
import { traceInto } from './trace-daemon.ts';

const program = fileURLToPath(new URL('./bot-process.ts', import.meta.url));

/** Runs the bot from its sources between simulated servers; gives the flow of a question in an open thread to its reply. */
export async function traceBot(): Promise<Flow> {
  const directory = await mkdtemp(join(tmpdir(), 'flows-'));
  const discord = await startDiscordSimulator();
  const lmStudio = await startLmStudio({ script: () => 'An answer.' });
  const file = join(directory, 'trace.tsv');
  const { nodeArguments, environment } = traceInto(file);
  const { PATH = '', HOME = '' } = process.env;
  const bot = fork(program, {
    execArgv: nodeArguments,
    env: {
      PATH,
      HOME,
      ...environment,
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      LM_BASE_URL: lmStudio.baseUrl,
      LM_MODEL: 'simulated-model',
    },
  });
  const ended = once(bot, 'exit');
  const early = ended.then(([code]) => {
    throw new Error(`The bot ended with ${code}.`);
  });
  early.catch(() => {});
  const untilAnswered = (threadId: string) =>
    Promise.race([
      early,
      discord.until(
        () =>
          discord.threads().some(({ id }) => id === threadId) &&
          discord.lastMessages(threadId, 1)[0]?.author.id === discord.bot.id,
      ),
    ]);
  try {
    await Promise.race([early, once(bot, 'message')]);
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'The first question.', {
      mention: true,
    });
    await untilAnswered(threadId);
    const asked = now();
    discord.people.say('alice', threadId, 'The second question.');
    await untilAnswered(threadId);
    const answered = now();
    bot.disconnect();
    await ended;
    return cutFlow(readTrace(file), asked, answered);
  } finally {
    bot.kill();
    await Promise.all([discord.close(), lmStudio.close()]);
    await rm(directory, { recursive: true, force: true });
  }
}
