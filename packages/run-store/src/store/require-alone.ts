import type { ThreadReference } from '@agent/platforms';
import type { InterruptedRun, NewRun } from '../run-model.ts';
import { hasOther } from './run-errors.ts';

/** Tells whether a run is about a thread. */
export function isOfThread({ taskKeyText, host }: ThreadReference, thread: ThreadReference): boolean {
  return taskKeyText === thread.taskKeyText && host === thread.host;
}

/**
 * Requires that none of these runs is at work on the thread of a run that is to be made.
 * @throws {ContextStoreError} `owned`
 */
export function requireAlone(runs: readonly InterruptedRun[], { uuid, ...thread }: NewRun): void {
  const other = runs.find(
    ({ metadata, outcome }) => outcome === null && metadata.uuid !== uuid && isOfThread(metadata, thread),
  );
  if (other !== undefined) throw hasOther(thread, other.uuid);
}
