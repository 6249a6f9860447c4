import { formatTaskKey, parseTaskKeyJson, type TaskKey } from '@agent/platforms';
import type { RecentRun, RunOverview, RunReader } from '@agent/run-store';
import type { Locale } from '@agent/text';
import { parseRequestNumber, parseStopCause } from '../run/run-ending.ts';
import { parseFactsJson } from '../run/run-facts.ts';
import type { StopCause } from '../run/watch-thread.ts';
import { toRequestKey } from './followed-request.ts';

/** A run that has ended, with what its threads are polled for. */
export interface EndedRun extends Pick<RecentRun, 'uuid' | 'host' | 'taskKeyText' | 'status'> {
  /** ISO 8601. */
  readonly endedAt: string;
  readonly stopCause: StopCause | null;
  readonly locale: Locale;
  /** Pull or merge request of the task, as `formatTaskKey` writes it; null if there is none. */
  readonly request: string | null;
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

/** Runs of one task that are searched for its pull or merge request. */
const searchedForRequest = 10;

/**
 * Creates what lists the last run of each thread that users can continue, by `host thread`: the issue and its pull or merge request. `since`:
 * milliseconds since 1970.
 */
export function createEndedRuns({ reader, hears }: EndedRunsOptions) {
  const known = new Map<string, EndedRun>();
  const read = async (run: RecentRun): Promise<EndedRun | null> => {
    const ended = known.get(run.uuid) ?? (await readEnded(reader, run).catch(() => null));
    if (ended !== null) known.set(run.uuid, ended);
    return ended;
  };
  const findRequest = async (runs: readonly RecentRun[]): Promise<string | null> => {
    for (const run of runs.slice(0, searchedForRequest)) {
      const { request = null } = (await read(run)) ?? {};
      if (request !== null) return request;
    }
    return null;
  };
  return async ({ since }: { readonly since: number }): Promise<ReadonlyMap<string, EndedRun>> => {
    const tasks = findEnded(await reader.readOverview({ recent: searchedRuns }), { since });
    const uuids = new Set([...tasks.values()].flat().map(({ uuid }) => uuid));
    for (const uuid of known.keys()) if (!uuids.has(uuid)) known.delete(uuid);
    const continued = new Map<string, EndedRun>();
    for (const [name, runs] of tasks) {
      const [run] = runs;
      if (run === undefined || (run.status !== 'stopped' && !hears)) continue;
      const ended = await read(run);
      if (ended === null) continue;
      // Only a run that was stopped by closing its thread is resumed by reopening it.
      if (run.status !== 'stopped' || ended.stopCause === 'closed') continued.set(name, ended);
      const request = run.status === 'stopped' ? null : await findRequest(runs);
      if (request !== null) continued.set(`${run.host} ${request}`, ended);
    }
    return continued;
  };
}

async function readEnded({ readRun }: EndedRunsOptions['reader'], run: RecentRun): Promise<EndedRun> {
  const { uuid, host, taskKeyText, status, finishedAt, createdAt } = run;
  const { metadata, outcome } = await readRun(uuid);
  const { locale, handover } = parseFactsJson(metadata.extra);
  const details = outcome?.details;
  return {
    ...{ uuid, host, taskKeyText, status, locale, endedAt: finishedAt ?? createdAt },
    stopCause: parseStopCause({ details }),
    request: toRequest(run, { key: parseTaskKeyJson(metadata.taskKey), details }),
    givenAt: handover?.at ?? null,
  };
}

/** A run on the pull or merge request itself is filed under its issue. */
function toRequest(
  { taskKeyText }: Pick<RecentRun, 'taskKeyText'>,
  { key, details }: { readonly key: TaskKey; readonly details: unknown },
): string | null {
  if (formatTaskKey(key) !== taskKeyText) return formatTaskKey(key);
  const number = parseRequestNumber({ details });
  const request = number === null ? null : toRequestKey(key, number);
  return request && formatTaskKey(request);
}

/** Finds the runs of each task whose last one has ended lately, by host and thread, newest first; none where another run is there. */
function findEnded(
  { running, pausing, paused, recent }: RunOverview,
  { since }: { readonly since: number },
): ReadonlyMap<string, readonly RecentRun[]> {
  const nameOf = ({ host, taskKeyText }: Pick<RecentRun, 'host' | 'taskKeyText'>) => `${host} ${taskKeyText}`;
  const taken = new Set([...running, ...pausing, ...paused].map(({ metadata }) => nameOf(metadata)));
  const tasks = Map.groupBy(recent, nameOf);
  for (const [name, [last]] of tasks) {
    const isLate = last?.finishedAt == null || Date.parse(last.finishedAt) < since;
    if (taken.has(name) || isLate || last.status === null) tasks.delete(name);
  }
  return tasks;
}
