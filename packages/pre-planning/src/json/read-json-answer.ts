import type { z } from 'zod';
import { parseBrokenOff } from './complete-json.ts';
import { findJsonObjects } from './find-json-objects.ts';
import { parseRepaired } from './repair-json.ts';
import { stripThinking } from './strip-thinking.ts';

/** `direct`: the text is the JSON. `extracted`: it stands in the text. `repaired`: it had to be mended. */
export type ReadingWay = 'direct' | 'extracted' | 'repaired';

/** What was made of a model's text. */
export type JsonReading<Answer> =
  | { readonly status: 'read'; readonly answer: Answer; readonly way: ReadingWay }
  /** `problem` says to the model what was wrong. */
  | { readonly status: 'unreadable'; readonly problem: string };

/** Objects that are tried, the last first: a model that corrects itself says the right one last. */
const maxTried = 8;

/**
 * Reads the JSON that a model was asked for out of what it said: thoughts, prose and fences around it, broken off or
 * with mistakes in it. Takes time in proportion to the text's length, and at most 300 ms more to mend mistakes.
 */
export function readJsonAnswer<Answer>(text: string, schema: z.ZodType<Answer>): JsonReading<Answer> {
  let problem = 'there was no JSON object in it';
  const accept = (value: unknown, way: ReadingWay): JsonReading<Answer> | null => {
    if (value === undefined || value === null || typeof value !== 'object') return null;
    const parsed = schema.safeParse(value);
    if (parsed.success) return { status: 'read', answer: parsed.data, way };
    problem = describeIssues(parsed.error);
    return null;
  };
  const trimmed = text.trim();
  const said = stripThinking(trimmed);
  const places = said === trimmed ? [trimmed] : [said, trimmed];
  for (const place of places) {
    for (const { value, way } of listValues(place, trimmed)) {
      const reading = accept(value, way);
      if (reading !== null) return reading;
    }
  }
  return { status: 'unreadable', problem };
}

function* listValues(
  text: string,
  whole: string,
): Generator<{ readonly value: unknown; readonly way: ReadingWay }> {
  const { closed, openAt } = findJsonObjects(text);
  const objects = closed.slice(-maxTried).map(({ start, end }) => text.slice(start, end));
  for (const object of objects.toReversed()) {
    yield { value: parse(object), way: object.length === whole.length ? 'direct' : 'extracted' };
  }
  const open = openAt === null ? null : text.slice(openAt);
  if (open !== null) yield { value: parseBrokenOff(open), way: 'repaired' };
  const largest = objects.toSorted((left, right) => right.length - left.length)[0];
  // Mending may take long, so that it is tried once.
  const broken = open ?? largest;
  if (broken !== undefined) yield { value: parseRepaired(broken), way: 'repaired' };
}

function describeIssues(error: z.core.$ZodError): string {
  const issues = error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  return `it was JSON of another form (${issues.join('; ')})`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
