import { type Account, isSameAccount, type ThreadReader } from '@agent/platforms';
import type { RunControls } from '@agent/run-store';
import { isPauseSignalled } from '@agent/run-store/file';
import { combineSignals, type RunSignals, withCheckInterval } from '@agent/runner';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunLogger } from '../ports.ts';

/** What may interrupt one run, and what did. */
export interface RunControl {
  /** Asked at every checkpoint. */
  readonly signals: RunSignals;
  /** Whether the run was told to stop by taking the agent's assignment away. */
  readonly isUnassigned: () => boolean;
}

export interface RunControlSources {
  readonly uuid: string;
  readonly controls: RunControls;
  readonly pauseSignalFile: string;
  readonly reader: ThreadReader;
  /** Whether we were assigned when the run began. */
  readonly assigned: boolean;
  /** Who we are. */
  readonly ownAccount: () => Promise<Account>;
  readonly settings: Pick<RunSettings, 'pause_resume' | 'task_stop'>;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/**
 * Puts together what people can stop a run with: the pause signal's file, control files of other commands, and the
 * assignment on the thread. Which is asked how often is configured (RL-2, RL-3).
 */
export function createRunControl(sources: RunControlSources): RunControl {
  const { settings, now, logger } = sources;
  const { pause_resume: pause, task_stop: stop } = settings;
  const assignment = watchAssignment(sources);
  const signals = combineSignals(
    [
      withCheckInterval(watchPauseSignal(sources.pauseSignalFile), {
        everyNthCall: pause.enabled ? pause.check_interval : 0,
        now,
      }),
      watchControls(sources),
      withCheckInterval(assignment, {
        everyNthCall: stop.enabled ? stop.check_interval : 0,
        minIntervalMs: stop.min_check_interval_seconds * 1_000,
        now,
      }),
    ],
    { logger },
  );
  return { signals, isUnassigned: assignment.isUnassigned };
}

function watchPauseSignal(file: string): RunSignals {
  return { read: async () => ((await isPauseSignalled(file)) ? 'pause' : 'none') };
}

/** A pause stays asked until somebody resumes the run; a stop is removed by whoever ends it. */
function watchControls({ uuid, controls }: RunControlSources): RunSignals {
  return {
    read: async () => {
      const verbs = await controls.read(uuid);
      if (verbs.includes('pause')) return 'pause';
      return verbs.includes('stop') ? 'stop' : 'none';
    },
  };
}

/**
 * An unassignment counts only after this run has seen us assigned: a run that began by its label never was (X13).
 * What cannot be asked counts as still assigned.
 */
function watchAssignment({
  reader,
  assigned: assignedAtStart,
  ownAccount,
}: RunControlSources): RunSignals & Pick<RunControl, 'isUnassigned'> {
  let seen = assignedAtStart;
  let unassigned = false;
  return {
    isUnassigned: () => unassigned,
    read: async ({ signal }) => {
      const [{ assignees }, own] = [await reader.readThread({ signal }), await ownAccount()];
      const assigned = assignees.some((account) => isSameAccount(account, own));
      unassigned = seen && !assigned;
      seen ||= assigned;
      return unassigned ? 'stop' : 'none';
    },
  };
}
