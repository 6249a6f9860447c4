import type { Logger } from '@agent/text';
import { z } from 'zod';

const text = z.string();
const share = z.number().min(0).max(1);

const understanding = z.object({
  task_type: text,
  primary_goal: text,
  expected_deliverables: z.array(text),
  constraints: z.array(text),
  scope: z.object({ in_scope: z.array(text), out_of_scope: z.array(text) }),
  understanding_confidence: share,
  ambiguities: z.array(
    z.object({
      item: text,
      possible_interpretations: z.array(text),
      selected_interpretation: text,
      reasoning: text,
    }),
  ),
});

const need = z.object({
  id: z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/),
  category: z.enum(['codebase', 'context', 'external']),
  description: text,
  purpose: text,
  collection_method: z.object({ tool: text, parameters: z.record(text, z.unknown()) }),
  fallback_strategy: text,
  can_assume: z.boolean(),
  default_assumption: text.nullable(),
});

const plan = z.object({
  required_information: z.array(need),
  collection_order: z.array(text),
  skip_collection: z.boolean(),
  skip_reason: text,
});

const result = z.object({
  info_id: text,
  status: z.enum(['collected', 'failed', 'assumed']),
  collected_data: z.object({ summary: text, details: text }).nullable(),
  assumption_made: text.nullable(),
  tool_calls_used: z.int().min(0),
  timestamp: text,
});

const comment = z.object({
  id: text.optional(),
  author: text,
  createdAt: text,
  body: text,
  isTrusted: z.boolean(),
});

/**
 * State from which the phase resumes, as JSON. It is parsed like everything that comes from
 * outside. @see seed 004 §12.1
 */
export const prePlanningStateSchema = z.object({
  current_subphase: z.enum(['understanding', 'collection_planning', 'collection', 'assumption', 'complete']),
  understanding_result: understanding.nullable(),
  collection_plan: plan.nullable(),
  /** Items over the limit of a plan, and items that could not be read. */
  omitted_items: z.int().min(0),
  /** In the order in which they ended. */
  collection_results: z.array(result),
  /** Reasons of failed results, by the id of what was wanted. */
  failures: z.array(z.object({ info_id: text, reason: text, is_transient: z.boolean() })),
  assumptions: z.array(
    z.object({
      label: text,
      info_id: text,
      assumed_value: text,
      reasoning: text,
      confidence: share,
      refuted_by: text,
    }),
  ),
  information_gaps: z.array(z.object({ info_id: text, description: text, impact: text, reason: text })),
  /** Number of assumptions made, rejected ones included: labels are given once. */
  assumption_count: z.int().min(0),
  /** Words of people about assumptions. */
  constraints: z.array(text),
  /** Comments that came while the phase went on. */
  new_comments: z.array(comment),
  /** Number of these that the understanding knows; more are a reason to understand anew. */
  understood_comments: z.int().min(0),
  /** Notices that were given. */
  announced: z.array(text),
});

/** The state of the phase; `null` in place of it begins anew. */
export type PrePlanningState = Readonly<z.infer<typeof prePlanningStateSchema>>;

export const initialState: PrePlanningState = {
  current_subphase: 'understanding',
  understanding_result: null,
  collection_plan: null,
  omitted_items: 0,
  collection_results: [],
  failures: [],
  assumptions: [],
  information_gaps: [],
  assumption_count: 0,
  constraints: [],
  new_comments: [],
  understood_comments: 0,
  announced: [],
};

/**
 * Reads a state that an earlier process kept; null if the value is not a state, with a warning that says where.
 *
 * @example
 * const state = readPrePlanningState(JSON.parse(text), console);
 * if (state !== null) console.log(state.current_subphase);
 */
export function readPrePlanningState(
  json: unknown,
  logger: Pick<Logger, 'warn'> | null = null,
): PrePlanningState | null {
  const parsed = prePlanningStateSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.slice(0, 3).map(({ path, code }) => `${path.join('.')}: ${code}`);
  logger?.warn({ places }, 'failed to parse pre-planning state');
  return null;
}

/** Tells whether something was said that the understanding does not know. */
export function isOutdated(state: PrePlanningState): boolean {
  return state.understanding_result !== null && state.new_comments.length > state.understood_comments;
}
