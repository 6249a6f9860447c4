import type { z } from 'zod';
import { findCandidates, type ReadingWay } from './find-candidates.ts';
import { isEchoedForm } from './is-echoed-form.ts';
import { parseJson } from './parse-json.ts';
import { stripThinking } from './strip-thinking.ts';
import { unwrapAnswer } from './unwrap-answer.ts';

export type { ReadingWay };

/** What was made of a model's text. */
export type JsonReading<Answer> =
  | { readonly status: 'read'; readonly answer: Answer; readonly way: ReadingWay }
  /** `problem` says to the model what was wrong; `isJson`: there was an object, of another form. */
  | { readonly status: 'unreadable'; readonly problem: string; readonly isJson: boolean };

const maxStrings = 3;

/**
 * Reads the JSON that a model was asked for out of what it said: thoughts, prose, fences, calls and strings around it,
 * broken off or with mistakes in it. What is said comes before what is thought, whole objects before mended ones; the
 * form that the model was shown is no answer. Takes time in proportion to the text's length, whatever is in it.
 */
export function readJsonAnswer<Answer>(text: string, schema: z.ZodType<Answer>): JsonReading<Answer> {
  const trimmed = text.trim();
  const written = narrowBrackets(openStrings(trimmed));
  const said = stripThinking(written);
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

type Judgement<Answer> =
  | { readonly isAnswer: true; readonly answer: Answer }
  | { readonly isAnswer: false; readonly problem: string };

function judge<Answer>(value: unknown, schema: z.ZodType<Answer>): Judgement<Answer> {
  if (isEchoedForm(value)) return { isAnswer: false, problem: 'the form was given back as it is' };
  const { success, data, error } = schema.safeParse(value);
  if (success) return { isAnswer: true, answer: data };
  const issues = error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return { isAnswer: false, problem: `it was JSON of another form (${issues.join('; ')})` };
}
