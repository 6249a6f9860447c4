import type { z } from 'zod';
import { Refusal, unprocessable } from '../state/refusal.ts';
import type { Call } from './route.ts';

/** The JSON of a request; null when it is empty. @throws {Refusal} 400 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal({ status: 400, message: 'Problems parsing JSON' });
  }
}

/** The body as a route needs it. @throws {Refusal} 422 that names what is missing or of the wrong type */
export function bodyOf<Schema extends z.ZodType>(call: Call, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(call.body ?? {});
  if (parsed.success) return parsed.data;
  throw unprocessable(
    `Invalid request.\n\n${parsed.error.issues.map((issue) => describe(issue, call.body)).join('\n')}`,
  );
}

function describe(issue: z.core.$ZodIssue, body: unknown): string {
  const path = issue.path.map(String);
  const value = path.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null)?.[key],
    body ?? {},
  );
  if (value === undefined) return `"${path.join('.')}" wasn't supplied.`;
  const expected = 'expected' in issue ? issue.expected : 'valid value';
  return `For 'properties/${path.join('/')}', ${JSON.stringify(value)} is not a ${expected}.`;
}
