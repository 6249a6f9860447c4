import type { z } from 'zod';
import { type FoundObjects, findJsonObjects } from './find-json-objects.ts';
import { mendJson } from './mend-json.ts';
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
 * with mistakes in it. Takes time in proportion to the text's length, whatever is in it.
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
  const places = said === trimmed ? [said] : [said, trimmed];
  const found = places.map((place) => ({ place, ...findJsonObjects(place) }));
  for (const { place, closed } of found) {
    for (const { start, end } of closed.slice(-maxTried).toReversed()) {
      const way = end - start === trimmed.length ? 'direct' : 'extracted';
      const reading = accept(parse(place.slice(start, end)), way);
      if (reading !== null) return reading;
    }
  }
  const broken = found.map(findBroken).find((object) => object !== null);
  const mended = broken === undefined ? null : accept(mendJson(broken), 'repaired');
  return mended ?? { status: 'unreadable', problem };
}

/** What is worth mending: what nothing closes, or else the longest object. */
function findBroken({ place, closed, openAt }: FoundObjects & { readonly place: string }): string | null {
  if (openAt !== null) return place.slice(openAt);
  const [longest] = closed.toSorted((left, right) => right.end - right.start - (left.end - left.start));
  return longest === undefined ? null : place.slice(longest.start, longest.end);
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
