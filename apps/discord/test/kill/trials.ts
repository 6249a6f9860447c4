import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DiscordSimulator, startDiscordSimulator } from '@agent/simulators/discord';
import { type LmStudio, startLmStudio } from '@agent/simulators/lm-studio';
import { type CommandLine, runCommandLine } from '../bot/run-command-line.ts';
import { checkAnswers, type EndMessage, type Finding, scriptedAnswer } from './check-answers.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { createTalk, type Talk } from './talk.ts';

/** Number of trials, the seed of the first, and how many go on at once. */
export interface DiscordTrialsOptions {
  readonly wanted: number;
  readonly seed: number;
  readonly parallel: number;
  /** Leaves out the seeds of other harms. Default: all in turns. */
  readonly harm?: HarmName | undefined;
  /** Settings of the bot besides those that a trial draws, e.g. ones that make it lose something. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Writes a line of the report. Default: to the standard output. */
  readonly print?: (line: string) => void;
}

/** Time after which what is silent is taken for silent. */
const patienceMs = 60_000;
/** Time in which an answer too many would come. */
const afterwardsMs = 1_500;

/** Everything of one trial. */
interface Stage {
  readonly random: SeededRandom;
  readonly discord: DiscordSimulator;
  readonly lmStudio: LmStudio;
  readonly proxy: FaultProxy;
  readonly talk: Talk;
  readonly bots: CommandLine[];
  /** Starts one more process, and waits until it is there. */
  readonly start: () => Promise<CommandLine>;
}

/** Ways to harm the bot while people talk. Each leaves one process at least. */
const harms = {
  kill: async ({ random, bots, start }: Stage) => {
    for (let kills = random.between(1, 3); kills > 0; kills -= 1) {
      await pause(random.between(300, 2_500));
      await end(bots, 'SIGKILL');
      await pause(random.between(0, 700));
      await start();
    }
  },
  stop: async ({ random, bots, start }: Stage) => {
    for (let stops = random.between(1, 2); stops > 0; stops -= 1) {
      await pause(random.between(300, 2_500));
      await end(bots, 'SIGTERM');
      await start();
    }
  },
  net: async ({ random, proxy }: Stage) => {
    // While people talk, for a moment each time, all goes wrong: more often in a row than the library tries again by itself.
    for (let spells = random.between(2, 3); spells > 0; spells -= 1) {
      proxy.setTrouble(random.between(10, 40));
      await pause(random.between(200, 900));
      proxy.setTrouble(100);
      await pause(random.between(300, 1_500));
    }
    proxy.setTrouble(random.between(10, 40));
    await pause(random.between(500, 2_000));
    proxy.setTrouble(0);
  },
  netkill: async (stage: Stage) => {
    stage.proxy.setTrouble(stage.random.between(10, 30));
    await harms.kill(stage);
    stage.proxy.setTrouble(0);
  },
  gateway: async ({ random, discord }: Stage) => {
    for (let times = random.between(1, 3); times > 0; times -= 1) {
      await pause(random.between(200, 2_500));
      const kind = random.pick(['4000', 'silent', 'op7', 'op9', 'deaf']);
      if (kind === 'op7') discord.askToReconnect();
      if (kind === 'op9') discord.invalidateSessions();
      discord.setGatewayDeaf(kind === 'deaf');
      if (kind !== 'op7' && kind !== 'deaf') discord.dropGateway(kind === 'silent' ? null : 4000);
    }
    await pause(3_000);
    discord.setGatewayDeaf(false);
  },
  rival: async ({ random, bots, start, talk }: Stage) => {
    await pause(random.between(0, 1_500));
    await start();
    // What is said before both are there, one alone hears.
    await talk.go(random.between(3, 6));
    // A rolling update: the older one ends while the newer one is at work. Or both stay.
    if (random.isLucky(70)) await end(bots.splice(0, 1), random.pick(['SIGTERM', 'SIGKILL']));
  },
  freeze: async ({ random, bots, start, talk }: Stage) => {
    await pause(random.between(300, 1_500));
    // In the middle of an answer, where there is one.
    for (let looks = 0; looks < 200 && !talk.read().some(isHalf); looks += 1) await pause(20);
    const [frozen] = bots;
    frozen?.kill('SIGSTOP');
    await start();
    // Longer than the other one waits before it takes over.
    await pause(random.between(8_000, 14_000));
    frozen?.kill('SIGCONT');
  },
} as const;

function isHalf({ isOwn, content }: EndMessage): boolean {
  return isOwn && content.includes('⏳');
}

/** Way to harm the bot. */
export type HarmName = keyof typeof harms;
const harmNames = Object.keys(harms) as [HarmName, ...HarmName[]];

/** Seeds of trials with that harm, from the smallest. */
export function seedsOf(harm: HarmName, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => harmNames.indexOf(harm) + index * harmNames.length);
}

/** The harm of that name. */
export function requireHarm(name: string): HarmName {
  const found = harmNames.find((harm) => harm === name);
  if (found === undefined) throw new Error(`there is no harm "${name}": ${harmNames.join(', ')}`);
  return found;
}

async function end(bots: CommandLine[], signal: NodeJS.Signals): Promise<void> {
  const ending = bots.splice(0);
  for (const bot of ending) bot.kill(signal);
  await Promise.all(ending.map(({ ended }) => ended));
}

function harmOf(seed: number): HarmName {
  return harmNames[seed % harmNames.length] ?? 'kill';
}

/** Runs one trial. Everything about it follows from its seed. */
export async function runTrial(
  seed: number,
  own: Readonly<Record<string, string>> = {},
): Promise<{ readonly harm: HarmName; readonly report: string; readonly findings: readonly Finding[] }> {
  const random = createSeededRandom(seed);
  const harm = harmOf(seed);
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
    ...own,
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
    const talking = talk.go(random.between(8, 16));
    await harms[harm](stage);
    await talking;
    talk.sayGoodbye();
    // What the bot can find, it answers without another start.
    const early = (await untilQuiet(talk)).filter(({ number }) => talk.isListed(number));
    // Whoever is restarted once more finds nothing to do.
    await end(bots, 'SIGKILL');
    await start();
    // Direct messages that were said in a gap are found when somebody writes there to a bot that hears it.
    talk.sayGoodbye();
    await pause(afterwardsMs);
    const findings = early.length > 0 ? early : await untilQuiet(talk);
    const passed = [...proxy.counts].map(([fault, count]) => `${fault} ${count}`).join(', ');
    const report = `${talk.asked.length} asked, stream ${environment.STREAM}, requests: ${passed}`;
    return { harm, report, findings };
  } finally {
    await end(bots, 'SIGKILL');
    await Promise.all([proxy.close(), lmStudio.close(), discord.close()]);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Waits until nothing is wrong, for as long as it may take. What stands twice stays so. */
async function untilQuiet({ asked, read }: Talk): Promise<readonly Finding[]> {
  const endsAt = Date.now() + patienceMs;
  for (;;) {
    const findings = checkAnswers(asked, read());
    const isFinal = findings.some(({ kind }) => kind === 'twice') || Date.now() > endsAt;
    if (findings.length === 0 || isFinal) return findings;
    await pause(100);
  }
}

/** The model of the trials: it answers what was said last, in as many lines as that wants. */
function answerLast(input: string): string {
  const [, number = '-1', lines = '1'] = /Q(\d+) wants (\d+)[^\n]*$/.exec(input) ?? [];
  return scriptedAnswer(Number(number), Number(lines));
}

/** Runs trials of the bot: kills, a bad network, a bad gateway, rivals. Gives the number of those that broke something. */
export async function runDiscordTrials(options: DiscordTrialsOptions): Promise<number> {
  const {
    wanted,
    seed,
    parallel,
    print = (line: string) => void process.stdout.write(`${line}\n`),
  } = options;
  const seeds = Array.from({ length: wanted * harmNames.length }, (_, index) => seed + index)
    .filter((one) => harmOf(one) === (options.harm ?? harmOf(one)))
    .slice(0, wanted);
  let broken = 0;
  let asked = 0;
  const work = async (): Promise<void> => {
    for (let own = seeds.shift(); own !== undefined; own = seeds.shift()) {
      const { harm, report, findings } = await runTrial(own, options.environment ?? {});
      if (findings.length > 0) broken += 1;
      asked += Number.parseInt(report, 10);
      const found = findings.map(({ number, kind }) => `Q${number} ${kind}`).join(', ');
      print(
        `${findings.length === 0 ? 'ok  ' : 'FAIL'} discord seed ${own}, ${harm}: ${report}${found && `\n     ${found}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  print(`${wanted} trials of the bot, ${asked} messages asked, ${broken} trials with findings`);
  return broken;
}
