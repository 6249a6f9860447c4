import type { Bench } from '../report.ts';
import { toDiscordReport } from './discord-report.ts';
import { measureOpenThreads } from './measure-open-threads.ts';
import { measureThroughput } from './measure-throughput.ts';
import { measureTurns } from './measure-turn.ts';

const threadLength = 200;
const openThreads = 1_000;
/** What Discord allows a bot. */
const discordLimit = 50;

/** What the Discord app asks of Discord, how much it answers, and what a thread costs it. */
export const discordBench: Bench = {
  name: 'discord',
  run: async ({ onProgress }) => {
    onProgress('requests of a turn');
    const turns = [
      ...(await measureTurns('off', threadLength)),
      ...(await measureTurns('gateway', threadLength)),
    ];
    onProgress('messages per second');
    const crowd = { threads: 20, turns: 20 };
    const few = { threads: 20, turns: 5 };
    const gateway = { HISTORY_CACHE: 'gateway' };
    const throughput = [
      await measureThroughput({ name: 'one thread', threads: 1, turns: 100 }),
      await measureThroughput({ name: '20 threads', ...crowd }),
      await measureThroughput({ name: '20 threads, gateway', ...crowd, settings: gateway }),
      await measureThroughput({
        name: "20 threads, Discord's limit",
        ...few,
        requestsPerSecond: discordLimit,
      }),
      await measureThroughput({
        name: "20 threads, Discord's limit, gateway",
        ...few,
        requestsPerSecond: discordLimit,
        settings: gateway,
      }),
    ];
    onProgress(`memory with ${openThreads} open threads`);
    const memory = [
      await measureOpenThreads('off', openThreads),
      await measureOpenThreads('gateway', openThreads),
    ];
    return toDiscordReport({ threadLength, turns, throughput, memory });
  },
};
