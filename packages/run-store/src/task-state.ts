import type { Json, JsonObject, RunMetadata } from './run-model.ts';

/** `task_state.json`: there once a run was paused, and moved along with it. @see spec PAUSE_RESUME */
export interface TaskState {
  readonly taskKey: JsonObject;
  readonly uuid: string;
  readonly user: string | null;
  /** ISO 8601, UTC; of the latest pause. How long a paused run is kept is the caller's to decide. */
  readonly pausedAt: string;
  /** `paused`, or `running` since it was resumed; anything else was written by somebody else. */
  readonly status: string;
  /** How often the run was resumed, over all its pauses. */
  readonly resumeCount: number;
  /** ISO 8601, UTC; null before the first time. */
  readonly resumedAt: string | null;
  readonly lastError: string | null;
  /** The directory while the run is paused. */
  readonly contextPath: string;
  /** What a planning mode needs to go on; null for a run without one. */
  readonly planningState: Json;
}

/** A run that is paused, or about to be. */
export interface PausedRun {
  readonly uuid: string;
  readonly metadata: RunMetadata;
  readonly state: TaskState;
}

/** What the caller knows about a pause. */
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
