import type { InterruptedRun, RecentRun, RunControls, RunOverview, RunReader } from '@agent/run-store';
import type { ShownMessage } from '../host/open-records.ts';
import type { RunLogger } from '../host/ports.ts';
import type { HeldRun } from '../listening/paused-listener.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { type QueueEntry, toThreadKey } from './queue-entry.ts';

export interface FailedRunsOptions {
  readonly reader: RunReader<ShownMessage>;
  readonly controls: RunControls;
  readonly platforms: readonly ConfiguredPlatform[];
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** Runs that failed, as far as they can be gone on from: the last one of its thread, when nothing else runs there. */
export interface FailedRuns {
  /** Those that failed in the last days, whose threads are listened to for `/retry`. */
  readonly listHeld: () => Promise<readonly HeldRun[]>;
  /** Those that somebody asked to go on from. A request that can no longer be met is said, and forgotten. */
  readonly listRetries: () => Promise<readonly QueueEntry[]>;
}

/** Ended runs that are read, and threads that are listened to, at most. */
const searchedRuns = 200;
const maxListened = 20;
const listenedMs = 7 * 86_400_000;

/** Creates the list of runs that failed. */
export function createFailedRuns(options: FailedRunsOptions): FailedRuns {
  const { reader, controls, platforms, logger } = options;
  const findPlatform = ({ host }: EndedRun) => platforms.find((one) => one.platform.host === host);
  return {
    listHeld: async () => {
      const since = options.now() - listenedMs;
      const failed = listRetriable(await reader.readOverview({ recent: searchedRuns }))
        .filter(({ finishedAt }) => finishedAt !== null && Date.parse(finishedAt) >= since)
        .slice(0, maxListened);
      const held = await Promise.all(
        failed.map(async (run) => {
          const platform = findPlatform(run);
          if (platform === undefined) return [];
          const { metadata } = await reader.readRun(run.uuid);
          return [{ paused: { uuid: run.uuid, metadata }, platform, standing: 'failed' as const }];
        }),
      );
      return held.flat();
    },
    listRetries: async () => {
      const asked = (await controls.list()).filter(({ verb }) => verb === 'retry');
      if (asked.length === 0) return [];
      const retriable = listRetriable(await reader.readOverview({ recent: searchedRuns }));
      const tasks = asked.map(async ({ uuid }) => {
        const run = retriable.find((one) => one.uuid === uuid);
        const platform = run && findPlatform(run);
        if (run !== undefined && platform !== undefined) {
          const { host } = run;
          return [
            { key: toThreadKey(host, run.taskKeyText), kind: 'retry', platform: host, runId: uuid } as const,
          ];
        }
        logger.warn({ run: uuid }, 'ignored retry: task has a newer run');
        await controls.remove(uuid, ['retry']);
        return [];
      });
      return (await Promise.all(tasks)).flat();
    },
  };
}

/** A run that has ended, settled or not. */
type EndedRun = Pick<RecentRun, 'uuid' | 'host' | 'taskKeyText' | 'status' | 'createdAt' | 'finishedAt'>;

/** The last run of each thread, where it failed and none is under way. */
export function listRetriable({ running, pausing, paused, recent }: RunOverview): readonly EndedRun[] {
  const nameOf = (run: { readonly host: string; readonly taskKeyText: string }) =>
    `${run.host} ${run.taskKeyText}`;
  const atWork = running.filter(({ outcome }) => outcome === null);
  const taken = new Set([...atWork, ...pausing, ...paused].map(({ metadata }) => nameOf(metadata)));
  const ended: readonly EndedRun[] = [...running.flatMap(toEnded), ...recent];
  const last = ended.toSorted(compareLatestFirst).filter((run) => {
    const name = nameOf(run);
    if (taken.has(name)) return false;
    taken.add(name);
    return true;
  });
  return last.filter(({ status }) => status === 'failed');
}

/** One of which something is open. */
function toEnded({ uuid, metadata, outcome }: InterruptedRun): readonly EndedRun[] {
  if (outcome === null) return [];
  const { host, taskKeyText, createdAt } = metadata;
  const { status, finishedAt } = outcome;
  return [{ uuid, host, taskKeyText, createdAt, status, finishedAt }];
}

function compareLatestFirst(one: EndedRun, other: EndedRun): number {
  const [a, b] = [one, other].map(({ finishedAt, createdAt }) => Date.parse(finishedAt ?? createdAt));
  return (b ?? 0) - (a ?? 0);
}
