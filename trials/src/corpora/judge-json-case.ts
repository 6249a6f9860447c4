import { isDeepStrictEqual } from 'node:util';
import { readJsonAnswer } from '@agent/text/json';
import { z } from 'zod';
import { type JsonCase, toCaseId } from './json-suites.ts';
import { ownValues } from './own-values.ts';

export interface JudgedCase {
  readonly id: string;
  /** `own-value`: read as we expect, which the suite does not. `no-object`: answers of models are objects. */
  readonly kind: 'passed' | 'own-value' | 'no-object' | 'failed';
  readonly detail: string;
}

/** Reads the text of a case as the answer of a model, and compares it with the suite's value or our own. */
export function judgeJsonCase({ text, expected }: JsonCase): JudgedCase {
  const id = toCaseId(text);
  const own = ownValues.get(id);
  const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
  if (!isObject && own === undefined) return { id, kind: 'no-object', detail: '' };
  const reading = readJsonAnswer(text, z.looseObject({}));
  const value: unknown = reading.status === 'read' ? reading.answer : null;
  if (isDeepStrictEqual(value, expected)) return { id, kind: 'passed', detail: '' };
  if (own !== undefined && isDeepStrictEqual(value, own.value))
    return { id, kind: 'own-value', detail: own.why };
  return {
    id,
    kind: 'failed',
    detail: `${text.slice(0, 200)} → ${JSON.stringify(value)}, expected ${JSON.stringify(expected)}`,
  };
}
