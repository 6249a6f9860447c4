import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PostgresServer, startPostgres } from '@agent/simulators/postgres';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import { readCount } from '../support/read-count.ts';
import { runClusterTrial } from './cluster-trial.ts';
import { drawHarms } from './harm.ts';
import { beginInOwnNetwork, isInOwnNetwork, openLoopback, openNetwork, whyNoNetworks } from './hosts.ts';
import { clusterPlants } from './plants.ts';
import { playPlant, playPlants } from './play-plants.ts';
import { formatCounts, formatTrial, type PlayedTrial } from './summary.ts';

const help = `npm run test:cluster -- [runs] [--seed n] [--threads n] [--parallel n] [--proxies]
npm run test:cluster -- plants

Has three workers and two lookers, real processes on a real PostgreSQL, carry out that many runs (default 25), 25 to a cluster, three
clusters at a time (--threads, --parallel), on simulated forges, while people say, change and take back things, stop runs, pause them
and let them go on. Of 100 runs, 60 see a process killed, 12 one that is cut off, and 4 one that is frozen until others have its runs:
each at a moment of its thread, such as a line of its record. Processes live in network namespaces, where the machine has them;
--proxies: they do not. Each trial is judged by the checker of the kill trials. A failure names the seed that repeats it:
  npm run test:cluster -- 25 --threads 25 --seed 4711

plants: puts faults into the sources of the processes, one after the other, and fails where the checker does not find one;
--planted name plays one of: ${clusterPlants.map(({ name }) => name).join(', ')}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    threads: { type: 'string' },
    parallel: { type: 'string' },
    proxies: { type: 'boolean' },
    planted: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'agent-kill-compile-cache');
if (values.help === true) console.log(help);
else process.exit(await begin());

/** In a network of its own, from where it can make networks for the processes. */
async function begin(): Promise<number> {
  const missing =
    values.proxies === true ? 'NOT SHOWN HERE: network namespaces, by --proxies' : await whyNoNetworks();
  if (missing !== null) console.log(missing);
  else if (!isInOwnNetwork()) return beginInOwnNetwork();
  const openHost = missing === null ? openNetwork : openLoopback;
  if (positionals[0] === 'plants') return playPlants();
  const server = await startPostgres({ settings: { max_connections: '800' } });
  try {
    const { planted } = values;
    if (planted !== undefined)
      return (await playPlant(planted, { databaseUrl: server.url, openHost })) ? 0 : 1;
    return await playTrials(server, openHost);
  } finally {
    await server.remove();
  }
}

async function playTrials(server: PostgresServer, openHost: typeof openNetwork): Promise<number> {
  const runs = readCount(positionals[0] ?? '25', 'runs');
  const threads = Math.min(runs, readCount(values.threads ?? '25', '--threads'));
  const parallel = readCount(values.parallel ?? '3', '--parallel');
  const first = readCount(values.seed ?? String(Math.floor(Math.random() * 1_000_000) + 1), '--seed');
  const count = Math.ceil(runs / threads);
  console.log(
    `${count * threads} runs from seed ${first}, ${threads} to a cluster, ${parallel} clusters at a time`,
  );
  const begun = performance.now();
  const bundle = await bundleDaemon();
  const played: PlayedTrial[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const trial = next;
      next += 1;
      const seed = first + trial;
      const counts = {
        kills: Math.ceil(threads * 0.6),
        partitions: Math.ceil(threads * 0.1),
        zombies: Math.ceil(threads * 0.04),
      };
      const verdict = await runClusterTrial(seed, {
        ...{ databaseUrl: server.url, openHost, threads },
        drawHarms: (random, { hasLinks }) => drawHarms(random, { threads, counts, trial: seed, hasLinks }),
      });
      played.push({ seed, threads, verdict });
      const repeat = `npm run test:cluster -- ${threads} --threads ${threads} --seed ${seed}`;
      console.log(formatTrial({ seed, threads, verdict }, repeat));
    }
  };
  try {
    await Promise.all(Array.from({ length: parallel }, work));
  } finally {
    await bundle.remove();
  }
  console.log(formatCounts(played));
  console.log(`in ${Math.round((performance.now() - begun) / 1_000)} s`);
  return played.every(({ verdict }) => verdict.broken.length === 0) ? 0 : 1;
}
