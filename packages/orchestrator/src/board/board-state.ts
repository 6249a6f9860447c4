import type { Outcome } from '@agent/run-store';
import type { PlanStage } from '../plan/plan-stage.ts';
import type { Condition } from '../state/condition.ts';
import type { HoldState } from '../state/hold.ts';
import type { BoardTask, PreparationStage } from './board-event.ts';
import { emptyHistogram, type Histogram } from './histogram.ts';
import type { ModelCallCounts } from './model-calls.ts';

/** One task while this process works on it. */
export interface RunningTask extends BoardTask {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Progress in pre-planning, before its first step; null when it does not pre-plan, or is done. */
  readonly preparation: PreparationStage | null;
  /** Progress by its plan; null for a run without one. */
  readonly plan: PlanStage | null;
  readonly step: number;
  /** True while the model is asked. */
  readonly asking: 'model' | 'agent' | null;
  /** The tool that runs now. */
  readonly tool: string | null;
  readonly tokens: number;
  /** Cost of what was answered since this process has the run, in millionths of the currency. */
  readonly costMicros: number;
}

/** Looks for tasks at one platform. */
export interface PlatformPolls {
  readonly made: number;
  readonly failed: number;
}

export interface RequestCounts {
  readonly made: number;
  readonly unchanged: number;
}

/** Counts of this process since it started; they only grow. */
export interface BoardCounts {
  readonly runsStarted: number;
  readonly runsResumed: number;
  /** Runs among those started that inherit from earlier ones. */
  readonly runsInheriting: number;
  readonly inheritedTokens: Histogram;
  readonly inheritanceDepth: Histogram;
  readonly runsEnded: Readonly<Record<Outcome, number>>;
  readonly modelCalls: number;
  readonly toolCalls: Readonly<Record<'success' | 'error', number>>;
  /** Actions of plans that ended. */
  readonly planActions: Readonly<Record<'succeeded' | 'failed', number>>;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of the input that was read from a cache. */
  readonly cachedInputTokens: number;
  /** Part of the output that a model thought with. */
  readonly reasoningTokens: number;
  /** Cost of what was answered, in millionths of the currency. */
  readonly costMicros: number;
}

/** State of the work now, and its counts so far. */
export interface BoardState {
  /** By uuid, oldest first. */
  readonly running: ReadonlyMap<string, RunningTask>;
  readonly counts: BoardCounts;
  /** Requests to models, by provider and model. */
  readonly modelCalls: ReadonlyMap<string, ModelCallCounts>;
  readonly looks: ReadonlyMap<string, PlatformPolls>;
  readonly requests: ReadonlyMap<string, RequestCounts>;
  /** Comments made on a platform: people are notified of each. */
  readonly notifications: ReadonlyMap<string, number>;
  /** By part; one that is not in it has not been looked at yet. */
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Conditions of an earlier process, by part. */
  readonly earlier: ReadonlyMap<string, Condition>;
  readonly holds: readonly HoldState[];
  /** Holds of an earlier process. */
  readonly earlierHolds: readonly HoldState[];
  /** Kinds of the open entries of runs that have ended, by uuid. */
  readonly outboxes: ReadonlyMap<string, readonly string[]>;
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
    runsEnded: {
      completed: 0,
      answered: 0,
      nothing_to_change: 0,
      partial: 0,
      needs_input: 0,
      stopped: 0,
      failed: 0,
    },
    modelCalls: 0,
    toolCalls: { success: 0, error: 0 },
    planActions: { succeeded: 0, failed: 0 },
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costMicros: 0,
  },
  modelCalls: new Map(),
  looks: new Map(),
  requests: new Map(),
  notifications: new Map(),
  conditions: new Map(),
  earlier: new Map(),
  holds: [],
  earlierHolds: [],
  outboxes: new Map(),
  ending: false,
};

export function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([name]) => name !== key));
}

export function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value,
): ReadonlyMap<string, Value> {
  return new Map(map).set(key, value);
}
