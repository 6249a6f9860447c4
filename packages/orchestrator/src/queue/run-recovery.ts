import type { PausedRun, PausedRuns, RunControls, RunMetadata, RunStore } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { PausedListener } from '../inbox/paused-listener.ts';
import type { RunLogger } from '../ports.ts';
import type { ConfiguredPlatform } from '../run/run.ts';
import { type LoadRunParts, toPausedTask, toPausingTask, toUnfinishedTask } from '../run/task-factory.ts';
import type { FailedRuns } from './list-failed-runs.ts';
import type { PendingTask } from './pending-task.ts';

export interface KeptRunsOptions {
  readonly load: LoadRunParts;
  readonly store: RunStore<ModelMessage> & PausedRuns<ModelMessage>;
  readonly controls: RunControls;
  readonly platforms: readonly ConfiguredPlatform[];
  /** Hears what people command the runs that somebody keeps paused. */
  readonly listener: PausedListener;
  readonly failed: FailedRuns;
  /** Days after which a paused run is not resumed any more. */
  readonly pausedTaskExpiryDays: number;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** A paused run as the daemon sees it. */
export interface KeptPause {
  readonly task: PendingTask;
  /** True while somebody's request keeps it paused; it goes on when that is taken back or its thread is labelled again. */
  readonly held: boolean;
}

export interface KeptRuns {
  /** Runs that an earlier process left in running/. Not to be asked while a run is being begun. */
  readonly listUnfinished: () => Promise<readonly PendingTask[]>;
  /** Runs in paused/, the longest paused first. */
  readonly listPaused: () => Promise<readonly KeptPause[]>;
  /** Runs that failed and that somebody asked to go on from. */
  readonly listRetries: () => Promise<readonly PendingTask[]>;
}

const dayMs = 86_400_000;

/** What this machine keeps of earlier work. What cannot be gone on with is said once, and left where it is. */
export function createKeptRuns(options: KeptRunsOptions): KeptRuns {
  const { load, store, controls, logger } = options;
  const said = new Set<string>();
  const givenUp = new Set<string>();
  const sayOnce = (id: string, fields: object, message: string): void => {
    if (said.has(`${id} ${message}`)) return;
    said.add(`${id} ${message}`);
    logger.error({ run: id, ...fields }, message);
  };
  const findPlatform = (uuid: string, { host }: RunMetadata): readonly ConfiguredPlatform[] => {
    const platform = options.platforms.find((one) => one.platform.host === host);
    if (platform !== undefined) return [platform];
    sayOnce(uuid, { host }, 'a run belongs to a platform that is not configured');
    return [];
  };
  const mayGoOn = ({ uuid, state: { pausedAt } }: PausedRun): boolean => {
    if (givenUp.has(uuid)) return false;
    const days = (options.now() - Date.parse(pausedAt)) / dayMs;
    if (days <= options.pausedTaskExpiryDays) return true;
    sayOnce(uuid, { pausedAt }, 'a paused run has expired and is not resumed');
    return false;
  };
  return {
    listRetries: options.failed.listRetries,
    listUnfinished: async () => {
      const { runs, pausing, damaged } = await store.listUnfinished();
      for (const { name, reason } of damaged) sayOnce(name, { reason }, 'a run in running/ cannot be read');
      return [
        ...pausing.flatMap((run) =>
          findPlatform(run.uuid, run.metadata).map((platform) =>
            toPausingTask(load, { pausing: run, platform }),
          ),
        ),
        ...runs.flatMap((run) =>
          findPlatform(run.uuid, run.metadata).map((platform) =>
            toUnfinishedTask(load, { unfinished: run, platform }),
          ),
        ),
      ];
    },
    listPaused: async () => {
      const { runs, damaged } = await store.listPaused();
      for (const { name, reason } of damaged) sayOnce(name, { reason }, 'a paused run cannot be read');
      const resumable = runs
        .filter(mayGoOn)
        .flatMap((paused) =>
          findPlatform(paused.uuid, paused.metadata).map((platform) => ({ paused, platform })),
        );
      const held = findHeld(resumable, await controls.list());
      await options.listener.listen([...held, ...(await options.failed.listHeld())]);
      const stillHeld = held.length === 0 ? held : findHeld(held, await controls.list());
      return resumable.map((run) => ({
        task: toPausedTask(load, { ...run, giveUp: () => givenUp.add(run.paused.uuid) }),
        held: stillHeld.includes(run),
      }));
    },
  };
}

interface PausedHere {
  readonly paused: PausedRun;
  readonly platform: ConfiguredPlatform;
}

/** Those that somebody's request keeps paused, and nobody has told to stop. */
function findHeld(
  runs: readonly PausedHere[],
  asked: Awaited<ReturnType<RunControls['list']>>,
): readonly PausedHere[] {
  return runs.filter(({ paused }) => {
    const verbs = asked.filter(({ uuid }) => uuid === paused.uuid).map(({ verb }) => verb);
    return verbs.includes('pause') && !verbs.includes('stop');
  });
}
