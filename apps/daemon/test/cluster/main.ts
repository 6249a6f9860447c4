import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { plantVariable, requirePlaces } from '@agent/simulators/plants';
import { startPostgres } from '@agent/simulators/postgres';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import { type ClusterVerdict, runClusterTrial } from './cluster-trial.ts';
import { clusterPlants } from './plants.ts';

const help = `npm run test:cluster -- [runs] [--seed n] [--threads n] [--planted name]

Has three workers and two lookers, real processes on a real PostgreSQL, carry out that many runs (default 6), some threads at a time
(default 6), on simulated forges with people who talk. Meanwhile processes are killed, frozen and cut off by proxies, as the seed says.
Each trial is judged by the checker of the kill trials. A failure names the seed that repeats it:
  npm run test:cluster -- 6 --seed 4711
--planted puts a fault into the sources of the processes, and fails where the checker does not find it: ${clusterPlants.map(({ name }) => name).join(', ')}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    threads: { type: 'string' },
    planted: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'agent-kill-compile-cache');
if (values.help === true) console.log(help);
else process.exit(await (values.planted === undefined ? main() : playPlant(values.planted)));

async function main(): Promise<number> {
  const runs = readCount(positionals[0] ?? '6', 'runs');
  const threads = Math.min(runs, readCount(values.threads ?? '6', '--threads'));
  const first = readCount(values.seed ?? String(Math.floor(Math.random() * 1_000_000)), '--seed');
  console.log(`${runs} runs from seed ${first}, ${threads} threads at a time`);
  console.log('NOT SHOWN HERE: network namespaces; processes are cut off by proxies.');
  const bundle = await bundleDaemon();
  const server = await startPostgres({ settings: { max_connections: '300' } });
  const verdicts: ClusterVerdict[] = [];
  try {
    for (let seed = first; verdicts.length * threads < runs; seed += 1) {
      const verdict = await runClusterTrial(seed, { databaseUrl: server.url, threads });
      verdicts.push(verdict);
      console.log(formatVerdict(seed, { verdict, threads }));
    }
  } finally {
    await server.remove();
    await bundle.remove();
  }
  console.log(formatCounts(verdicts, threads));
  return verdicts.every(({ broken }) => broken.length === 0) ? 0 : 1;
}

/** Plays one trial with processes that have the fault. @returns the exit code: 0 where the checker found it */
async function playPlant(name: string): Promise<number> {
  const plant = clusterPlants.find((one) => one.name === name);
  if (plant === undefined) throw new Error(`nothing is planted as "${name}"; see --help`);
  await requirePlaces(plant.changes);
  process.env[plantVariable] = JSON.stringify(plant.changes);
  const server = await startPostgres({ settings: { max_connections: '300' } });
  try {
    const seed = readCount(values.seed ?? String(plant.seed), '--seed');
    const { broken } = await runClusterTrial(seed, { databaseUrl: server.url, threads: 6 });
    const shown = broken.find((text) => text.includes(plant.says));
    console.log(`${shown === undefined ? 'NOT FOUND' : 'found'} ${name}: it ${plant.does}`);
    console.log((shown === undefined ? broken : [shown]).join('\n'));
    return shown === undefined ? 1 : 0;
  } finally {
    await server.remove();
  }
}

function formatVerdict(
  seed: number,
  { verdict, threads }: { readonly verdict: ClusterVerdict; readonly threads: number },
): string {
  const { told, broken, output } = verdict;
  if (broken.length === 0) return `ok   ${seed}: ${told.join('; ')}`;
  const repeat = `repeat it with: npm run test:cluster -- ${threads} --threads ${threads} --seed ${seed}`;
  return [`FAIL ${seed}, ${repeat}`, ...told, ...broken.map((text) => `  ${text}`), output].join('\n');
}

function formatCounts(verdicts: readonly ClusterVerdict[], threads: number): string {
  const sum = (count: (verdict: ClusterVerdict) => number) =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  const takeovers = verdicts.flatMap(({ harm }) => harm.takeovers);
  const longest = (Math.max(0, ...takeovers) / 1_000).toFixed(1);
  return [
    `${verdicts.length * threads} runs, ${sum(({ harm }) => harm.kills)} kills, ${sum(({ harm }) => harm.freezes)} freezes, ${sum(({ harm }) => harm.partitions)} partitions`,
    `${takeovers.length} runs taken over after a kill, within ${longest} s; ${sum(({ harm }) => harm.zombies)} from a frozen process; ${sum(({ refused }) => refused)} writes refused`,
    `${sum(({ broken }) => (broken.length === 0 ? 1 : 0))} trials passed, ${sum(({ broken }) => (broken.length === 0 ? 0 : 1))} failed`,
  ].join('\n');
}

function readCount(text: string, name: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new Error(`${name} must be a whole number above 0, not "${text}"`);
}
