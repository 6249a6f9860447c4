import { lenientText, lenientTexts, parseLooseBoolean, toRecord } from '@agent/text/json';
import { z } from 'zod';
import type { CompletionAnswer, ExecutionAnswer } from '../model.ts';
import { lenientCount, lenientId, lenientTextOrNull, phaseNamed } from './lenient-parts.ts';
import { type AnswerReading, readAnswer, type WrittenAnswer } from './read-answer.ts';

const execution = z
  .looseObject({})
  .refine((written) => 'expected_outcome_met' in written, {
    path: ['expected_outcome_met'],
    message: 'say true or false; tools are called as tools, not in this object',
    abort: true,
  })
  .pipe(
    z.object({
      phase: phaseNamed('execution'),
      current_task: lenientId,
      expected_outcome_met: parseLooseBoolean(false),
      evidence: lenientText,
      comment: lenientTextOrNull,
    }),
  );

/** Reads the end of an action; only a clear yes says that its outcome was met. Never throws. */
export function readExecution(text: WrittenAnswer): AnswerReading<ExecutionAnswer> {
  return readAnswer(text, execution);
}

const count = lenientCount({ min: 0, max: 1_000_000 }).transform((read) => read ?? 0);

const summary = z.object({
  goal_achieved: parseLooseBoolean(false),
  tasks_completed: count,
  tasks_failed: count,
  key_outcomes: lenientTexts,
  lessons_learned: lenientTexts,
});

const completion = z.preprocess(
  frame,
  z.object({
    phase: phaseNamed('completion'),
    done: parseLooseBoolean(false),
    summary,
    comment: lenientTextOrNull,
  }),
);

/** Reads the end of a run. Never throws. */
export function readCompletion(text: WrittenAnswer): AnswerReading<CompletionAnswer> {
  return readAnswer(text, completion);
}

function frame(value: unknown): unknown {
  const record = toRecord(value);
  if (record === null || 'summary' in record) return value;
  return 'goal_achieved' in record ? { ...record, summary: record } : null;
}
