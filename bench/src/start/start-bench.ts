import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtDaemon, readDaemonFlags } from '../build-daemon.ts';
import { daemonEnvironment } from '../daemon-process.ts';
import type { Bench, Report } from '../report.ts';
import { findMedian, findPercentile } from '../statistics.ts';
import { timeToExit } from './time-process.ts';
import { createPollTimer, type PollTimer } from './time-to-poll.ts';

const rounds = 21;
const coldRounds = 7;
/** The cache is written when a process ends, and modules that only one of the commands loads join it then. */
const warmUpRounds = 2;

/** How long the built daemon takes to be there, beside a Node process that does nothing, in interleaved rounds. */
export const startBench: Bench = {
  name: 'start',
  run: async ({ onProgress }) => {
    const timer = await createPollTimer();
    try {
      const cases = await toCases(timer);
      onProgress(`${rounds} rounds with a warm compile cache`);
      for (let round = 0; round < warmUpRounds; round += 1) await runRound(cases);
      const warm = await runRounds(rounds, cases);
      onProgress(`${coldRounds} rounds without a cache`);
      const cold = await runRounds(
        coldRounds,
        cases.map((one) => ({ ...one, cache: 'fresh' })),
      );
      return toReport(warm, cold);
    } finally {
      await timer.world.close();
    }
  },
};

interface Case {
  readonly name: CaseName;
  readonly cache: 'kept' | 'fresh';
  readonly time: (cache: 'kept' | 'fresh') => Promise<number>;
}

type CaseName = 'empty' | 'help' | 'ready';
type Times = Readonly<Record<CaseName, readonly number[]>>;

async function toCases({ world, timeToPoll }: PollTimer): Promise<readonly Case[]> {
  const empty = join(world.directory, 'empty.mjs');
  await writeFile(empty, '');
  const kept = join(world.directory, 'kept');
  await mkdir(kept);
  const place = (cache: 'kept' | 'fresh') =>
    cache === 'kept' ? kept : mkdtemp(join(world.directory, 'fresh-'));
  const toCase = (name: CaseName, time: (directory: string) => Promise<number>): Case => ({
    name,
    cache: 'kept',
    time: async (cache) => time(await place(cache)),
  });
  return [
    toCase('empty', (directory) => timeToExit([empty], daemonEnvironment(directory))),
    toCase('help', (directory) =>
      timeToExit([...readDaemonFlags(), builtDaemon, '--help'], daemonEnvironment(directory)),
    ),
    toCase('ready', timeToPoll),
  ];
}

/** Every round times every case once, so that what disturbs the machine disturbs all of them. */
async function runRounds(count: number, cases: readonly Case[]): Promise<Times> {
  const times = { empty: [] as number[], help: [] as number[], ready: [] as number[] };
  for (let round = 0; round < count; round += 1) {
    for (const [name, time] of await runRound(cases)) times[name].push(time);
  }
  return times;
}

async function runRound(cases: readonly Case[]): Promise<readonly (readonly [CaseName, number])[]> {
  const found: [CaseName, number][] = [];
  for (const { name, cache, time } of cases) found.push([name, await time(cache)]);
  return found;
}

const captions: Readonly<Record<CaseName, string>> = {
  empty: 'an empty Node, to its exit',
  help: 'agent-daemon --help, to its exit',
  ready: 'agent-daemon run, to its first poll',
};

function toReport(warm: Times, cold: Times): Report {
  return {
    title: 'start: how long the built daemon takes to be there',
    tables: [
      toTable(`Warm compile cache, ${rounds} interleaved rounds, milliseconds`, warm),
      toTable(`First start: empty compile cache, ${coldRounds} interleaved rounds, milliseconds`, cold),
    ],
    goals: [
      { name: '--help over an empty Node', measured: over(warm, 'help'), atMost: 45, unit: 'ms' },
      { name: 'ready to poll over an empty Node', measured: over(warm, 'ready'), atMost: 150, unit: 'ms' },
    ],
    notes: [
      'From before the spawn. "First poll" is the request for the list of issues at the simulated GitHub; the request "who am I" comes before it.',
      '"over" is the median of the differences within each round.',
    ],
  };
}

function toTable(caption: string, times: Times) {
  const names = ['empty', 'help', 'ready'] as const;
  return {
    caption,
    columns: ['what', 'median', 'p90', 'over empty', 'ratio'],
    rows: names.map((name) => [
      captions[name],
      findMedian(times[name]),
      findPercentile(times[name], 0.9),
      over(times, name),
      `${(findMedian(times[name]) / findMedian(times.empty)).toFixed(2)}x`,
    ]),
  };
}

function over(times: Times, name: CaseName): number {
  return findMedian(times[name].map((time, round) => time - (times.empty[round] ?? Number.NaN)));
}
