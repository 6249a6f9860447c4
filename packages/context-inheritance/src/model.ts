import type {
  DecisionConflict,
  InheritedDecision,
  KeyDecision,
  RetractedDecision,
} from './decisions/decision.ts';

/** The state of a run, as the index has it. */
export type PreviousRunStatus = 'running' | 'paused' | 'completed' | 'stopped' | 'failed';

/** One run in the index; the records of `TaskIndex` have these fields and more. */
export interface PreviousRun {
  readonly uuid: string;
  readonly taskKeyHash: string;
  readonly host: string;
  readonly status: PreviousRunStatus;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; null for a run that has not ended. */
  readonly completedAt: string | null;
  /** Generations before it; 0 for a run that inherited nothing. */
  readonly inheritanceDepth: number;
  /** ISO 8601, UTC: `/fresh-start` told this run to leave behind all that ended before (decision C8). */
  readonly inheritanceBarrierAt: string | null;
  /** Whoever asked for the run and the machine that carried it: known only to be taken out of texts (CI-56). */
  readonly user: string | null;
  readonly hostname: string | null;
  readonly llmProvider: string | null;
  readonly model: string | null;
}

/** The last tool call of a run; its result is never inherited. */
export interface LastAction {
  readonly tool: string;
  readonly status: 'success' | 'error' | 'unknown';
  /** Kind of the failure, such as `exit code 1` or `not found`; null for none. */
  readonly failure: string | null;
}

/** A run's use of one tool. */
export interface ToolUse {
  readonly tool: string;
  readonly calls: number;
  /** Kinds of failures, such as `timeout`, and how many of each. */
  readonly failures: readonly (readonly [kind: string, count: number])[];
}

/** One earlier run of the same task, as far as it may be inherited. @see seed 002 §3.2.1 */
export interface PreviousContext {
  readonly uuid: string;
  readonly taskKeyText: string;
  readonly status: PreviousRunStatus;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
  readonly inheritanceDepth: number;
  /** Null when the run left none that is of use: it is skipped. */
  readonly summary: string | null;
  readonly keyDecisions: readonly KeyDecision[];
  /** The part of `metadata.json` that may be told: neither user nor machine. @see seed 002 §2.2, §8.1 */
  readonly metadata: { readonly llmProvider: string | null; readonly model: string | null };
}

/** Part of the work, as an earlier plan had it. */
export interface PlannedSubtask {
  readonly id: string;
  readonly description: string;
  /** Ids of the subtasks that come before it. */
  readonly dependencies: readonly string[];
  /** In the words of the plan: `low`, `medium`, `high`; null where it did not say. */
  readonly complexity: string | null;
}

/** An action of an earlier plan, as it ended. */
export interface ActionRecord {
  readonly taskId: string;
  /** Empty where the plan does not name it. */
  readonly tool: string;
  readonly purpose: string;
  /** As it ended; `unknown` for one that was done in part. */
  readonly state: 'succeeded' | 'failed' | 'unknown';
  /** Times that it ended. */
  readonly attempts: number;
  /** Reason of a failure; null where it never failed. */
  readonly problem: string | null;
  /** Change that was made about that; null where none was. */
  readonly remedy: string | null;
}

/** Findings of verifications, of one run or of several. @see seed 002 §13.6 */
export interface VerificationHistory {
  readonly rounds: number;
  /** Result of the last round; null where it did not say. */
  readonly passed: boolean | null;
  readonly issues: readonly string[];
  /** Those that a later round no longer found. */
  readonly resolved: readonly string[];
  /** Places where something was left to be filled in. */
  readonly placeholders: readonly string[];
  /** Work that had to be added. */
  readonly additionalWork: readonly string[];
  /** Confidence of the last round that all is done, 0 to 1; null where it did not say. */
  readonly confidence: number | null;
}

/** The planning history of one run, summed up. @see seed 002 §13.2 */
export interface PlanRecord {
  readonly runUuid: string;
  readonly status: PreviousRunStatus;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
  /** Null where plans are not inherited, or none could be read. */
  readonly plan: {
    readonly goal: string;
    readonly successCriteria: readonly string[];
    readonly subtasks: readonly PlannedSubtask[];
    readonly actionCount: number;
    readonly executedCount: number;
    /** Fingerprint of the request that it was made for; null where none was kept. @see decision C14 */
    readonly requestSha256: string | null;
    readonly revisionReasons: readonly string[];
    readonly replanReasons: readonly string[];
  } | null;
  readonly execution: {
    readonly succeeded: number;
    readonly failed: number;
    /** Actions that were carried out; without those that worked where these are not to be reused. */
    readonly actions: readonly ActionRecord[];
  };
  /** Null where verifications are not inherited, or the run made none. */
  readonly verification: VerificationHistory | null;
  /** Findings of reflections; empty where they are not inherited. */
  readonly learnings: readonly string[];
}

/** Everything that a new run can inherit, secrets removed, before it is fitted to a budget. @see seed 002 §3.2.1 */
export interface InheritanceContext {
  /** Newest first; each with its summary. */
  readonly previousContexts: readonly (PreviousContext & { readonly summary: string })[];
  /** The newest summary, or all of them under headings, as `summary_priority` says. */
  readonly combinedSummary: string;
  /** Open decisions of trusted users first, then other open ones, then stale and replaced ones. */
  readonly keyDecisions: readonly InheritedDecision[];
  /** Decisions that are not inherited, because their comment or the issue was changed. */
  readonly retractedDecisions: readonly RetractedDecision[];
  /** Open decisions of trusted users that settle one subject in different ways. */
  readonly conflicts: readonly DecisionConflict[];
  /** The last call of the newest run; null where it could not be read. */
  readonly lastActionResults: readonly LastAction[] | null;
  /** Tools of the newest run, most called first; null where they could not be read. @see seed 002 §2.2 */
  readonly toolUses: readonly ToolUse[] | null;
  /** Tells whether earlier calls or further tools are missing from `toolUses`. */
  readonly isToolHistoryCut: boolean;
  /** Newest first. */
  readonly plans: readonly PlanRecord[];
  /** Verifications of all runs that can be inherited from, added up; null where there were none. @see seed 002 §13.6.2 */
  readonly verification: VerificationHistory | null;
  /** The number of earlier runs that could be inherited from, those beyond the depth included. */
  readonly processingCount: number;
  /** The newest contributor, as `metadata.json` of the new run names it. */
  readonly inheritedFromUuid: string;
  /** One more than the deepest contributor. */
  readonly inheritanceDepth: number;
}

/** A kind of content that a block really has, in the order in which the notice names them. */
export type InheritedKind = 'summary' | 'plans' | 'tools';

/** The reason why nothing is inherited from a run that qualifies. @see seed 002 §7.1 */
export type SkipReason = 'missing' | 'no-summary' | 'unreadable' | 'unsafe';

/**
 * The thread's comments as they are now: SHA-256 of each body, in hexadecimal, by the comment's id. Only a complete
 * listing will do: what is missing here counts as deleted.
 */
export type CurrentComments = ReadonlyMap<string, string>;
