import { setTimeout as delay } from 'node:timers/promises';
import { collectEvidence } from '../cluster/evidence.ts';
import { countFinals, judgeCluster } from '../cluster/judge.ts';
import { type DrillBed, waitFor } from './drill-bed.ts';

const longestEndMs = 300_000;
/** Time in which a repeated comment would still be posted. */
const lateMs = 2_000;

/** Waits until all tasks have ended, stops the processes, and checks that each task was completed exactly once. */
export async function judgeEnd({
  cluster,
}: DrillBed): Promise<{ readonly tasks: number; readonly wrong: readonly string[] }> {
  const { threads, world, processes } = cluster;
  const hasEnded = async () => {
    const runs = await cluster.listRuns();
    const isFinal = threads.every(
      ({ reference }) => countFinals({ thread: world.forge.thread(reference) }) > 0,
    );
    return isFinal && runs.every(({ place }) => place === 'completed');
  };
  const late = await waitFor('all tasks have ended', hasEnded, longestEndMs).then(
    () => [],
    (error: Error) => [error.message],
  );
  await delay(lateMs);
  const ends = await Promise.all(processes.map((one) => one.stop()));
  const hung = ends.filter((isEnded) => !isEnded).length;
  const findings = judgeCluster(await collectEvidence(cluster, { outages: [], hung }));
  const drafts = world.forge.changeRequests();
  const ready = drafts.filter(({ changeRequest }) => changeRequest?.draft !== true).length;
  const wrong = [
    ...late,
    ...findings.map(({ kind, text }) => `${kind}: ${text}`),
    ...(drafts.length === threads.length
      ? []
      : [`there are ${drafts.length} pull requests for ${threads.length} tasks`]),
    ...(ready === 0 ? [] : [`${ready} pull requests are not drafts`]),
  ];
  return { tasks: threads.length, wrong };
}
