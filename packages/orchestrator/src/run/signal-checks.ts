import type { RunSettings } from '../config/run-settings.ts';

/** Frequency of the questions: at every checkpoint for 1, at every fifth for 5, never for 0. */
export interface SignalChecks {
  readonly pauseEveryNth: number;
  readonly threadEveryNth: number;
  /** Milliseconds between two looks at the thread, at least. */
  readonly threadIntervalMs: number;
}

/** Converts the settings. */
export function toSignalChecks({
  pause_resume: pause,
  task_stop: stop,
}: Pick<RunSettings, 'pause_resume' | 'task_stop'>): SignalChecks {
  return {
    pauseEveryNth: pause.enabled ? pause.check_interval : 0,
    threadEveryNth: stop.enabled ? stop.check_interval : 0,
    threadIntervalMs: stop.min_check_interval_seconds * 1_000,
  };
}
