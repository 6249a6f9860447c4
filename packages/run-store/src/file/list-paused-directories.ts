import { ContextStoreError } from '../context-store-error.ts';
import type { DamagedRun } from '../run-model.ts';
import type { PausedRun, TaskState } from '../task-state.ts';
import { readRunDirectories } from './list-run-directories.ts';
import { readMetadata } from './run-directory.ts';
import { readTaskState } from './task-state-file.ts';

/** The runs that are paused, the longest first; changes nothing. */
export async function listPausedDirectories(
  paused: string,
): Promise<{ readonly runs: readonly PausedRun[]; readonly damaged: readonly DamagedRun[] }> {
  const { found, damaged } = await readRunDirectories(paused, async (directory, uuid) => ({
    uuid,
    metadata: await readMetadata(directory),
    state: await readPausedState(directory, uuid),
  }));
  return { runs: found.toSorted((a, b) => (a.state.pausedAt < b.state.pausedAt ? -1 : 1)), damaged };
}

/** @throws {ContextStoreError} `damaged` when the directory does not say that its run is paused */
export async function readPausedState(directory: string, uuid: string): Promise<TaskState> {
  const state = await readTaskState(directory, uuid);
  if (state?.status === 'paused') return state;
  const found = state === null ? 'has no task_state.json' : `has the status ${JSON.stringify(state.status)}`;
  const message = `"${directory}" ${found}, so that it is not resumed. Put a task_state.json with the status "paused" there, or move the directory away.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}
