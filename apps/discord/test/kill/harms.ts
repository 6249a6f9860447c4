import { setTimeout as pause } from 'node:timers/promises';
import type { DiscordSimulator } from '@agent/simulators/discord';
import type { LmStudio } from '@agent/simulators/lm-studio';
import type { SeededRandom } from '@agent/simulators/trials';
import type { CommandLine } from '../bot/run-command-line.ts';
import type { EndMessage } from './check-answers.ts';
import type { FaultProxy } from './fault-proxy.ts';
import type { Talk } from './talk.ts';

/** Everything of one trial. */
export interface Stage {
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
export const harms = {
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

/** Harms that a long trial mixes. */
const mixedHarms = ['kill', 'stop', 'net', 'netkill', 'gateway', 'lost'] as const;

/** Harms the bot in all ways, one after the other, until all messages were said. */
export async function mixHarms(stage: Stage, messages: number): Promise<void> {
  const { random, talk, discord } = stage;
  // An answer may be missing for two minutes: the watchdog's time.
  if (messages >= 100) {
    discord.swallowResumes(1);
    discord.dropGateway(4000);
  }
  while (talk.asked.length < messages) {
    const harm = random.pick(mixedHarms);
    if (harm === 'lost') await loseEvents(stage);
    else await harms[harm](stage);
    await pause(random.between(500, 3_000));
  }
}

/** Events are lost for a moment, and the session that is resumed afterwards does not repeat them. */
async function loseEvents({ random, discord }: Stage): Promise<void> {
  discord.setLosingEvents(true);
  await pause(random.between(200, 1_500));
  discord.setLosingEvents(false);
  discord.dropGateway(4000);
}

/** Way to harm the bot. */
export type HarmName = keyof typeof harms;
export const harmNames = Object.keys(harms) as [HarmName, ...HarmName[]];

export async function end(bots: CommandLine[], signal: NodeJS.Signals): Promise<void> {
  const ending = bots.splice(0);
  for (const bot of ending) bot.kill(signal);
  await Promise.all(ending.map(({ ended }) => ended));
}
