import type { BoardTask, EndStatus } from './board-event.ts';
import type { Condition } from './condition.ts';
import { emptyHistogram, type Histogram } from './histogram.ts';
import type { PreparationStage } from './preparation-stage.ts';

/** One task while this process works on it. */
export interface RunningTask extends BoardTask {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** How far it has come with pre-planning before its first step; null when it does not, or is. */
  readonly preparation: PreparationStage | null;
  readonly step: number;
  /** Whether the model is asked now. */
  readonly asking: boolean;
  /** The tool that runs now. */
  readonly tool: string | null;
  readonly tokens: number;
}

/** Looks for tasks at one platform. */
export interface PlatformLooks {
  readonly made: number;
  readonly failed: number;
}

export interface RequestCounts {
  readonly made: number;
  readonly unchanged: number;
}

/** What this process has done since it started; only ever grows. */
export interface BoardCounts {
  readonly runsStarted: number;
  readonly runsResumed: number;
  /** Of the runs started, those that took over earlier ones. */
  readonly runsInheriting: number;
  readonly inheritedTokens: Histogram;
  readonly inheritanceDepth: Histogram;
  readonly runsEnded: Readonly<Record<EndStatus, number>>;
  readonly modelCalls: number;
  readonly toolCalls: Readonly<Record<'success' | 'error', number>>;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What the daemon does now and has done so far. */
export interface BoardState {
  /** By uuid, oldest first. */
  readonly running: ReadonlyMap<string, RunningTask>;
  readonly counts: BoardCounts;
  readonly looks: ReadonlyMap<string, PlatformLooks>;
  readonly requests: ReadonlyMap<string, RequestCounts>;
  /** By part; one that is not in it has not been looked at yet. */
  readonly conditions: ReadonlyMap<string, Condition>;
  readonly ending: boolean;
}

/** A process that has done nothing yet. */
export const emptyBoard: BoardState = {
  running: new Map(),
  counts: {
    runsStarted: 0,
    runsResumed: 0,
    runsInheriting: 0,
    inheritedTokens: emptyHistogram([500, 1_000, 2_000, 4_000, 8_000, 16_000]),
    inheritanceDepth: emptyHistogram([1, 2, 3, 5, 10, 20]),
    runsEnded: { completed: 0, failed: 0, stopped: 0, paused: 0 },
    modelCalls: 0,
    toolCalls: { success: 0, error: 0 },
    inputTokens: 0,
    outputTokens: 0,
  },
  looks: new Map(),
  requests: new Map(),
  conditions: new Map(),
  ending: false,
};
