import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDiscordSimulator } from '@agent/simulators/discord';
import { startLmStudio } from '@agent/simulators/lm-studio';
import { createSeededRandom, type TrialVerdict } from '@agent/simulators/trials';
import { type CommandLine, runCommandLine } from '../bot/run-command-line.ts';
import { checkAnswers, type Finding, scriptedAnswer } from './check-answers.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { end, type HarmName, harms, mixHarms, type Stage } from './harms.ts';
import { createTalk, type Talk } from './talk.ts';

/** A trial of the bot. */
export interface BotTrial {
  readonly seed: number;
  /** `mixed`: all of them, one after the other. */
  readonly harm: HarmName | 'mixed';
  /** Messages of people. Default: 8 to 16. */
  readonly messages?: number | undefined;
}

/** Time after which what is silent is taken for silent. */
const patienceMs = 60_000;
/** The same after a long trial: a session that does not resume is replaced after two minutes, and lost events are searched for a minute later. */
const longPatienceMs = 240_000;
/** Time in which an answer too many would come. */
const afterwardsMs = 1_500;

async function say({ talk }: Stage, messages: number): Promise<void> {
  while (talk.asked.length < messages) await talk.go(Math.min(10, messages - talk.asked.length));
}

/** Plays one trial. Everything about it follows from its seed. */
export async function playTrial({ seed, harm, messages }: BotTrial): Promise<TrialVerdict> {
  const random = createSeededRandom(seed);
  const directory = await mkdtemp(join(tmpdir(), 'agent-discord-trial-'));
  const discord = await startDiscordSimulator({ heartbeatIntervalMs: 1_000 });
  const lmStudio = await startLmStudio({ script: answerLast, pace: () => pause(2) });
  const proxy = await startFaultProxy(discord.apiUrl, createSeededRandom(seed + 1_000_000));
  const bots: CommandLine[] = [];
  const environment = {
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: proxy.apiUrl,
    LM_BASE_URL: lmStudio.baseUrl,
    LM_TIMEOUT_SECONDS: '3',
    SHUTDOWN_SECONDS: '1',
    LOG_FORMAT: 'json',
    LOCALE: 'en',
    STREAM: String(random.isLucky(50)),
    HISTORY_CACHE: random.pick(['off', 'gateway']),
    // Each message of a long trial gets an answer, however many wait.
    ...(messages === undefined ? {} : { MAX_WAITING_PER_THREAD: '1000' }),
  };
  const start = async (): Promise<CommandLine> => {
    for (;;) {
      const bot = runCommandLine([], { directory, environment });
      bots.push(bot);
      const isThere = await bot.untilWritten('connected to Discord').then(
        () => true,
        () => false,
      );
      if (isThere) return bot;
      bots.splice(bots.indexOf(bot), 1);
    }
  };
  const talk = createTalk(discord, random);
  const stage: Stage = { random, discord, lmStudio, proxy, talk, bots, start };
  try {
    await start();
    const talking = messages === undefined ? talk.go(random.between(8, 16)) : say(stage, messages);
    await (harm === 'mixed' ? mixHarms(stage, messages ?? 0) : harms[harm](stage));
    await talking;
    talk.sayGoodbye();
    // What the bot can find, it answers without another start.
    const early = (await untilQuiet(talk, messages === undefined ? patienceMs : longPatienceMs)).filter(
      ({ number }) => talk.isListed(number),
    );
    const trace = early.length > 0 ? describeProcesses(bots) : '';
    // Whoever is restarted once more finds nothing to do.
    await end(bots, 'SIGKILL');
    await start();
    // Direct messages that were said in a gap are found when somebody writes there to a bot that hears it.
    talk.sayGoodbye();
    await pause(afterwardsMs);
    const findings = early.length > 0 ? early : await untilQuiet(talk, patienceMs);
    return {
      told: `${harm}, ${talk.asked.length} asked, stream ${environment.STREAM}`,
      findings: findings.map(({ number, kind }) => `Q${number} ${kind}`),
      counts: {
        'messages asked': talk.asked.length,
        ...Object.fromEntries([...proxy.counts].map(([fault, count]) => [`requests: ${fault}`, count])),
      },
      trace: `${trace}\n${JSON.stringify({ asked: talk.asked, messages: talk.read() }, null, 1)}`,
    };
  } finally {
    await end(bots, 'SIGKILL');
    await Promise.all([proxy.close(), lmStudio.close(), discord.close()]);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Says of the processes that ought to be at work whether they are, and what they wrote last. */
function describeProcesses(bots: readonly CommandLine[]): string {
  return bots.map((bot) => `\n     process, ${bot.state()}:${lastLines(bot.output())}`).join('');
}

function lastLines(output: string): string {
  return output
    .trimEnd()
    .split('\n')
    .slice(-300)
    .map((line) => `\n       ${line}`)
    .join('');
}

/** Waits until nothing is wrong, for as long as something becomes right in that time. What stands twice stays so. */
async function untilQuiet({ asked, read }: Talk, patience: number): Promise<readonly Finding[]> {
  let best = Number.POSITIVE_INFINITY;
  let endsAt = 0;
  for (;;) {
    const findings = checkAnswers(asked, read());
    if (findings.length < best) endsAt = Date.now() + patience;
    best = Math.min(best, findings.length);
    const isFinal = findings.some(({ kind }) => kind === 'twice') || Date.now() > endsAt;
    if (findings.length === 0 || isFinal) return findings;
    await pause(findings.length > 20 ? 1_000 : 100);
  }
}

/** The model of the trials: it answers what was said last, in as many lines as that wants. */
function answerLast(input: string): string {
  const [, number = '-1', lines = '1'] = /Q(\d+) wants (\d+)[^\n]*$/.exec(input) ?? [];
  return scriptedAnswer(Number(number), Number(lines));
}
