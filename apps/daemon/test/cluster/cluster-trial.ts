import { createSeededRandom, type SeededRandom } from '../kill/seeded-random.ts';
import type { ForgeName } from '../support/forge.ts';
import { until } from '../support/until.ts';
import { type Cluster, type ClusterThread, openCluster } from './cluster.ts';
import { carryOutHarm, describeHarm, drawHarm, type HarmLog } from './harm.ts';
import { judgeCluster } from './judge.ts';

export interface ClusterVerdict {
  readonly told: readonly string[];
  readonly harm: HarmLog;
  readonly refused: number;
  readonly broken: readonly string[];
  /** The threads, and the last lines of each process, where something did not hold. */
  readonly output: string;
}

const final = /<!-- agent-comment: run:[0-9a-f-]{36}:final/;
const shownLines = 40;
/** Many times what the rest of a trial takes on a busy machine. */
const longestRestMs = 180_000;

/** Lets a cluster work through threads while it is harmed as the seed says, and looks at what it leaves. */
export async function runClusterTrial(
  seed: number,
  { databaseUrl, threads }: { readonly databaseUrl: string; readonly threads: number },
): Promise<ClusterVerdict> {
  const random = createSeededRandom(seed);
  const harms = drawHarm(random, { turns: threads * 6, count: threads });
  const schema = `cluster_${process.pid}_${seed}`;
  const forge = random.pick<ForgeName>(['github', 'gitlab']);
  const onStep = createTalk(random);
  const cluster = await openCluster({ ...{ forge, databaseUrl, schema, threads, onStep } });
  const told = [forge, ...harms.map(describeHarm)];
  try {
    for (const one of cluster.processes) one.start();
    const isOver = () => cluster.threads.every((thread) => hasEnded(cluster, thread));
    const harm = await carryOutHarm(cluster, { harms, isOver });
    for (const one of cluster.processes) one.start();
    const isDone = async () =>
      isOver() && (await cluster.listRuns()).every(({ place }) => place === 'completed');
    await until('all threads have their report', isDone, { timeoutMs: longestRestMs }).catch(() => undefined);
    const ends = await Promise.all(cluster.processes.map((one) => (one.isAlive() ? one.stop() : true)));
    const hung = ends.filter((isEnded) => !isEnded).length;
    const broken = [...harm.broken, ...(await judgeCluster(cluster, { schema, hung }))];
    const outputs = cluster.processes.map((one) => one.outputs());
    const refused = outputs.join('\n').match(/another process has taken this run over/g)?.length ?? 0;
    return { told, harm, refused, broken, output: broken.length === 0 ? '' : showOutputs(cluster) };
  } finally {
    await cluster.close();
  }
}

function hasEnded({ world }: Cluster, { reference }: ClusterThread): boolean {
  const { comments, labels } = world.forge.thread(reference);
  return comments.some(({ body }) => final.test(body)) && !labels.includes('coding agent processing');
}

/** People who say, change and take back things on the threads as the steps go by. */
function createTalk(random: SeededRandom): (thread: ClusterThread, step: number) => void {
  return ({ people }, step) => {
    if (step < 1 || step > 4) return;
    const act = random.next();
    const last = people.sayings().at(-1);
    if (act < 0.4) people.say();
    else if (act < 0.5) people.say({ by: 'bob' });
    else if (act < 0.6 && last !== undefined) people.edit(last);
    else if (act < 0.7 && last !== undefined) people.remove(last);
  };
}

function showOutputs({ processes, threads, world }: Cluster): string {
  const seen = threads.map(({ reference, people }) => {
    const { comments, labels } = world.forge.thread(reference);
    return JSON.stringify({ reference, labels, sayings: people.sayings(), comments });
  });
  const printed = processes.map((one) =>
    [`--- ${one.name}`, ...one.outputs().trim().split('\n').slice(-shownLines)].join('\n'),
  );
  return [...seen, ...printed].join('\n');
}
