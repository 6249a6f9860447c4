import { z } from 'zod';

const share = z.number().min(0).max(1);
const count = z.int().min(0).max(100);

/** The section `planning.replanning`: when and how often a plan is made again. */
const replanningSchema = z.strictObject({
  enabled: z.boolean().default(true),
  llm_decision: z
    .strictObject({
      /** Below it people are asked, where they are to be. */
      min_confidence_threshold: share.default(0.5),
      require_user_confirmation_on_low_confidence: z.boolean().default(true),
      /** Below it a decision counts for nothing. */
      user_confirmation_threshold: share.default(0.3),
    })
    .prefault({}),
  goal_understanding: z
    .strictObject({
      max_clarification_requests: count.default(2),
      auto_assume_on_no_response: z.boolean().default(true),
      /** Minutes, up to a week. */
      auto_assume_timeout_minutes: z.number().min(0).max(10_080).default(30),
    })
    .prefault({}),
  task_decomposition: z.strictObject({ max_redecomposition_attempts: count.default(3) }).prefault({}),
  action_sequence: z.strictObject({ max_regeneration_attempts: count.default(3) }).prefault({}),
  execution: z
    .strictObject({ max_action_retries: count.default(3), max_partial_replans: count.default(2) })
    .prefault({}),
  reflection: z.strictObject({ max_plan_revisions: count.default(2) }).prefault({}),
  global: z
    .strictObject({
      max_total_replans: count.default(10),
      infinite_loop_detection: z.boolean().default(true),
      same_trigger_max_count: count.default(2),
    })
    .prefault({}),
});

/**
 * The keys of the section `planning` of a configuration file that concern planning mode; every key has a default.
 *
 * @example
 * planningSettingsSchema.parse({}).reflection.trigger_interval; // 3
 */
export const planningSettingsSchema = z.strictObject({
  strategy: z.literal('chain_of_thought').default('chain_of_thought'),
  max_subtasks: z.int().min(1).max(1_000).default(100),
  decomposition_level: z.enum(['moderate', 'detailed', 'minimal']).default('moderate'),
  reflection: z
    .strictObject({
      enabled: z.boolean().default(true),
      trigger_on_error: z.boolean().default(true),
      /** Actions between two reflections; 0: none at intervals. */
      trigger_interval: count.default(3),
      depth: z.enum(['moderate', 'detailed', 'minimal']).default('moderate'),
    })
    .prefault({}),
  revision: z.strictObject({ max_revisions: count.default(3) }).prefault({}),
  verification: z
    .strictObject({ enabled: z.boolean().default(true), max_rounds: z.int().min(1).max(20).default(2) })
    .prefault({}),
  replanning: replanningSchema.prefault({}),
  /** Goes on with what does not rest on an action that failed. */
  continue_on_error: z.boolean().default(false),
  /** `required`: nothing but reading is done before somebody who may has approved the plan. */
  approval: z.enum(['off', 'required']).default('off'),
  /**
   * Comments that approve the plan like `/approve`, if the whole comment is one of these phrases; case, width and punctuation are
   * ignored, but a question mark makes it a question. An empty list: only `/approve` and 👍.
   */
  approval_phrases: z
    .array(z.string().trim().min(1).max(100))
    .max(100)
    .default(['LGTM', 'approved', 'go ahead', '承認', 'OK']),
  progress_comment: z
    .strictObject({ enabled: z.boolean().default(false), max_history_entries: z.int().min(0).default(100) })
    .prefault({}),
});

/** Settings of planning mode, filled in. */
export type PlanningSettings = z.infer<typeof planningSettingsSchema>;

/** Settings of planning mode as they are given: what is left out has its default. */
export type PlanningSettingsInput = z.input<typeof planningSettingsSchema>;
