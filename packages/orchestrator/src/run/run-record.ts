import type {
  ControlVerb,
  Json,
  OpenRun,
  PausedRuns,
  PauseSignal,
  RecordPosition,
  RunControls,
  RunStore,
} from '@agent/run-store';
import type { RunSignals } from '@agent/runner';
import type { ModelMessage } from 'ai';
import { z } from 'zod';

// The order in which the record of a run changes, whoever carries it: the daemon, or an agent of somebody's own.

/** Watches for the signal that makes everything pause. */
export function watchPauseSignal({ isSet }: Pick<PauseSignal, 'isSet'>): RunSignals {
  return { read: async () => ((await isSet()) ? 'pause' : 'none') };
}

/**
 * Watches for what is asked of one run by other commands. A pause stays asked until somebody resumes the run; a stop is
 * removed by whoever ends it.
 */
export function watchControls({
  uuid,
  controls,
}: {
  readonly uuid: string;
  readonly controls: Pick<RunControls, 'read'>;
}): RunSignals {
  return {
    read: async () => {
      const verbs = await controls.read(uuid);
      if (verbs.includes('pause')) return 'pause';
      return verbs.includes('stop') ? 'stop' : 'none';
    },
  };
}

/** Tells whether a paused run stays so: somebody's request keeps it there, and nobody has told it to stop. */
export function isHeldPaused(verbs: readonly ControlVerb[]): boolean {
  return verbs.includes('pause') && !verbs.includes('stop');
}

/** Takes back what paused a run that was resumed; a stop stays asked. */
export function forgetPause(controls: Pick<RunControls, 'remove'>, uuid: string): Promise<void> {
  return controls.remove(uuid, ['pause', 'resume']);
}

/**
 * Pauses a run: its state is committed, then shown, then its directory moves, so that a crash at any moment leaves it
 * paused or at work. `show` is called again for a pause that a crash cut short.
 *
 * @throws ContextStoreError when the state cannot be saved: the run is not paused and goes on
 */
export async function commitPause(
  store: Pick<PausedRuns<ModelMessage>, 'commitPause' | 'pause'>,
  {
    uuid,
    show,
    planningState = null,
  }: {
    readonly uuid: string;
    readonly show: (resumeCount: number) => Promise<void>;
    /** Default null: a run without a plan. */
    readonly planningState?: Json;
  },
): Promise<{ readonly resumeCount: number }> {
  const pause = { lastError: null, planningState };
  const { resumeCount } = await store.commitPause(uuid, pause);
  await show(resumeCount);
  await store.pause(uuid, pause);
  return { resumeCount };
}

/** Moves a run that ended and was shown, and forgets what was asked of it: nobody can do that any more. */
export async function putAway(
  {
    store,
    controls,
  }: {
    readonly store: Pick<RunStore<ModelMessage>, 'finish'>;
    readonly controls: Pick<RunControls, 'remove'>;
  },
  uuid: string,
): Promise<void> {
  const forgetRequests = () => controls.remove(uuid, ['pause', 'resume', 'stop', 'settle']);
  // Before the move, so that a crash in between leaves nothing behind; after it, what was asked meanwhile.
  await forgetRequests();
  await store.finish(uuid);
  await forgetRequests();
}

const behindName = 'record-behind';
const behindSchema = z.object({ line: z.number() });

/** Lost part of a run's record, as far as it can still be read. */
export interface LostPart {
  /** Names of the tools that were started in it. */
  readonly tools: readonly string[];
  /** Number of comments that were delivered to the model in it. */
  readonly comments: number;
  /** Outcome that it contained; null without one. */
  readonly ended: string | null;
}

/** Part of a run's record that is lost: what it said may have happened, and may happen once more. */
export interface RecordLoss extends LostPart {
  /** Number of the first line that is lost, as far as that is known. */
  readonly line: number;
}

/** Notices that a record is shorter than it was: its tail is lost, or its directory was restored from a backup. */
export interface RecordCheck {
  /** Compares the place that the thread shows with the one at which this process opened the record, and keeps what it finds. */
  readonly compare: (noted: RecordPosition) => Promise<void>;
  /** Finds the loss that the model was not told of yet; null where there is none. */
  readonly findUntold: () => Promise<RecordLoss | null>;
  /**
   * Requires that no write has found the run taken over by another process: from then on nothing of it is ours to tell.
   * @throws ContextStoreError `owned`, as the write was refused
   */
  readonly requireOwned: () => void;
}

/** Creates the check of a record that was just opened. */
export function createRecordCheck({
  journal,
  damage,
  position,
  requireOwned,
}: Pick<OpenRun<ModelMessage>, 'journal' | 'damage' | 'position'> &
  Pick<RecordCheck, 'requireOwned'>): RecordCheck {
  const opened = position();
  const findBehind = async (): Promise<RecordLoss | null> => {
    let behind: RecordLoss | null = null;
    for await (const entry of journal.read({ facts: [behindName] })) {
      if (entry.type === 'message') behind = null;
      if (entry.type !== 'fact' || entry.name !== behindName) continue;
      const { line } = behindSchema.parse(entry.data);
      behind = { line, tools: [], comments: 0, ended: null };
    }
    return behind;
  };
  return {
    requireOwned,
    compare: async ({ line, check }) => {
      const isThere = line < opened.line || (line === opened.line && check === opened.check);
      if (isThere || (await findBehind()) !== null) return;
      await journal.append({ type: 'fact', name: behindName, data: { line: opened.line + 1, noted: line } });
    },
    findUntold: async () => {
      if (damage === null) return findBehind();
      const { tools, delivers, ended } = damage.evidence;
      const names = tools.map(({ tool }) => tool);
      return { line: damage.line, tools: names, comments: delivers.length, ended };
    },
  };
}
