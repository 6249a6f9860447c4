import { z } from 'zod';
import type { PlanningFact } from './model.ts';

const action = z.looseObject({ task_id: z.string(), tool: z.string(), purpose: z.string() });
const plan = z.looseObject({
  goal_understanding: z.looseObject({ main_objective: z.string(), success_criteria: z.array(z.string()) }),
  task_decomposition: z.looseObject({
    subtasks: z.array(
      z.looseObject({ id: z.string(), dependencies: z.array(z.string()), rests_on: z.array(z.string()) }),
    ),
  }),
  action_plan: z.looseObject({ execution_order: z.array(z.string()), actions: z.array(action) }),
});

// What the fold reads of each, and no more.
const factSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('plan'), plan, plan_hash: z.string(), done_task_ids: z.array(z.string()) }),
  z.looseObject({
    type: z.literal('revision'),
    updated_plan: plan,
    plan_hash: z.string(),
    number: z.number(),
  }),
  z.looseObject({ type: z.literal('revision_dropped') }),
  z.looseObject({
    type: z.literal('reflection'),
    evaluation: z.looseObject({ reflection: z.looseObject({ plan_revision_needed: z.boolean() }) }),
  }),
  z.looseObject({
    type: z.literal('verification'),
    verification_result: z.looseObject({
      verification_passed: z.boolean(),
      issues_found: z.array(z.string()),
      additional_actions: z.array(action),
    }),
  }),
  z.looseObject({
    type: z.literal('replan_decision'),
    executed: z.boolean(),
    next: z.string(),
    llm_decision: z.looseObject({ replan_type: z.string(), target_phase: z.string() }),
  }),
  z.looseObject({ type: z.literal('phase'), phase: z.string() }),
  z.looseObject({
    type: z.literal('action'),
    task_id: z.string(),
    state: z.enum(['started', 'succeeded', 'failed', 'invalidated']),
    attempt: z.number(),
    detail: z.string(),
    evidence: z.array(z.string()),
  }),
  z.looseObject({ type: z.literal('loop_mode'), reason: z.string() }),
  z.looseObject({ type: z.literal('question'), id: z.string(), questions: z.array(z.string()) }),
  z.looseObject({ type: z.literal('answered'), id: z.string(), how: z.enum(['comment', 'assumed']) }),
  z.looseObject({
    type: z.literal('approval'),
    plan_hash: z.string(),
    state: z.enum(['asked', 'given', 'void']),
  }),
  z.looseObject({ type: z.literal('completion'), completion: z.looseObject({}) }),
]);

/** Reads a line about a plan as a journal gives it back; null for one that says nothing. */
export function parseFact(data: unknown): PlanningFact | null {
  return factSchema.safeParse(data).success ? (data as PlanningFact) : null;
}
