import type { ControlVerb, PausedRuns, RunControls, RunStore } from '@agent/run-store';
import { isPauseSignaled } from '@agent/run-store/file';
import type { RunSignals } from '@agent/runner';
import type { ModelMessage } from 'ai';

// The order in which the record of a run changes, whoever carries it: the daemon, or an agent of somebody's own.

/** Watches for the file that makes everything on this host pause. */
export function watchPauseSignal(file: string): RunSignals {
  return { read: async () => ((await isPauseSignaled(file)) ? 'pause' : 'none') };
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
  { uuid, show }: { readonly uuid: string; readonly show: (resumeCount: number) => Promise<void> },
): Promise<{ readonly resumeCount: number }> {
  const pause = { lastError: null, planningState: null };
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
