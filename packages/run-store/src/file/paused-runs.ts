import { basename, dirname, join } from 'node:path';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { replaceFile } from '../disk/files.ts';
import { isRunDirectory, moveDirectory } from '../disk/run-directories.ts';
import type { FileRunJournalOptions } from '../journal/journal-writer.ts';
import { type RecordReading, readWhole } from '../journal/record-reading.ts';
import type { MessageLike } from '../journal-model.ts';
import { formatDocument } from '../lines/run-documents.ts';
import {
  type NewPause,
  type TaskState,
  toPausedState,
  toResumedState,
  toTaskStateFile,
} from '../lines/task-state.ts';
import { type RunPlaces, toJournalFiles } from '../places.ts';
import type { PausedRuns, ResumedRun } from '../ports.ts';
import { readRunFacts } from '../record/run-record.ts';
import { requireUuid } from '../run-uuid.ts';
import { hasEnded, isMissing, isThereTwice } from '../store/run-errors.ts';
import { listPausedDirectories, readPausedState } from './list-runs.ts';
import type { RunOpener } from './run-opener.ts';
import { whileStateRests } from './run-state.ts';

/**
 * Pausing and resuming. `task_state.json` is written where the directory lies in `running/`, before the move of a
 * pause and after that of a resume: whatever a crash leaves is a pause that only has to be moved.
 */
export function createPausedRuns<Message extends MessageLike>(
  parts: RunStoreParts<Message>,
): PausedRuns<Message> {
  const { places, opener, options } = parts;
  const { now = Date.now, afterSync, logger } = options;
  const timestamp = () => new Date(now()).toISOString();
  const runningPath = (uuid: string) => join(places.running, uuid);
  const pausedPath = (uuid: string) => join(places.paused, uuid);

  async function writeState(uuid: string, state: TaskState): Promise<TaskState> {
    const directory = runningPath(uuid);
    const file = toTaskStateFile(state);
    await opener.appendFact(directory, {
      name: state.status === 'paused' ? 'paused' : 'resumed',
      data: file,
    });
    afterSync?.({ uuid, file: 'messages.jsonl' });
    const path = toJournalFiles(directory).taskState;
    await replaceFile(path, formatDocument(file), { sync: false }).catch((err: unknown) =>
      logger?.warn({ err, path }, 'failed to update derived file; rewriting it at next open'),
    );
    return state;
  }

  async function commitPause(uuid: string, pause: NewPause): Promise<TaskState> {
    requireUuid(uuid);
    const directory = runningPath(uuid);
    if (!(await isRunDirectory(directory))) throw isMissing(uuid, places.running);
    const { outcome, pause: earlier, metadata } = await readRunFacts(directory);
    if (outcome !== null && outcome.status !== 'needs_input') throw hasEnded(uuid);
    if (earlier?.status === 'paused') return earlier;
    const contextPath = toContextPath(places.paused, uuid);
    return writeState(uuid, toPausedState(pause, { metadata, earlier, pausedAt: timestamp(), contextPath }));
  }

  async function pause(uuid: string, newPause: NewPause): Promise<TaskState> {
    requireUuid(uuid);
    if (!(await isRunDirectory(runningPath(uuid))) && (await isRunDirectory(pausedPath(uuid)))) {
      return readPausedState(pausedPath(uuid));
    }
    const state = await commitPause(uuid, newPause);
    await opener.settle(uuid);
    const move = () => moveDirectory(runningPath(uuid), pausedPath(uuid));
    await whileStateRests(runningPath(uuid), move).catch(async (error: unknown) => {
      await writeState(uuid, { ...state, status: 'running' }).catch((err: unknown) =>
        logger?.warn({ err, uuid }, 'failed to roll back pause; completing it at next start'),
      );
      throw error;
    });
    await opener.forget(uuid);
    afterSync?.({ uuid, file: 'paused' });
    return state;
  }

  async function resume(uuid: string): Promise<ResumedRun<Message>> {
    requireUuid(uuid);
    const isMoved = await isRunDirectory(runningPath(uuid));
    if (isMoved && (await isRunDirectory(pausedPath(uuid)))) throw isThereTwice(uuid);
    const reading = isMoved ? null : await moveBack(uuid);
    const { pause: state } = reading?.facts ?? (await readRunFacts(runningPath(uuid)));
    if (state === null) throw wasNeverPaused(uuid);
    const resumed =
      state.status === 'paused' ? await writeState(uuid, toResumedState(state, timestamp())) : state;
    return { ...(await opener.open(uuid, { kind: 'left', reading })), pause: resumed };
  }

  async function moveBack(uuid: string): Promise<RecordReading<Message> | null> {
    const directory = pausedPath(uuid);
    if (!(await isRunDirectory(directory))) {
      if (await isRunDirectory(join(places.completed, uuid))) throw hasEnded(uuid);
      throw isMissing(uuid, places.paused);
    }
    await readPausedState(directory);
    // What cannot be read stays where it is, instead of failing in running/ at every start.
    const reading = await readWhole(toJournalFiles(directory), options);
    await moveDirectory(directory, runningPath(uuid));
    afterSync?.({ uuid, file: 'running' });
    return reading;
  }

  return {
    commitPause: (uuid, newPause) =>
      translated(commitPause(uuid, newPause), `save the pause of run ${uuid} in "${places.running}"`),
    pause: (uuid, newPause) => translated(pause(uuid, newPause), `move run ${uuid} to "${places.paused}"`),
    listPaused: () => translated(listPausedDirectories(places.paused), `list the runs in "${places.paused}"`),
    resume: (uuid) => translated(resume(uuid), `resume run ${uuid} from "${places.paused}"`),
  };
}

/** As the original writes it, `contexts/paused/{uuid}`: a base directory may be moved as a whole. */
function toContextPath(paused: string, uuid: string): string {
  return [basename(dirname(paused)), basename(paused), uuid].join('/');
}

/** Parts that a store shares with its paused runs. */
interface RunStoreParts<Message> {
  readonly places: RunPlaces;
  readonly opener: RunOpener<Message>;
  readonly options: FileRunJournalOptions<Message>;
}

function wasNeverPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is running and was never paused. Restore it instead.`, {
    code: 'invalid',
  });
}
