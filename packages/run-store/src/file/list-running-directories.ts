import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toSystemCode } from '../disk/storage-error.ts';
import type { DamagedRun, UnfinishedRun } from '../run-model.ts';
import type { PausedRun } from '../task-state.ts';
import { isHalfMade } from './create-run-directory.ts';
import { readRunDirectories } from './list-run-directories.ts';
import { readMetadata, readOutcome } from './run-directory.ts';
import { readTaskState } from './task-state-file.ts';

export interface RunningDirectories {
  readonly runs: readonly UnfinishedRun[];
  readonly damaged: readonly DamagedRun[];
  readonly pausing: readonly PausedRun[];
}

/** What lies in `running/`, oldest first; changes nothing. */
export async function listRunningDirectories(running: string): Promise<RunningDirectories> {
  const { found, damaged } = await readRunDirectories(running, readRunningRun);
  const sorted = found.toSorted((a, b) => (a.run.metadata.createdAt < b.run.metadata.createdAt ? -1 : 1));
  return {
    runs: sorted.flatMap(({ run, state }) => (state === null ? [run] : [])),
    damaged,
    pausing: sorted.flatMap(({ run, state }) =>
      state === null ? [] : [{ uuid: run.uuid, metadata: run.metadata, state }],
    ),
  };
}

/** Removes what a crash left of directories in the making. */
export async function removeHalfMade(running: string): Promise<void> {
  const names = await readdir(running).catch((error: unknown) => {
    if (toSystemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter(isHalfMade)) {
    await rm(join(running, name), { recursive: true, force: true });
  }
}

async function readRunningRun(directory: string, uuid: string) {
  const metadata = await readMetadata(directory);
  const outcome = await readOutcome(directory);
  const state = await readTaskState(directory, uuid);
  const isGoingOn = outcome === null || outcome.status === 'paused';
  const isPausing = isGoingOn && state?.status === 'paused';
  return { run: { uuid, metadata, outcome }, state: isPausing ? state : null };
}
