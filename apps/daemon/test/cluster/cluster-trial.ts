import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom, type TrialVerdict } from '@agent/simulators/trials';
import type { ForgeName } from '../support/forge.ts';
import { until } from '../support/until.ts';
import { type Cluster, type ClusterThread, openCluster } from './cluster.ts';
import { countAll } from './count-all.ts';
import { createDirector, type Director } from './director.ts';
import { collectEvidence } from './evidence.ts';
import { describeHarm, type Harm } from './harm.ts';
import type { HarmLog } from './harm-log.ts';
import type { OpenHost } from './hosts.ts';
import { judgeCluster } from './judge.ts';
import { createTalk, type Mood, type Talk } from './talk.ts';

export interface ClusterTrialOptions {
  readonly databaseUrl: string;
  readonly openHost: OpenHost;
  readonly threads: number;
  readonly drawHarms: (random: SeededRandom, cluster: { readonly hasLinks: boolean }) => readonly Harm[];
  /** What people do on all threads. Default: drawn for each. */
  readonly mood?: Mood | undefined;
  /** Milliseconds after which a thread has come to no end. Default 300,000. */
  readonly patienceMs?: number | undefined;
}

/** Threads at work at the same time. */
const lanes = 5;

/** Lets a cluster work through threads while it is harmed as the seed says, and judges the records that it leaves. */
export async function runClusterTrial(seed: number, options: ClusterTrialOptions): Promise<TrialVerdict> {
  const { databaseUrl, openHost, threads, mood, patienceMs = 300_000 } = options;
  const random = createSeededRandom(seed);
  const forge = random.pick<ForgeName>(['github', 'gitlab']);
  const talk = createTalk(random, { threads, mood });
  const schema = `cluster_${process.pid}_${seed}`;
  const cluster = await openCluster({
    ...{ forge, databaseUrl, schema, openHost, onStep: talk.onStep },
    concurrency: lanes,
  });
  const hasLinks = cluster.processes.every((one) => one.hasLinks);
  const harms = options.drawHarms(random, { hasLinks });
  const director = createDirector(cluster, harms);
  try {
    for (const one of cluster.processes) one.start();
    const isReady = () => cluster.processes.every((one) => one.output().includes('"msg":"ready"'));
    await until('all processes are ready', isReady, { timeoutMs: patienceMs });
    const late = await workThrough(cluster, { director, talk, threads, patienceMs });
    for (const one of cluster.processes) one.start();
    const isDone = async () => (await cluster.listRuns()).every(({ place }) => place === 'completed');
    await until('nothing is open', isDone, { timeoutMs: patienceMs / 2 }).catch(() => undefined);
    const ends = await Promise.all(cluster.processes.map((one) => (one.isAlive() ? one.stop() : true)));
    const hung = ends.filter((isEnded) => !isEnded).length;
    const left = await collectEvidence(cluster, { outages: director.log.outages, hung });
    const seen = [...late, ...director.log.broken].map((text) => ({ kind: 'wrong', text }) as const);
    const broken = [...seen, ...judgeCluster(left)];
    const takeovers = director.log.takeovers.map((ms) => `${(ms / 1_000).toFixed(1)} s`);
    return {
      told: `${threads} runs on ${forge}, ${harms.length} harms, takeovers ${takeovers.join(', ') || 'none'}`,
      findings: broken.map(({ kind, text }) => `${kind}: ${text}`),
      ...countAll({ left, log: director.log, broken }),
      trace: [...harms.map(describeHarm), formatOutputs(cluster, director.log)].join('\n'),
    };
  } finally {
    await cluster.close();
  }
}

interface Work extends Pick<ClusterTrialOptions, 'threads'> {
  readonly director: Director;
  readonly talk: Talk;
  readonly patienceMs: number;
}

/** People give the agent one thread after the other, some at a time. @returns what came to no end */
async function workThrough(
  cluster: Cluster,
  { director, talk, threads, patienceMs }: Work,
): Promise<readonly string[]> {
  const late: string[] = [];
  const harmed: Promise<void>[] = [];
  const work = async (): Promise<void> => {
    while (cluster.threads.length < threads) {
      const thread = cluster.openThread();
      director.prepare(thread);
      let isLate = false;
      const isOver = () => hasEnded(cluster, thread);
      const resumed = talk.resume(cluster, { thread, isOver: () => isLate || isOver() });
      await until('the thread ends', isOver, { timeoutMs: patienceMs }).catch(() => {
        isLate = true;
        late.push(`${thread.reference}: it came to no end`);
      });
      await resumed;
      harmed.push(director.finish(thread));
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, threads) }, work));
  await Promise.all(harmed);
  // What is posted late is seen, too.
  await delay(1_000);
  return late;
}

const final = /<!-- agent-comment: run:[0-9a-f-]{36}:final/;

function hasEnded({ world }: Cluster, { reference }: ClusterThread): boolean {
  const { comments, labels } = world.forge.thread(reference);
  return comments.some(({ body }) => final.test(body)) && !labels.includes('coding agent processing');
}

function formatOutputs({ processes, threads, world, watcher }: Cluster, log: HarmLog): string {
  const listQuestions = (title: string) =>
    watcher.requests.flatMap(({ route, body, by, at, status }) =>
      route === 'model' && body.includes(title)
        ? [`${by} at ${new Date(at).toISOString()}: ${status}, ${body.length} characters`]
        : [],
    );
  const seen = threads.map(({ reference, title, people }) => {
    const { comments, labels } = world.forge.thread(reference);
    const questions = listQuestions(title);
    return JSON.stringify({ reference, labels, sayings: people.sayings(), comments, questions });
  });
  const printed = processes.map((one) => `--- ${one.name}\n${one.outputs().trim()}`);
  return [...log.events, ...seen, ...printed].join('\n');
}
