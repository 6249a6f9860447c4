import type { z } from 'zod';
import { type JsonReading, readJsonAnswer } from '../json/read-json-answer.ts';

/** Reads the first of several texts that can be read; what is wrong is said of one with JSON in it, if there is one. */
export function readFirstAnswer<Answer>(
  texts: readonly string[],
  schema: z.ZodType<Answer>,
): JsonReading<Answer> {
  let unreadable = readJsonAnswer('', schema);
  for (const text of texts) {
    const reading = readJsonAnswer(text, schema);
    if (reading.status === 'read') return reading;
    if (reading.isJson && unreadable.status === 'unreadable' && !unreadable.isJson) unreadable = reading;
  }
  return unreadable;
}
