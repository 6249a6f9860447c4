import type { Evidence, RunOnDisk } from '../kill/faults/evidence.ts';
import { type Conversation, readConversations } from '../kill/faults/model-log.ts';
import type { Cluster, ClusterThread, RunRow } from './cluster.ts';
import type { Outage } from './harm-log.ts';

/** All that a trial left about one thread. */
export interface ThreadEvidence extends Evidence {
  /** Numbers of the steps that its run was to take. */
  readonly steps: readonly number[];
}

interface LineRow {
  readonly uuid: string;
  readonly body: string;
}

interface Left {
  readonly runs: readonly (RunOnDisk & { readonly title: string })[];
  readonly branches: Evidence['branches'];
  readonly conversations: readonly Conversation[];
  readonly hung: number;
  readonly outages: readonly Outage[];
}

/** Reads what a cluster left, thread by thread, with nothing of the product's code. */
export async function collectEvidence(
  cluster: Cluster,
  more: Pick<Left, 'hung' | 'outages'>,
): Promise<readonly ThreadEvidence[]> {
  const left = await readLeft(cluster, more);
  return cluster.threads.map((thread) => toEvidence(cluster, { thread, left }));
}

async function readLeft(
  { world: { forge }, schema, listRuns, query, watcher }: Cluster,
  more: Pick<Left, 'hung' | 'outages'>,
): Promise<Left> {
  const rows: readonly RunRow[] = await listRuns();
  const lines = await query<LineRow>(`SELECT uuid::text, body FROM ${schema}.lines ORDER BY uuid, line`);
  const runs = rows.map(({ uuid, place }) => {
    const own = lines.filter((line) => line.uuid === uuid).map(({ body }) => body);
    return { uuid, place, lines: own, planning: null, outcome: null, title: own.join('\n') };
  });
  const names = (await forge.branches()).filter((name) => name !== 'main');
  const readLog = (name: string) => forge.readFile(name, 'log.txt').catch(() => null);
  const branches = await Promise.all(
    names.map(async (name) => ({ name, log: (await readLog(name))?.split('\n').filter(Boolean) ?? null })),
  );
  return { runs, branches, conversations: readConversations(watcher.requests), ...more };
}

function toEvidence(
  { world, watcher }: Cluster,
  {
    thread: { reference, title, people, steps },
    left,
  }: { readonly thread: ClusterThread; readonly left: Left },
): ThreadEvidence {
  const isOurs = (text: string | undefined): boolean => text?.includes(title) === true;
  /** Whoever is cut off hears no command meanwhile. */
  const wasCut = (by: string, at: number): boolean =>
    left.outages.some(({ process, from, to }) => process === by && at >= from && at <= to);
  return {
    ...{ reference, steps, sayings: people.sayings(), labels: people.labels() },
    thread: world.forge.thread(reference),
    conversations: left.conversations.filter(({ requests }) => isOurs(requests[0]?.[0])),
    branches: left.branches,
    strangeBranches: [],
    effects: [],
    runs: left.runs.filter((run) => isOurs(run.title)),
    status: '',
    hung: left.hung,
    modelCalls: watcher.requests.flatMap(({ route, status, at, body, by }) =>
      route === 'model' && status === 200 && isOurs(body) && !wasCut(by, at) ? [at] : [],
    ),
  };
}
