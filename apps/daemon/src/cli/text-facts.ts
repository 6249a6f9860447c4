import type { CopiedRuns } from '@agent/run-store/migration';

/** Figures of an ended run. */
export interface RunStatistics {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly cachedInputTokens?: number | undefined;
  /** With its currency; null for none. */
  readonly cost: string | null;
  readonly duration: string;
}

/** Counts of copied runs. */
export type CopiedCounts = Omit<CopiedRuns, 'left'> & { readonly left: number };

/** Numbers of unfinished tasks; those without a running daemon wait for one. */
export interface ActivityCounts {
  readonly running: number;
  readonly waiting: number;
  readonly paused: number;
  readonly inReview: number;
  readonly needsInput: number;
  readonly delivering: number;
  readonly queued: number;
  /** Runs that failed within the last 24 hours. */
  readonly failed: number;
}

/** A process that works. */
export interface ShownMember {
  readonly pid: number;
  readonly host: string;
  /** Default unknown. */
  readonly version?: string | null | undefined;
  /** True for the process that finds new tasks, if several could. Default false. */
  readonly leads?: boolean | undefined;
}

/** A queued task. */
export interface ShownQueued {
  /** ISO 8601. */
  readonly since: string;
  /** From 1. */
  readonly position: number;
  readonly reason: string;
}

/** A problem of the service. */
export interface ShownProblem {
  readonly what: string;
  /** Processes, duration and expected end. */
  readonly facts: readonly string[];
  readonly reason: string | null;
}

/** Requests that a platform allows. */
export interface ShownRequests {
  readonly platform: string;
  readonly left: number | null;
  readonly limit: number | null;
  /** Time with its zone; null if it is unknown. */
  readonly reset: string | null;
}

/** Last answered searches for tasks. */
export interface ShownSearch {
  /** Time since the search that is longest ago. */
  readonly age: string;
  /** Its repository. */
  readonly repository: string;
  /** Number of further repositories. */
  readonly others: number;
}
