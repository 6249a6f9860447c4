import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, RunRow } from './cluster.ts';

/** What a run of a dead process waited for until another process had it, in milliseconds. */
export interface TakeoverWaits {
  /** Until the silence of its process was taken for death. */
  readonly silence: number;
  /** Until a process took it that had a place for it, and was not held back. */
  readonly place: number;
  /** Until that process had opened its record. */
  readonly opening: number;
}

/** By the promise of the guide: whoever dies is replaced within this. */
const longestTakeoverMs = 30_000;
const lookMs = 200;

/** A run's job in the queue. */
interface JobRow {
  readonly uuid: string;
  readonly state: string;
  readonly attempts: number;
}

interface Death {
  /** Runs that the process had. */
  readonly runs: readonly RunRow[];
  /** By `performance.now`. */
  readonly at: number;
  /** Gets what each run waited for. */
  readonly waits: TakeoverWaits[];
}

/** Of each run, after how long it was another's; null for those that were not in time. */
export async function awaitTakeover(
  cluster: Cluster,
  { runs, at, waits }: Death,
): Promise<readonly (number | null)[]> {
  const watched = runs.map(({ uuid, owner }) => ({ uuid, owner, stages: createStages() }));
  const took = runs.map((): number | null => null);
  while (took.includes(null) && performance.now() - at < longestTakeoverMs) {
    const [rows, jobs] = [await cluster.listRuns(), await listJobs(cluster, runs)];
    const ms = performance.now() - at;
    for (const [index, { uuid, owner, stages }] of watched.entries()) {
      if (took[index] !== null) continue;
      stages.see(
        jobs.find((job) => job.uuid === uuid),
        ms,
      );
      const now = rows.find((one) => one.uuid === uuid);
      if (now !== undefined && now.owner === owner && now.place === 'running') continue;
      took[index] = ms;
      waits.push(stages.end(ms));
    }
    if (took.includes(null)) await delay(lookMs);
  }
  return took;
}

/** Notes when the job of a run was given back, and when it was taken again. */
function createStages() {
  let attempts: number | null = null;
  let [offeredMs, begunMs]: (number | null)[] = [null, null];
  return {
    see: (job: JobRow | undefined, ms: number): void => {
      if (job === undefined) return;
      attempts ??= job.attempts;
      if (job.state !== 'active' || job.attempts > attempts) offeredMs ??= ms;
      if (job.state === 'active' && job.attempts > attempts) begunMs ??= ms;
    },
    end: (ms: number): TakeoverWaits => {
      const [offered, begun] = [offeredMs ?? ms, begunMs ?? ms];
      return { silence: offered, place: begun - offered, opening: ms - begun };
    },
  };
}

/** Finds the jobs of the threads that runs are about. */
async function listJobs(
  { query, schema }: Pick<Cluster, 'query' | 'schema'>,
  runs: readonly RunRow[],
): Promise<readonly JobRow[]> {
  const uuids = runs.map(({ uuid }) => `'${uuid}'`).join(', ');
  if (uuids === '') return [];
  return query<JobRow>(
    `SELECT l.uuid::text, j.state::text, j.retry_count AS attempts
     FROM ${schema}.lines l JOIN ${schema}_queue.job j
       ON j.state <= 'active' AND position(split_part(j.singleton_key, ' ', 2) || '"' in l.body) > 0
     WHERE l.line = (SELECT min(line) FROM ${schema}.lines WHERE uuid = l.uuid) AND l.uuid IN (${uuids})
       AND j.name = 'tasks' AND j.singleton_key NOT LIKE '% end of %'`,
  );
}
