import type { ServiceState } from '@agent/orchestrator';
import type { RunState } from '@agent/orchestrator/watch';

/** Current time of all situations, in milliseconds since 1970. */
export const now = Date.parse('2026-01-02T00:00:00Z');

/** A condition that a process reports. */
export interface ReportedCondition {
  readonly part: string;
  readonly state: 'ok' | 'waiting' | 'failed';
  readonly since: number;
  readonly reason: string | null;
  readonly measured_ms?: number;
}

/** A hold that a process reports. */
export interface ReportedHold {
  readonly cause: string;
  readonly scope: string | null;
  readonly since: number;
  readonly until: number | null;
}

/** A process of the service. */
export interface SituationProcess {
  readonly number: number;
  readonly role: 'look' | 'work' | 'both';
  /** Seconds since its last sign of life. Default 1; more than 30: it crashed. */
  readonly silentSeconds?: number;
  readonly conditions?: readonly ReportedCondition[];
  readonly holds?: readonly ReportedHold[];
  readonly running?: number;
}

/** Record of a run: where it is, and how it got there. */
export type SituationRecord =
  | 'none'
  | 'opened'
  | 'pending updates'
  | 'failed'
  | 'partial'
  | 'stopped'
  | 'completed'
  | 'paused'
  | 'approval'
  | 'answer'
  | 'held'
  | 'follow-up';

/** A state of the service and of one run that all views have to agree on. */
export interface Situation {
  readonly name: string;
  readonly processes: readonly SituationProcess[];
  /** Number of the process whose endpoints and web UI are asked; null if none can be. */
  readonly viewer: number | null;
  readonly isEnding?: boolean;
  readonly pausedBy?: string;
  readonly isQueued?: boolean;
  readonly record?: SituationRecord;
  readonly expected: {
    readonly status: ServiceState['status'];
    /** Causes with the minutes since their start; null if the start is unknown. */
    readonly causes?: Readonly<Record<string, number | null>>;
    readonly run?: RunState;
    /** Part of the reason of the run or of the queued task. */
    readonly reason?: string;
  };
}
