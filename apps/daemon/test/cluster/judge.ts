import type { Evidence, RunOnDisk } from '../kill/faults/evidence.ts';
import { type Conversation, readConversations } from '../kill/faults/model-log.ts';
import { findBrokenPromises } from '../kill/faults/promises.ts';
import type { Cluster, ClusterThread, RunRow } from './cluster.ts';

interface LineRow {
  readonly uuid: string;
  readonly body: string;
}

interface Left {
  readonly runs: readonly (RunOnDisk & { readonly title: string })[];
  readonly branches: Evidence['branches'];
  readonly conversations: readonly Conversation[];
  readonly hung: number;
}

/** What is wrong with what a cluster left: the promises of the kill trials for each thread, and that no step is lost. */
export async function judgeCluster(
  cluster: Cluster,
  options: { readonly schema: string; readonly hung: number },
): Promise<readonly string[]> {
  const left = await readLeft(cluster, options);
  return cluster.threads.flatMap((thread) => {
    const evidence = toEvidence(cluster, { thread, left });
    const promises = findBrokenPromises(evidence).map(({ promise, shown }) => `${promise}: ${shown}`);
    return [...promises, ...findLost(evidence, thread)].map((text) => `${thread.reference}: ${text}`);
  });
}

async function readLeft(
  cluster: Cluster,
  { schema, hung }: { readonly schema: string; readonly hung: number },
): Promise<Left> {
  const { forge } = cluster.world;
  const rows: readonly RunRow[] = await cluster.listRuns();
  const lines = await cluster.query<LineRow>(
    `SELECT uuid::text, body FROM ${schema}.lines ORDER BY uuid, line`,
  );
  const runs = rows.map(({ uuid, place }) => {
    const own = lines.filter((line) => line.uuid === uuid).map(({ body }) => body);
    return { uuid, place, lines: own, planning: null, outcome: null, title: own.join('\n') };
  });
  const names = (await forge.branches()).filter((name) => name !== 'main');
  const readLog = (name: string) => forge.readFile(name, 'log.txt').catch(() => null);
  const branches = await Promise.all(
    names.map(async (name) => ({ name, log: (await readLog(name))?.split('\n').filter(Boolean) ?? null })),
  );
  return { runs, branches, conversations: readConversations(cluster.desk.seen), hung };
}

function toEvidence(
  { world, desk }: Cluster,
  { thread: { reference, title, people }, left }: { readonly thread: ClusterThread; readonly left: Left },
): Evidence {
  const isOurs = (text: string | undefined): boolean => text?.includes(title) === true;
  return {
    ...{
      reference,
      sayings: people.sayings(),
      labels: people.labels(),
      thread: world.forge.thread(reference),
    },
    conversations: left.conversations.filter(({ requests }) => isOurs(requests[0]?.[0])),
    branches: left.branches,
    strangeBranches: [],
    effects: [],
    runs: left.runs.filter((run) => isOurs(run.title)),
    status: '',
    hung: left.hung,
    modelCalls: desk.seen.flatMap(({ route, status, at, body }) =>
      route === 'model' && status === 200 && isOurs(body) ? [at] : [],
    ),
  };
}

/** Files move with the run: each step that a run took stands in a branch once, and no thread is without a run and its report. */
function findLost(
  { runs, thread, branches, sayings }: Evidence,
  { steps }: ClusterThread,
): readonly string[] {
  const finals = thread.comments.filter(({ body }) =>
    /<!-- agent-comment: run:[0-9a-f-]{36}:final/.test(body),
  );
  const isStopped = sayings.some(({ command }) => command === 'stop');
  const logs = branches.flatMap(({ log }) => log ?? []);
  const missing = steps.filter((step) => logs.filter((line) => line === `step ${step}`).length !== 1);
  return [
    ...(runs.length === 1 ? [] : [`it has ${runs.length} runs, not one`]),
    ...(finals.length === 1 ? [] : [`it has ${finals.length} final comments, not one`]),
    ...runs
      .filter(({ place }) => place !== 'completed')
      .map(({ uuid, place }) => `run ${uuid} is still ${place}`),
    ...(isStopped || missing.length === 0
      ? []
      : [`steps ${missing.join(', ')} do not stand in a branch once`]),
    ...(thread.labels.includes('coding agent processing') ? ['its label says processing'] : []),
  ];
}
