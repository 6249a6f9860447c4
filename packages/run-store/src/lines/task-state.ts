import { z } from 'zod';
import { jsonObject, jsonValue, orNull, timeText, toCamelCase, toSnakeCase } from '../disk/stored-values.ts';
import type { Json, JsonObject, RunMetadata } from '../run-model.ts';

/** `task_state.json`: there once a run was paused, and moved along with it. @see spec PAUSE_RESUME */
export interface TaskState {
  readonly taskKey: JsonObject;
  readonly uuid: string;
  readonly user: string | null;
  /** ISO 8601, UTC; of the latest pause. How long a paused run is kept is the caller's to decide. */
  readonly pausedAt: string;
  /** `paused`, or `running` since it was resumed; anything else was written by somebody else. */
  readonly status: string;
  /** Times that the run was resumed, over all its pauses. */
  readonly resumeCount: number;
  /** ISO 8601, UTC; null before the first time. */
  readonly resumedAt: string | null;
  readonly lastError: string | null;
  /** The directory while the run is paused. */
  readonly contextPath: string;
  /** State that a planning mode resumes from; null for a run without one. */
  readonly planningState: Json;
}

/** A run that is paused, or about to be. */
export interface PausedRun {
  readonly uuid: string;
  readonly metadata: RunMetadata;
  readonly state: TaskState;
}

/** Pause, as its caller knows it. */
export interface NewPause {
  readonly lastError: string | null;
  /** In the caller's own snake_case; null for a run without a plan. */
  readonly planningState: Json;
}

/** The state of a run that is paused now; what it was resumed before stays counted. */
export function toPausedState(
  pause: NewPause,
  options: {
    readonly metadata: RunMetadata;
    readonly earlier: TaskState | null;
    readonly pausedAt: string;
    readonly contextPath: string;
  },
): TaskState {
  const { metadata, earlier, pausedAt, contextPath } = options;
  return {
    taskKey: metadata.taskKey,
    uuid: metadata.uuid,
    user: metadata.user,
    pausedAt,
    status: 'paused',
    resumeCount: earlier?.resumeCount ?? 0,
    resumedAt: earlier?.resumedAt ?? null,
    lastError: pause.lastError,
    contextPath,
    planningState: pause.planningState,
  };
}

/** The state of a run that goes on after a pause. */
export function toResumedState(state: TaskState, resumedAt: string): TaskState {
  return { ...state, status: 'running', resumeCount: state.resumeCount + 1, resumedAt };
}

/** Fields of `task_state.json`, in their order. */
const stateShape = {
  task_key: jsonObject,
  uuid: z.string(),
  user: z.string().nullable(),
  paused_at: timeText,
  status: z.string(),
  resume_count: z.number().int().nonnegative(),
  resumed_at: orNull(timeText),
  last_error: z.string().nullable(),
  context_path: z.string(),
  planning_state: orNull(jsonValue),
};
const stateSchema = z.object(stateShape);

/** Reads the contents of `task_state.json` back. @throws when it is no state */
export function parseTaskState(json: unknown): TaskState {
  return toCamelCase(stateSchema.parse(json));
}

/** Makes the contents of `task_state.json`; what is unknown is left out. */
export function toTaskStateFile(state: TaskState): Json {
  const fields = Object.entries(toSnakeCase(stateShape, state));
  const isLeftOut = (name: string) => name === 'resumed_at' || name === 'planning_state';
  return Object.fromEntries(fields.filter(([name, value]) => value !== null || !isLeftOut(name)));
}
