import { startPostgres } from '@agent/simulators/postgres';
import { readChoice, readCount, type TrialKind } from '@agent/simulators/trials';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import { type ClusterTrial, clusterBugs } from './cluster-bugs.ts';
import { runClusterTrial } from './cluster-trial.ts';
import { drawHarms } from './harm.ts';
import { beginInOwnNetwork, isInOwnNetwork, openLoopback, openNetwork, whyNoNetworks } from './hosts.ts';

const readThreads = (text = '25'): number => readCount(text, '--threads');

/** Processes that share a database, crash, freeze and lose their connections. */
export const trials: TrialKind<ClusterTrial> = {
  help: `[--threads COUNT] [--hosts loopback]

Has three workers and two pollers, real processes on a real PostgreSQL, execute N runs, 25 in each cluster (--threads), on simulated platforms, while
people write, edit and delete comments, stop runs, pause and resume them. Of 100 runs, 60 see a process killed, 10 one that is cut off, and
4 one that is frozen until others have its runs: each at a moment of its thread, such as a line of its record. The judge of the kill
trials judges each thread. Processes live in network namespaces where the machine has them; --hosts loopback: on this host.`,
  options: ['threads', 'hosts'],
  unit: 'runs',
  unitsPerTrial: ({ threads }) => readThreads(threads),
  defaults: { units: 25, parallel: 3 },
  open: async ({ threads: text, hosts }, { hasBug }) => {
    const isLoopback = readChoice(hosts, '--hosts', ['loopback']) !== undefined;
    const missing = isLoopback ? 'NOT SHOWN HERE: network namespaces, by --hosts' : await whyNoNetworks();
    if (missing !== null) console.log(missing);
    // From a network of its own, this program can make networks for the processes.
    else if (!isInOwnNetwork()) process.exit(await beginInOwnNetwork());
    const openHost = missing === null ? openNetwork : openLoopback;
    const server = await startPostgres({ settings: { max_connections: '800' } });
    const bundle = hasBug ? null : await bundleDaemon();
    return {
      draw: (seed) => ({ seed }),
      play: ({ seed, harms, mood, threads = readThreads(text) }) =>
        runClusterTrial(seed, {
          ...{ databaseUrl: server.url, openHost, threads, mood },
          drawHarms: (random, { hasLinks }) =>
            harms ?? drawHarms(random, { threads, counts: countHarms(threads), trial: seed, hasLinks }),
          // Longer than a thread takes with one worker after another.
          patienceMs: harms === undefined ? undefined : 90_000,
        }),
      close: async () => {
        await bundle?.remove();
        await server.remove();
      },
    };
  },
  bugs: clusterBugs,
};

const countHarms = (threads: number) => ({
  kills: Math.ceil(threads * 0.6),
  partitions: Math.ceil(threads * 0.1),
  zombies: Math.ceil(threads * 0.04),
});
