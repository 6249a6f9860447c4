import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../report.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { type ClusterFigures, toClusterReport } from './cluster-report.ts';
import { measureAppend } from './measure-append.ts';
import { measureClaims } from './measure-claims.ts';

const claims = { waiting: 10_000, repositories: 50, workers: [1, 8], claims: 500 };
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
  return { append, claims: await measureClaims(server, claims) };
}
