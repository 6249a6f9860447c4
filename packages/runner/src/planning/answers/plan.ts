import { lenientText, lenientTexts, toRecord } from '@agent/text/json';
import { z } from 'zod';
import { checkPlan, type PlanRules } from '../check-plan.ts';
import type { Plan } from '../model.ts';
import {
  lenientChoice,
  lenientId,
  lenientIds,
  lenientObjects,
  lenientParameters,
  lenientTextOrNull,
} from './lenient-parts.ts';
import { type AnswerReading, eitherSchema, readAnswer, toBad, type WrittenAnswer } from './read-answer.ts';

const subtask = z.object({
  id: lenientId,
  description: lenientText,
  dependencies: lenientIds,
  estimated_complexity: lenientChoice(['low', 'medium', 'high'], 'medium'),
  required_tools: lenientIds,
  rests_on: lenientIds,
});

const action = z.object({
  task_id: lenientId,
  action_type: lenientText.transform((type) => (type === '' ? 'tool_call' : type)),
  tool: lenientId,
  parameters: lenientParameters,
  purpose: lenientText,
  expected_outcome: lenientText,
  fallback_strategy: lenientTextOrNull,
});

/** Actions of an answer; what is not one is left out. */
export const lenientActions = lenientObjects(action);
/** Subtasks of an answer; what is not one is left out. */
export const lenientSubtasks = lenientObjects(subtask);

/** Actions and their order; where no order is written, that of the actions. */
export const actionPlan = z
  .preprocess(
    (value) => (Array.isArray(value) ? { actions: value } : value),
    z.object({ execution_order: lenientIds, actions: lenientActions }),
  )
  .transform(({ execution_order: order, actions }) => ({
    execution_order: order.length > 0 ? order : [...new Set(actions.map(({ task_id: id }) => id))],
    actions,
  }));

const goal = z
  .preprocess(
    (value) => toRecord(value) ?? { main_objective: value },
    z.object({
      main_objective: lenientText,
      success_criteria: lenientTexts,
      constraints: lenientTexts,
      context: lenientText,
      context_analysis: lenientText,
    }),
  )
  .transform(({ context_analysis: analysis, context, ...rest }) => ({
    ...rest,
    context: context || analysis,
  }));

const decomposition = z.preprocess(
  (value) => (Array.isArray(value) ? { subtasks: value } : (value ?? {})),
  z.object({ reasoning: lenientText, subtasks: lenientSubtasks }),
);

/** Parts that only a plan has: an object with none of them is something else. */
const planKeys = ['action_plan', 'task_decomposition', 'goal_understanding'] as const;

const planParts = z.object({
  goal_understanding: goal,
  task_decomposition: decomposition,
  action_plan: actionPlan,
  comment: lenientTextOrNull,
});

const plan = z
  .preprocess(frame, z.looseObject({}))
  .refine((found) => planKeys.some((key) => key in found), {
    message: `contains none of ${planKeys.join(', ')}`,
    abort: true,
  })
  .pipe(planParts)
  .transform((parts) => ({ phase: 'planning' as const, ...withSubtasks(parts) }));

/** The goal is not clear enough to plan: what has to be asked. */
export interface UnclearGoal {
  readonly kind: 'unclear-goal';
  readonly message: string;
  /** At least one. */
  readonly questions: readonly string[];
  readonly comment: string | null;
}

const unclear = z
  .preprocess(
    frameError,
    z.object({
      error: z.object({ message: lenientText, clarification_needed: lenientTexts }),
      comment: lenientTextOrNull,
    }),
  )
  .refine(({ error }) => error.message !== '' || error.clarification_needed.length > 0, {
    path: ['error', 'clarification_needed'],
    message: 'ask at least one question, or plan',
  });

/**
 * Reads a plan out of what the model wrote, and checks it. A goal that the model calls unclear is an answer of its own. Never throws.
 *
 * @example
 * const reading = readPlan(text, { tools: ['read_file', 'run_tests'], maxSubtasks: 100 });
 * if (reading.kind === 'bad') askAgain(reading.reasons);
 */
export function readPlan(text: WrittenAnswer, rules: PlanRules): AnswerReading<Plan> | UnclearGoal {
  const reading = readAnswer(text, eitherSchema(isUnclear, { one: unclear, other: plan }));
  if (reading.kind === 'bad') return reading;
  const { value, notes } = reading;
  if ('error' in value) {
    const { message, clarification_needed: asked } = value.error;
    const questions = asked.length > 0 ? asked : [message];
    return { kind: 'unclear-goal', message, questions, comment: value.comment };
  }
  const reasons = checkPlan(value, rules);
  return reasons.length > 0 ? toBad(reasons) : { kind: 'ok', value, notes };
}

/** A plan without its frame, or within one. */
function frame(value: unknown): unknown {
  const record = toRecord(value);
  if (record === null) return value;
  const inner = toRecord(record.plan) ?? toRecord(record.planning);
  const found = inner !== null && planKeys.some((key) => key in inner) ? inner : record;
  if (!('action_plan' in found) && 'actions' in found) return { ...found, action_plan: found };
  return found;
}

/** Tells whether an answer says that nothing can be planned; a plan says no such thing, whatever stands beside it. */
function isUnclear(value: unknown): boolean {
  const record = toRecord(value);
  if (record === null || 'action_plan' in record) return false;
  return typeof record.error === 'string' || toRecord(record.error) !== null;
}

function frameError(value: unknown): unknown {
  const { error, comment, ...record } = toRecord(value) ?? {};
  if (typeof error === 'string') return { error: { ...record, message: record.message ?? error }, comment };
  return { error: toRecord(error), comment };
}

/** A plan that names no subtasks: each action is one. */
function withSubtasks(written: z.infer<typeof planParts>): z.infer<typeof planParts> {
  const { task_decomposition: parts, action_plan: actions } = written;
  if (parts.subtasks.length > 0) return written;
  const subtasks = actions.actions.map(({ task_id, purpose, tool }) =>
    subtask.parse({ id: task_id, description: purpose, required_tools: [tool] }),
  );
  return { ...written, task_decomposition: { ...parts, subtasks } };
}
