import type { JsonValue } from '../model.ts';

/** Phase of a run in planning mode, as people are told it. */
export type PlanningPhaseName =
  | 'planning'
  | 'execution'
  | 'reflection'
  | 'revision'
  | 'verification'
  | 'report';

// What the model writes and what a journal keeps is in snake_case, and of type aliases, which JSON's own type accepts.

/** Understanding of a request, as a plan states it. */
export type GoalUnderstanding = {
  readonly main_objective: string;
  readonly success_criteria: readonly string[];
  readonly constraints: readonly string[];
  readonly context: string;
};

/** Part of the work, with what it depends on. */
export type Subtask = {
  readonly id: string;
  readonly description: string;
  /** Ids of the subtasks that come before it. */
  readonly dependencies: readonly string[];
  readonly estimated_complexity: 'low' | 'medium' | 'high';
  readonly required_tools: readonly string[];
  /** Ids of assumptions (`A1`) and of comments on which it rests: where one is rejected, so is the subtask. */
  readonly rests_on: readonly string[];
};

/** One action of a plan; each subtask has exactly one, which its `task_id` names. */
export type PlannedAction = {
  readonly task_id: string;
  readonly action_type: string;
  readonly tool: string;
  readonly parameters: { readonly [name: string]: JsonValue };
  readonly purpose: string;
  readonly expected_outcome: string;
  readonly fallback_strategy: string | null;
};

/** Actions and their order. */
export type ActionPlan = {
  /** Ids of tasks; what it leaves out comes after it, in the order of `actions`. */
  readonly execution_order: readonly string[];
  readonly actions: readonly PlannedAction[];
};

/** Plan as the model makes it, read and checked. @see seed 002 §13.2 */
export type Plan = {
  readonly phase: 'planning';
  readonly goal_understanding: GoalUnderstanding;
  readonly task_decomposition: { readonly reasoning: string; readonly subtasks: readonly Subtask[] };
  readonly action_plan: ActionPlan;
  readonly comment: string | null;
};

/** Answer that ends an action. */
export type ExecutionAnswer = {
  readonly phase: 'execution';
  readonly current_task: string;
  readonly expected_outcome_met: boolean;
  readonly evidence: string;
  readonly comment: string | null;
};

/** Change that a revision makes. */
export type PlanChange = {
  readonly type: 'add_action' | 'remove_action' | 'modify_action';
  readonly details: string;
};

/** Answer of a reflection. `plan_revision_needed` is nested, as the documents have it. */
export type ReflectionAnswer = {
  readonly phase: 'reflection';
  readonly reflection: {
    readonly action_evaluated: string | null;
    readonly status: 'success' | 'failure' | 'partial';
    readonly evaluation: string;
    readonly issues_identified: readonly string[];
    readonly root_cause: string | null;
    readonly plan_revision_needed: boolean;
    readonly reasoning: string;
  };
  readonly plan_revision: PlanRevision | null;
  /** Answer to people who asked something; null for none. */
  readonly reply: string | null;
  readonly comment: string | null;
};

/** Revision of a plan as the model proposes it; the subtasks that it leaves out stay as they are. */
export type PlanRevision = {
  readonly reason: string;
  readonly changes: readonly PlanChange[];
  readonly updated_action_plan: ActionPlan;
  /** Subtasks that are new or changed. */
  readonly updated_subtasks: readonly Subtask[];
};

/** Way in which a plan is made again. */
export type ReplanType =
  | 'clarification_request'
  | 'goal_revision'
  | 'task_redecomposition'
  | 'action_regeneration'
  | 'partial_replan'
  | 'full_replan'
  | 'plan_revision'
  | 'retry'
  | 'none';

/** Phase that a plan is made again from. */
export type ReplanTarget =
  | 'goal_understanding'
  | 'task_decomposition'
  | 'action_sequence'
  | 'execution'
  | 'reflection';

/** Decision of the model to plan again, or not. */
export type ReplanDecision = {
  readonly replan_needed: boolean;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasoning: string;
  readonly replan_type: ReplanType;
  readonly target_phase: ReplanTarget;
  /** 1 retry, 2 partial, 3 action sequence, 4 decomposition, 5 goal. */
  readonly replan_level: 1 | 2 | 3 | 4 | 5;
  readonly issues_found: readonly string[];
  readonly recommended_actions: readonly string[];
  readonly clarification_needed: boolean;
  readonly clarification_questions: readonly string[];
  readonly assumptions_to_make: readonly string[];
};

/** Use that is made of a decision: `reconsider` asks the model again, `none` leaves the action as failed. */
export type ReplanNext = 'retry' | 'revise' | 'reconsider' | 'none';

/** Times that the plan was made again, by what was made again; `total` counts all of them. */
export type ReplanCounts = { readonly [what: string]: number };

/** Answer of a verification; the places that code found are among its placeholders. */
export type VerificationAnswer = {
  readonly phase: 'verification';
  readonly verification_passed: boolean;
  readonly issues_found: readonly string[];
  readonly placeholder_detected: {
    readonly count: number;
    /** Places, such as `src/a.ts:3`. */
    readonly locations: readonly string[];
    /** Places that are meant to be as they are, and why. */
    readonly explained: readonly { readonly location: string; readonly reason: string }[];
  };
  readonly additional_work_needed: boolean;
  readonly additional_actions: readonly PlannedAction[];
  /** 0 to 1. */
  readonly completion_confidence: number;
  readonly comment: string | null;
};

/** Facts of a completed plan, the counts by code. */
export type CompletionAnswer = {
  readonly phase: 'completion';
  readonly done: boolean;
  readonly summary: {
    readonly goal_achieved: boolean;
    readonly tasks_completed: number;
    readonly tasks_failed: number;
    readonly key_outcomes: readonly string[];
    readonly lessons_learned: readonly string[];
  };
  readonly comment: string | null;
};

/** Progress of an action that was begun. */
export type ActionState = 'started' | 'succeeded' | 'failed' | 'invalidated';

/** Cause of a reflection: an action that failed, the number of actions since the last one, or what people said. */
export type ReflectionTrigger = 'error' | 'interval' | 'comment';

/** Cause of a changed plan. */
export type RevisionCause = 'reflection' | 'comment' | 'rejection' | 'replan' | 'verification';

/** Line of a run's journal about its plan; `PlanningState` is a fold over these. Its name in the journal is `planning`. */
export type PlanningFact =
  | {
      readonly type: 'plan';
      readonly plan: Plan;
      readonly origin: 'new' | 'continued';
      /** Fingerprint of the request that it was made for; null where none is known. */
      readonly request_sha256: string | null;
      readonly plan_hash: string;
      /** Tasks of a continued plan that an earlier run has done. */
      readonly done_task_ids: readonly string[];
    }
  | {
      readonly type: 'revision';
      readonly number: number;
      readonly reason: string;
      readonly changes: readonly PlanChange[];
      readonly updated_plan: Plan;
      readonly plan_hash: string;
      readonly cause: RevisionCause;
    }
  | {
      readonly type: 'reflection';
      readonly evaluation: ReflectionAnswer;
      readonly trigger: ReflectionTrigger;
    }
  | {
      readonly type: 'verification';
      /** From 1, over the whole plan. */
      readonly round: number;
      /** Round that is the last one, unless people have the plan changed. */
      readonly last_round: number;
      readonly verification_result: VerificationAnswer;
    }
  | {
      readonly type: 'replan_decision';
      readonly phase: ReplanTarget;
      readonly llm_decision: ReplanDecision;
      readonly confidence: number;
      readonly executed: boolean;
      readonly override_reason: string | null;
      /** After it. */
      readonly replan_counts: ReplanCounts;
      readonly next: ReplanNext;
    }
  | { readonly type: 'phase'; readonly phase: PlanningPhaseName }
  | {
      readonly type: 'action';
      readonly task_id: string;
      readonly state: ActionState;
      /** From 1. */
      readonly attempt: number;
      readonly detail: string;
      readonly evidence: readonly string[];
    }
  /** The run goes on without a plan. */
  | { readonly type: 'loop_mode'; readonly reason: LoopModeReason; readonly details: readonly string[] }
  | {
      readonly type: 'question';
      readonly id: string;
      readonly questions: readonly string[];
      readonly assumptions: readonly string[];
      /** ISO 8601, UTC. */
      readonly asked_at: string;
      /** ISO 8601, UTC; null where an answer is waited for without end. */
      readonly until: string | null;
    }
  | { readonly type: 'answered'; readonly id: string; readonly how: 'comment' | 'assumed' }
  | {
      readonly type: 'approval';
      readonly plan_hash: string;
      readonly state: 'asked' | 'given' | 'void';
      /** Login of who approved; null for the rest. */
      readonly by: string | null;
      readonly reason: string | null;
      /** Fingerprint of the request that the plan was shown for; null where none is known. */
      readonly request_sha256: string | null;
      /** Phrase or emoji that approved the plan; left out for a command and for the other states. */
      readonly words?: string;
    }
  /** A revision that was wanted is not made: the plan stays. */
  | { readonly type: 'revision_dropped'; readonly cause: RevisionCause; readonly reasons: readonly string[] }
  /** The report is written; its text is the conversation's last message. */
  | { readonly type: 'completion'; readonly completion: CompletionAnswer };

/** Reason for going on without a plan. */
export type LoopModeReason = 'bad_plan' | 'one_action';
