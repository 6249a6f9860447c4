import type { Json, JsonObject } from '../run-model.ts';

/** When, where and for which thread something was planned. */
export interface PlanningPlace {
  /** ISO 8601, as it was written. */
  readonly timestamp: string;
  /** The number of the issue or request, as text; null where none was written. */
  readonly issueId: string | null;
  readonly taskUuid: string;
}

/** What a planning mode decided, and what came of it. @see seed 002 §13.2 */
export type PlanningEvent =
  | { readonly type: 'plan'; readonly plan: JsonObject }
  | {
      readonly type: 'revision';
      readonly reason: string;
      readonly changes: readonly Json[];
      readonly updatedPlan: JsonObject;
    }
  | { readonly type: 'reflection'; readonly evaluation: JsonObject }
  | { readonly type: 'verification'; readonly verificationResult: JsonObject }
  | {
      readonly type: 'replan_decision';
      readonly phase: string;
      readonly llmDecision: JsonObject;
      /** 0 to 1; null where none was written. */
      readonly confidence: number | null;
      readonly executed: boolean;
      readonly overrideReason: string | null;
      readonly replanCounts: JsonObject;
    };

/** A line of `planning/{uuid}.jsonl`. */
export type PlanningEntry = PlanningEvent & PlanningPlace;

/** The lines of one kind. */
export type PlanningEntryOf<Type extends PlanningEvent['type']> = Extract<
  PlanningEntry,
  { readonly type: Type }
>;
