import { lenientText, parseLooseBoolean } from '@agent/text/json';
import { z } from 'zod';
import type { ExecutionAnswer } from '../model.ts';
import { lenientId, lenientTextOrNull, phaseNamed } from './lenient-parts.ts';
import { type AnswerReading, readAnswer } from './read-answer.ts';

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
export function readExecution(text: string): AnswerReading<ExecutionAnswer> {
  return readAnswer(text, execution);
}
