import { setTimeout as wait } from 'node:timers/promises';
import { answeringScript } from '../scripts.ts';
import type { BenchServer } from './bench-server.ts';
import { startCluster, subtractUse } from './start-cluster.ts';

const [workers, seconds] = [2, 60] as const;
/** Long enough for the tables and the queue to be made, and for the first look at everything. */
const settleMs = 10_000;

/** Counts statements a second of each process, of one that looks and two that work, while there is nothing to do. */
export async function measureIdleCluster(server: BenchServer): Promise<number> {
  const cluster = await startCluster(server, { workers, script: answeringScript, pollIntervalSeconds: 60 });
  try {
    await cluster.areReady();
    await cluster.whileRunning(wait(settleMs));
    const before = await cluster.readUse();
    await cluster.whileRunning(wait(seconds * 1_000));
    const { statements } = subtractUse(await cluster.readUse(), before);
    return statements / seconds / cluster.processes.length;
  } finally {
    await cluster.close();
  }
}
