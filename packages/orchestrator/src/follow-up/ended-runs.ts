import type { RecentRun, RunOverview, RunReader } from '@agent/run-store';
import type { Locale } from '@agent/text';
import { parseStopCause } from '../run/run-ending.ts';
import { parseFactsJson } from '../run/run-facts.ts';
import type { StopCause } from '../run/watch-thread.ts';

/** A run that has ended, with what its threads are polled for. */
export interface EndedRun extends Pick<RecentRun, 'uuid' | 'host' | 'taskKeyText' | 'status'> {
  /** ISO 8601. */
  readonly endedAt: string;
  readonly stopCause: StopCause | null;
  readonly locale: Locale;
  /** Time (ISO 8601), by the platform's clock, at which the thread was given to the run; null where that is not known. */
  readonly givenAt: string | null;
}

export interface EndedRunsOptions {
  readonly reader: Pick<RunReader<unknown>, 'readOverview' | 'readRun'>;
  /** False if only a reopened thread begins another run. */
  readonly hears: boolean;
}

/** Ended runs that are searched. */
const searchedRuns = 500;

/** Creates what lists the last run of each thread that users can continue, by `host thread`. `since`: milliseconds since 1970. */
export function createEndedRuns({ reader, hears }: EndedRunsOptions) {
  const known = new Map<string, EndedRun>();
  const read = async (run: RecentRun): Promise<EndedRun | null> => {
    const ended = known.get(run.uuid) ?? (await readEnded(reader, run).catch(() => null));
    if (ended !== null) known.set(run.uuid, ended);
    return ended;
  };
  return async ({ since }: { readonly since: number }): Promise<ReadonlyMap<string, EndedRun>> => {
    const runs = findEnded(await reader.readOverview({ recent: searchedRuns }), { since });
    const uuids = new Set([...runs.values()].map(({ uuid }) => uuid));
    for (const uuid of known.keys()) if (!uuids.has(uuid)) known.delete(uuid);
    const continued = new Map<string, EndedRun>();
    for (const [name, run] of runs) {
      const isStopped = run.status === 'stopped';
      if (!isStopped && !hears) continue;
      const ended = await read(run);
      // Only a run that was stopped by closing its thread is resumed by reopening it.
      if (ended !== null && (!isStopped || ended.stopCause === 'closed')) continued.set(name, ended);
    }
    return continued;
  };
}

async function readEnded({ readRun }: EndedRunsOptions['reader'], run: RecentRun): Promise<EndedRun> {
  const { uuid, host, taskKeyText, status, finishedAt, createdAt } = run;
  const { metadata, outcome } = await readRun(uuid);
  const { locale, handover } = parseFactsJson(metadata.extra);
  return {
    ...{ uuid, host, taskKeyText, status, locale, endedAt: finishedAt ?? createdAt },
    stopCause: parseStopCause({ details: outcome?.details }),
    givenAt: handover?.at ?? null,
  };
}

/** Finds the last run of each thread that has ended lately, by host and thread; none where another run is there. */
function findEnded(
  { running, pausing, paused, recent }: RunOverview,
  { since }: { readonly since: number },
): ReadonlyMap<string, RecentRun> {
  const nameOf = ({ host, taskKeyText }: Pick<RecentRun, 'host' | 'taskKeyText'>) => `${host} ${taskKeyText}`;
  const taken = new Set([...running, ...pausing, ...paused].map(({ metadata }) => nameOf(metadata)));
  const ended = new Map<string, RecentRun>();
  for (const run of recent) {
    const name = nameOf(run);
    if (taken.has(name)) continue;
    taken.add(name);
    const isLate = run.finishedAt === null || Date.parse(run.finishedAt) < since;
    if (!isLate && run.status !== null) ended.set(name, run);
  }
  return ended;
}
