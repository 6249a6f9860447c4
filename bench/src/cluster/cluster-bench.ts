import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../report.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { type ClusterFigures, toClusterReport } from './cluster-report.ts';
import { measureAppend } from './measure-append.ts';
import { measureClaims } from './measure-claims.ts';
import { measureIdleCluster } from './measure-idle-cluster.ts';
import { measureSteps } from './measure-steps.ts';
import { measureWaiting } from './measure-waiting.ts';
import { measureWorkers, type WorkersCosts } from './measure-workers.ts';

const claims = { waiting: 10_000, repositories: 50, workers: [1, 8], claims: 500 };
const workerCounts = [1, 2, 4, 8];
/** Each worker does as many, so that code which the engine has yet to optimize weighs the same. */
const tasksPerWorker = 16;
const appends = { rounds: 20, perRound: 50 };

/** What it costs that several processes share their work by a database. */
export const clusterBench: Bench = {
  name: 'cluster',
  run: async (options) => {
    const server = await startBenchServer();
    const directory = await mkdtemp(join(tmpdir(), 'cluster-bench-'));
    try {
      return toClusterReport(await measure(server, { ...options, directory }));
    } finally {
      await server.remove();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function measure(
  server: BenchServer,
  { onProgress, directory }: BenchOptions & { readonly directory: string },
): Promise<ClusterFigures> {
  onProgress('appends in files and in the database, in turn');
  const append = await measureAppend(server, { directory, ...appends });
  onProgress(`claims while ${claims.waiting} tasks wait`);
  const claimed = await measureClaims(server, claims);
  const workers: WorkersCosts[] = [];
  for (const count of workerCounts) {
    const tasks = tasksPerWorker * count;
    onProgress(`${tasks} tasks by ${count} workers`);
    workers.push(await measureWorkers(server, { workers: count, tasks }));
  }
  onProgress('the statements of a step');
  const steps = [await measureSteps(server, 'read'), await measureSteps(server, 'change')];
  onProgress('a cluster that has nothing to do');
  const idle = await measureIdleCluster(server);
  onProgress('runs that wait for their models');
  return { append, claims: claimed, workers, steps, idle, waiting: await measureWaiting(server) };
}
