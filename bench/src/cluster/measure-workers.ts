import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createModelGate } from '../memory/model-gate.ts';
import { mendingScript } from '../scripts.ts';
import { repository, type World } from '../world.ts';
import type { BenchServer } from './bench-server.ts';
import { type Cluster, startCluster, subtractUse, type Use } from './start-cluster.ts';

/** Milliseconds that the model takes for an answer. */
const answerMs = 1_000;
const concurrency = 2;
const [doneLabel, failedLabel] = ['coding agent done', 'coding agent failed'] as const;

/** What tasks of one kind cost with so many workers. */
export interface WorkersCosts {
  readonly workers: number;
  readonly tasks: number;
  /** From the first issue to the last label. */
  readonly elapsedMs: number;
  readonly used: Use;
}

/** Lets these workers carry out tasks; each has carried some out before. */
export async function measureWorkers(
  server: BenchServer,
  { workers, tasks }: { readonly workers: number; readonly tasks: number },
): Promise<WorkersCosts> {
  const first = createModelGate(workers * concurrency);
  let isWarm = false;
  const cluster = await startCluster(server, {
    ...{ workers, concurrency, script: mendingScript, pollIntervalSeconds: 2 },
    onModelCall: () => (isWarm ? wait(answerMs) : first.onModelCall()),
  });
  try {
    const warmUps = openIssues(cluster.world, workers * concurrency);
    await cluster.whileRunning(first.full);
    first.open();
    await untilDone(cluster, warmUps);
    isWarm = true;
    const before = await cluster.readUse();
    const startedAt = performance.now();
    await untilDone(cluster, openIssues(cluster.world, tasks));
    const elapsedMs = performance.now() - startedAt;
    return { workers, tasks, elapsedMs, used: subtractUse(await cluster.readUse(), before) };
  } finally {
    first.open();
    await cluster.close();
  }
}

function openIssues({ openIssue }: World, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => openIssue(`Mend ${index + 1}`));
}

/** Looks at the simulator, which costs the daemons nothing; fails where a task did, as its figures would be of something else. */
export async function untilDone({ world, whileRunning }: Cluster, issues: readonly number[]): Promise<void> {
  const isDone = (number: number): boolean => {
    const { labels } = world.gitHub.thread(repository, number);
    if (labels.includes(failedLabel)) throw new Error(`The task ${number} did not succeed.`);
    return labels.includes(doneLabel);
  };
  while (!issues.every(isDone)) await whileRunning(wait(50));
}
