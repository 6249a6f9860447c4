import { lenientText, lenientTexts, parseLooseBoolean, toRecord } from '@agent/text/json';
import { z } from 'zod';
import type { PlanRevision, ReflectionAnswer } from '../model.ts';
import { lenientChoice, lenientObjects, lenientTextOrNull, phaseNamed } from './lenient-parts.ts';
import { actionPlan, lenientSubtasks } from './plan.ts';
import { type AnswerReading, readAnswer, type WrittenAnswer } from './read-answer.ts';

const change = z.object({
  type: lenientChoice(['add_action', 'remove_action', 'modify_action'], 'modify_action'),
  details: lenientText,
});

const revision = z
  .object({
    reason: lenientText,
    changes: lenientObjects(change),
    updated_action_plan: actionPlan,
    updated_subtasks: lenientSubtasks,
  })
  .refine(({ updated_action_plan: plan }) => plan.actions.length > 0, {
    path: ['updated_action_plan'],
    message: 'write the whole list of actions that are left',
  });

const reflection = z
  .looseObject({})
  .refine((written) => 'status' in written || 'evaluation' in written || 'plan_revision_needed' in written, {
    message: 'say status, evaluation and plan_revision_needed',
    abort: true,
  })
  .pipe(
    z.object({
      action_evaluated: lenientTextOrNull,
      status: lenientChoice(['success', 'failure', 'partial'], 'partial'),
      evaluation: lenientText,
      issues_identified: lenientTexts,
      root_cause: lenientTextOrNull,
      plan_revision_needed: parseLooseBoolean(false),
      reasoning: lenientText,
    }),
  );

const reflectionAnswer = z.preprocess(
  frame,
  z.object({
    phase: phaseNamed('reflection'),
    reflection,
    plan_revision: z
      .unknown()
      .optional()
      .transform((value) => revision.safeParse(unframeRevision(value)).data ?? null),
    reply: lenientTextOrNull,
    comment: lenientTextOrNull,
  }),
);

/** Reads a reflection, also one whose parts stand a level too high or too low. Never throws. */
export function readReflection(text: WrittenAnswer): AnswerReading<ReflectionAnswer> {
  return readAnswer(text, reflectionAnswer);
}

/** Reads a revision of a plan, with its frame or without. Never throws. */
export function readRevision(text: WrittenAnswer): AnswerReading<PlanRevision> {
  return readAnswer(text, z.preprocess(unframeRevision, revision));
}

const outerKeys = ['plan_revision', 'reply', 'comment'] as const;

/** Brings what a model wrote on the wrong level to where it belongs: `plan_revision_needed` is part of `reflection`. */
function frame(value: unknown): unknown {
  const record = toRecord(value);
  if (record === null) return value;
  const inner = toRecord(record.reflection);
  const { action_id: id, ...merged } = { ...record, ...inner };
  const outer = outerKeys.map((key) => [key, record[key] ?? inner?.[key]]);
  return {
    ...Object.fromEntries(outer),
    reflection: { ...merged, action_evaluated: merged.action_evaluated ?? id },
  };
}

function unframeRevision(value: unknown): unknown {
  const record = toRecord(value);
  if (record === null) return value;
  const inner = toRecord(record.plan_revision) ?? record;
  const plan = inner.updated_action_plan ?? inner.updated_plan ?? inner.action_plan;
  return {
    ...inner,
    updated_action_plan: toRecord(plan)?.action_plan ?? plan ?? {},
    updated_subtasks: inner.updated_subtasks ?? inner.subtasks,
  };
}
