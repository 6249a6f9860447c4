import {
  lenientConfidence,
  lenientText,
  lenientTexts,
  parseLooseBoolean,
  toList,
  toRecord,
} from '@agent/text/json';
import { z } from 'zod';
import type { VerificationAnswer } from '../model.ts';
import { lenientCount, lenientObjects, lenientTextOrNull, phaseNamed } from './lenient-parts.ts';
import { lenientActions } from './plan.ts';
import { type AnswerReading, readAnswer, type WrittenAnswer } from './read-answer.ts';

const maxCount = 1_000_000;

const explained = z.object({ location: lenientText, reason: lenientText });

const placeholders = z
  .preprocess(
    (value) => toRecord(value) ?? (Array.isArray(value) ? { locations: value } : { count: value }),
    z.object({
      count: lenientCount({ min: 0, max: maxCount }),
      locations: lenientTexts,
      explained: lenientObjects(explained),
    }),
  )
  .transform(({ count, ...rest }) => ({ ...rest, count: count ?? rest.locations.length }));

const verification = z
  .looseObject({})
  .refine((written) => 'verification_passed' in written, {
    path: ['verification_passed'],
    message: 'say true or false',
    abort: true,
  })
  .pipe(
    z.object({
      phase: phaseNamed('verification'),
      verification_passed: parseLooseBoolean(false),
      issues_found: lenientTexts,
      placeholder_detected: placeholders,
      additional_work_needed: z.unknown().optional(),
      additional_actions: lenientActions,
      completion_confidence: lenientConfidence,
      comment: lenientTextOrNull,
    }),
  )
  .transform(({ additional_work_needed: needed, additional_actions: actions, ...rest }) => ({
    ...rest,
    additional_actions: actions.map((action, index) => ({
      ...action,
      task_id: `verification_fix_${index + 1}`,
    })),
    additional_work_needed: parseLooseBoolean(actions.length > 0).parse(needed),
  }));

/** Reads a verification; only a clear yes says that it was passed. Never throws. */
export function readVerification(text: WrittenAnswer): AnswerReading<VerificationAnswer> {
  return readAnswer(text, z.preprocess(frame, verification));
}

function frame(value: unknown): unknown {
  const record = toRecord(value);
  return toRecord(toList(record?.verification)[0]) ?? toRecord(record?.verification_result) ?? value;
}
