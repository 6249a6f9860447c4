import type { Goal, Report, Table } from '../report.ts';
import type { BotFigures } from './fork-bot.ts';
import type { OpenThreadsMemory } from './measure-open-threads.ts';
import type { ThroughputFigure } from './measure-throughput.ts';
import { countHistoryRequests, type TurnRequests } from './measure-turn.ts';

export interface DiscordFigures {
  /** Messages in the thread before the first turn. */
  readonly threadLength: number;
  readonly turns: readonly TurnRequests[];
  readonly throughput: readonly ThroughputFigure[];
  readonly memory: readonly OpenThreadsMemory[];
}

/** Tables, goals and what the figures include. */
export function toDiscordReport(figures: DiscordFigures): Report {
  return {
    title: 'discord: what a turn asks for, how many there are in a second, what a thread costs',
    tables: [toTurnTable(figures), toThroughputTable(figures), toMemoryTable(figures)],
    goals: toGoals(figures),
    notes: [
      'The bot runs from its sources in a process of its own, with discord.js, over HTTP and WebSocket to the simulated Discord',
      'and over HTTP to a stand-in for LM Studio that answers at once; both are in the process of the bench.',
      'Messages per second are from the gateway event to the posted answer, with history, typing and 👀, at most 4 answers at a time;',
      "in each thread the next message follows its answer. discord.js allows itself Discord's 50 requests a second: with that limit",
      'requests per message decide; without it the two processes and whatever else this machine does.',
      'RSS holds garbage that was not collected yet; live is heap and buffers after a forced collection. 50 threads were open before.',
    ],
  };
}

function toTurnTable({ turns, threadLength }: DiscordFigures): Table {
  const routes = [...new Set(turns.flatMap((turn) => [...turn.routes.keys()]))].sort();
  return {
    caption: `Requests to Discord in one turn, thread of ${threadLength} messages`,
    columns: ['route', ...turns.map(({ historyCache, turn }) => `${historyCache}, ${turn} turn`)],
    rows: [
      ...routes.map((route) => [route, ...turns.map((turn) => turn.routes.get(route) ?? '–')]),
      ['of them for history', ...turns.map(countHistoryRequests)],
    ],
  };
}

function toThroughputTable({ throughput }: DiscordFigures): Table {
  return {
    caption: 'Messages through the whole app, model answers at once',
    columns: ['what', 'messages', 'per second', 'processor ms per message', 'requests per message'],
    rows: throughput.map(({ name, messages, perSecond, cpuMsPerMessage, requestsPerMessage }) => [
      name,
      messages,
      perSecond.toFixed(1),
      cpuMsPerMessage.toFixed(1),
      requestsPerMessage.toFixed(1),
    ]),
  };
}

function toMemoryTable({ memory }: DiscordFigures): Table {
  const toMb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  return {
    caption: "Memory of the bot's process",
    columns: [
      'history cache',
      'threads opened',
      'RSS before, MB',
      'RSS after, MB',
      'live before, MB',
      'live after, MB',
      'live per thread, KB',
    ],
    rows: memory.map((one) => [
      one.historyCache,
      one.threads,
      toMb(one.before.residentBytes),
      toMb(one.after.residentBytes),
      toMb(one.before.liveBytes),
      toMb(one.after.liveBytes),
      toPerThreadKb(one, ({ liveBytes }) => liveBytes).toFixed(1),
    ]),
  };
}

/** What a further thread adds. */
export function toPerThreadKb(
  { before, after, threads }: OpenThreadsMemory,
  read: (figures: BotFigures) => number,
): number {
  return (read(after) - read(before)) / threads / 1024;
}

function toGoals({ turns, threadLength }: DiscordFigures): readonly Goal[] {
  const worst = (historyCache: 'off' | 'gateway', turn: 'first' | 'later'): number =>
    Math.max(
      ...turns
        .filter((one) => one.historyCache === historyCache && one.turn === turn)
        .map(countHistoryRequests),
    );
  const unit = 'requests';
  return [
    {
      name: `history of ${threadLength} messages, each turn`,
      measured: Math.max(worst('off', 'first'), worst('off', 'later')),
      atMost: 2,
      unit,
    },
    {
      name: `history of ${threadLength} messages, HISTORY_CACHE=gateway`,
      measured: worst('gateway', 'later'),
      atMost: 0,
      unit,
    },
  ];
}
