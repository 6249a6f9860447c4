import { z } from 'zod';
import { replaceFile } from '../disk/replace-file.ts';
import { toJournalFiles } from '../journal/journal-files.ts';
import type { JsonObject } from '../run-model.ts';
import type { TaskState } from '../task-state.ts';
import { readFileIfThere, toDamaged } from './run-directory.ts';

const moment = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'not a time in ISO 8601');

const stateSchema = z
  .object({
    task_key: z.record(z.string(), z.json()),
    uuid: z.string(),
    user: z.string().nullable(),
    paused_at: moment,
    status: z.string(),
    resume_count: z.number().int().nonnegative(),
    resumed_at: moment.nullish(),
    last_error: z.string().nullable(),
    context_path: z.string(),
    planning_state: z.json().nullish(),
  })
  .transform((file) => ({
    taskKey: file.task_key as JsonObject,
    uuid: file.uuid,
    user: file.user,
    pausedAt: file.paused_at,
    status: file.status,
    resumeCount: file.resume_count,
    resumedAt: file.resumed_at ?? null,
    lastError: file.last_error,
    contextPath: file.context_path,
    planningState: file.planning_state ?? null,
  }));

/**
 * `task_state.json` of a run's directory; null when there is none.
 * @throws {ContextStoreError} `damaged` when it is no state, or another run's
 */
export async function readTaskState(directory: string, uuid: string): Promise<TaskState | null> {
  const path = toJournalFiles(directory).taskState;
  const text = await readFileIfThere(path);
  if (text === null) return null;
  const state = await Promise.resolve(text).then(parseTaskState).catch(toDamaged(path));
  if (state.uuid === uuid) return state;
  return toDamaged(path)(new Error(`it belongs to run ${state.uuid}`));
}

/** Writes `task_state.json` as a whole, synced. */
export function writeTaskState(directory: string, state: TaskState): Promise<void> {
  return replaceFile(toJournalFiles(directory).taskState, formatTaskState(state));
}

function parseTaskState(text: string): TaskState {
  return stateSchema.parse(JSON.parse(text));
}

function formatTaskState(state: TaskState): string {
  const file = {
    task_key: state.taskKey,
    uuid: state.uuid,
    user: state.user,
    paused_at: state.pausedAt,
    status: state.status,
    resume_count: state.resumeCount,
    ...(state.resumedAt === null ? {} : { resumed_at: state.resumedAt }),
    last_error: state.lastError,
    context_path: state.contextPath,
    ...(state.planningState === null ? {} : { planning_state: state.planningState }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
