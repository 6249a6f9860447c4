import { lenientTexts, parseLooseBoolean, toRecord } from '@agent/text/json';
import { z } from 'zod';
import type { CompletionAnswer } from '../model.ts';
import { lenientCount, lenientTextOrNull, phaseNamed } from './lenient-parts.ts';
import { type AnswerReading, readAnswer } from './read-answer.ts';

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
export function readCompletion(text: string): AnswerReading<CompletionAnswer> {
  return readAnswer(text, completion);
}

function frame(value: unknown): unknown {
  const record = toRecord(value);
  if (record === null || 'summary' in record) return value;
  return 'goal_achieved' in record ? { ...record, summary: record } : null;
}
