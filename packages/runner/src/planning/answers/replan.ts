import { lenientConfidence, lenientText, lenientTexts, parseLooseBoolean, toRecord } from '@agent/text/json';
import { z } from 'zod';
import type { ReplanDecision, ReplanTarget, ReplanType } from '../model.ts';
import { lenientChoice, lenientCount } from './lenient-parts.ts';
import { type AnswerReading, readAnswer, type WrittenAnswer } from './read-answer.ts';

const replanTypes = [
  'clarification_request',
  'goal_revision',
  'task_redecomposition',
  'action_regeneration',
  'partial_replan',
  'full_replan',
  'plan_revision',
  'retry',
  'none',
] as const satisfies readonly ReplanType[];

const targetPhases = [
  'goal_understanding',
  'task_decomposition',
  'action_sequence',
  'execution',
  'reflection',
] as const satisfies readonly ReplanTarget[];

/** Levels that the kinds stand for, where a model names none: 1 retry, 2 partial, 3 actions, 4 subtasks, 5 goal. */
const levels: Readonly<Record<ReplanType, ReplanDecision['replan_level']>> = {
  none: 1,
  retry: 1,
  clarification_request: 1,
  partial_replan: 2,
  plan_revision: 2,
  action_regeneration: 3,
  full_replan: 4,
  task_redecomposition: 4,
  goal_revision: 5,
};

const lenientLevel = lenientCount({ min: 1, max: 5 }).transform((level) =>
  level === null ? null : (level as ReplanDecision['replan_level']),
);

const decision = z
  .looseObject({})
  .refine((written) => 'replan_needed' in written, {
    path: ['replan_needed'],
    message: 'say true or false',
    abort: true,
  })
  .pipe(
    z.object({
      replan_needed: parseLooseBoolean(false),
      confidence: lenientConfidence,
      reasoning: lenientText,
      replan_type: lenientChoice(replanTypes, 'none'),
      target_phase: lenientChoice(targetPhases, 'execution'),
      replan_level: lenientLevel,
      issues_found: lenientTexts,
      recommended_actions: lenientTexts,
      clarification_needed: parseLooseBoolean(false),
      clarification_questions: lenientTexts,
      assumptions_to_make: lenientTexts,
    }),
  )
  .transform(({ replan_level: level, ...rest }) => ({
    ...rest,
    replan_level: level ?? levels[rest.replan_type],
  }));

/** Reads a decision to plan again, alone or beside a reflection; what cannot be read is taken for none. Never throws. */
export function readReplanDecision(text: WrittenAnswer): AnswerReading<ReplanDecision> {
  return readAnswer(text, z.preprocess(unframe, decision));
}

function unframe(value: unknown): unknown {
  const record = toRecord(value);
  return record === null || !('replan_decision' in record) ? value : toRecord(record.replan_decision);
}
