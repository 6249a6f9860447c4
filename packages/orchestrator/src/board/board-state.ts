import type { BoardTask, Condition, EndStatus, PreparationStage } from './board-event.ts';

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

/** How often values came that were at most so large; keeps as many numbers as it has bounds. */
export interface Histogram {
  /** Ascending. */
  readonly bounds: readonly number[];
  /** How many values were above the bound before and at most this one; one more than bounds, for those above all. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** One that has seen nothing. */
function emptyHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

/** The histogram with one value more. */
export function addToHistogram({ bounds, counts, sum }: Histogram, value: number): Histogram {
  const found = bounds.findIndex((bound) => value <= bound);
  const bucket = found === -1 ? bounds.length : found;
  return {
    bounds,
    counts: counts.map((count, index) => (index === bucket ? count + 1 : count)),
    sum: sum + value,
  };
}
