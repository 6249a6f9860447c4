import type * as z from 'zod';
import { removeReasoning } from '../reasoning/remove-reasoning.ts';
import { findCandidates, type ReadingWay } from './find-candidates.ts';
import { isLeftOpen, parseJson, toRecord } from './lenient.ts';
import { withoutPlaceholders } from './placeholders.ts';

export type { ReadingWay };

/** Reading of a model's text. */
export type JsonReading<Answer> =
  | { readonly status: 'read'; readonly answer: Answer; readonly way: ReadingWay }
  /** `problem` says to the model what was wrong; `isJson`: there was an object, of another form. */
  | { readonly status: 'unreadable'; readonly problem: string; readonly isJson: boolean };

const maxStrings = 3;

/**
 * Reads the JSON that a model was asked for out of what it said: thoughts, prose, fences, calls and strings around it,
 * broken off or with mistakes in it. What is said comes before what is thought, whole objects before repaired ones; the
 * form that the model was shown is no answer, and its placeholders are missing values. Takes time in proportion to the text's length, whatever is in it.
 *
 * @example
 * readJsonAnswer("Here: {'total': 3,}", z.object({ total: z.number() }));
 * // { status: 'read', answer: { total: 3 }, way: 'repaired' }
 */
export function readJsonAnswer<Answer>(text: string, schema: z.ZodType<Answer>): JsonReading<Answer> {
  const trimmed = text.trim();
  const written = narrowBrackets(openStrings(trimmed));
  const said = removeReasoning(written);
  let problem: string | null = null;
  for (const place of said === written || said === '' ? [written] : [said, written]) {
    for (const { value, way } of findCandidates(place, trimmed)) {
      for (const inner of unwrapAnswer(value)) {
        const judged = judge(inner, schema);
        if (judged.isAnswer) return { status: 'read', answer: judged.answer, way };
        problem ??= judged.problem;
      }
    }
  }
  return {
    status: 'unreadable',
    problem: problem ?? 'there was no JSON object in it',
    isJson: problem !== null,
  };
}

/** Some models write the JSON as the content of a JSON string. */
function openStrings(text: string): string {
  let opened = text;
  for (let count = 0; count < maxStrings && opened.startsWith('"'); count += 1) {
    const inner = parseJson(opened);
    if (typeof inner !== 'string') break;
    opened = inner.trim();
  }
  return opened;
}

/** An answer all of whose brackets are in full width, as writers of Japanese make them. */
function narrowBrackets(text: string): string {
  if (text.includes('{') || !text.includes('｛')) return text;
  return text.replace(/[｛｝［］]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - fullWidth));
}

const fullWidth = 0xfee0;

type Judgment<Answer> =
  | { readonly isAnswer: true; readonly answer: Answer }
  | { readonly isAnswer: false; readonly problem: string };

function judge<Answer>(value: unknown, schema: z.ZodType<Answer>): Judgment<Answer> {
  if (isEchoedForm(value)) return { isAnswer: false, problem: 'the form was returned unchanged' };
  const { success, data, error } = schema.safeParse(withoutPlaceholders(value));
  if (success) return { isAnswer: true, answer: data };
  const issues = error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return { isAnswer: false, problem: `it was JSON of another form (${issues.join('; ')})` };
}

const maxFormDepth = 16;

/** Tells whether an object is the form that the model was shown: more than half of its texts were left as they stood there. */
function isEchoedForm(value: unknown): boolean {
  const counts = { filled: 0, open: 0 };
  count(value, { depth: 0, counts });
  return counts.open > counts.filled;
}

interface Counting {
  readonly depth: number;
  readonly counts: { filled: number; open: number };
}

function count(value: unknown, { depth, counts }: Counting): void {
  if (typeof value === 'string') {
    if (isLeftOpen(value)) counts.open += 1;
    else if (value !== '') counts.filled += 1;
  } else if (typeof value === 'object' && value !== null && depth < maxFormDepth) {
    for (const inner of Object.values(value)) count(inner, { depth: depth + 1, counts });
  }
}

/** Keys under which frames that models write hold what is meant: those of calls (`answer` is our tool's name), and their own. */
const innerKeys = [
  'arguments',
  'parameters',
  'input',
  'function',
  'tool_calls',
  'answer',
  'response',
  'result',
  'output',
];
const maxFrames = 4;

/** Lists possible answers: the object itself, then what its frames hold, from outside in. */
function unwrapAnswer(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  for (let inner = value; found.length < maxFrames; ) {
    const record = toRecord(typeof inner === 'string' ? parseJson(inner) : inner);
    if (record === null) break;
    found.push(record);
    const held = innerKeys.map((key) => record[key]).find((one) => one !== undefined && one !== null);
    inner = Array.isArray(held) ? held[0] : held;
  }
  return found;
}
