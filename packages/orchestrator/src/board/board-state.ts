import type { Outcome } from '@agent/run-store';
import type { PlanStage } from '../plan/plan-stage.ts';
import type { Condition } from '../state/condition.ts';
import type { HoldState } from '../state/hold.ts';
import type { Notice } from '../state/notice.ts';
import type { BoardTask, PreparationStage } from './board-event.ts';

/** One task while this process works on it. */
export interface RunningTask extends BoardTask {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Progress in pre-planning, before its first step; null when it does not pre-plan, or is done. */
  readonly preparation: PreparationStage | null;
  /** Progress by its plan; null for a run without one. */
  readonly plan: PlanStage | null;
  readonly step: number;
  /** Set while a model or an agent is called. */
  readonly asking: 'model' | 'agent' | null;
  /** Start of the first of its calls, if it got no answer and was made again, in milliseconds since 1970; null without one. */
  readonly askingSince: number | null;
  /** Number of that call, from 1: each one before it got no answer. */
  readonly attempt: number;
  /** The tool that runs now. */
  readonly tool: string | null;
  /** Start of its call in milliseconds since 1970; null without one. */
  readonly toolSince: number | null;
  readonly tokens: number;
  /** Cost of what was answered since this process has the run, in millionths of the currency. */
  readonly costMicros: number;
}

/** Counts of this process since it started; they only grow. */
export interface BoardCounts {
  readonly runsEnded: Readonly<Record<Outcome, number>>;
}

/** State of the work now, and its counts so far. */
export interface BoardState {
  /** By uuid, oldest first. */
  readonly running: ReadonlyMap<string, RunningTask>;
  readonly counts: BoardCounts;
  /** Repositories that this process polls, by platform, with the time of the last answer in milliseconds since 1970. */
  readonly polled: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By part; one that is not in it has not been looked at yet. */
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Conditions of an earlier process, by part. */
  readonly earlier: ReadonlyMap<string, Condition>;
  readonly holds: readonly HoldState[];
  /** Holds of an earlier process. */
  readonly earlierHolds: readonly HoldState[];
  /** The oldest first. */
  readonly notices: readonly Notice[];
  /** Kinds of the open entries of runs that have ended, by uuid. */
  readonly outboxes: ReadonlyMap<string, readonly string[]>;
  readonly ending: boolean;
}

/** A process that has done nothing yet. */
export const emptyBoard: BoardState = {
  running: new Map(),
  counts: {
    runsEnded: {
      completed: 0,
      answered: 0,
      nothing_to_change: 0,
      partial: 0,
      needs_input: 0,
      stopped: 0,
      failed: 0,
    },
  },
  polled: new Map(),
  conditions: new Map(),
  earlier: new Map(),
  holds: [],
  earlierHolds: [],
  notices: [],
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
