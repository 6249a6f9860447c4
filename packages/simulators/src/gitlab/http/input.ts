import { z } from 'zod';
import { badParameters } from '../state/refusal.ts';
import type { Call } from './route.ts';

/** Query and body of a request as one record; the body wins. A body is JSON or a form. @throws {Refusal} 400 */
export function readInput(
  query: URLSearchParams,
  body: { readonly text: string; readonly type: string },
): Record<string, unknown> {
  const input = readForm(query);
  const { text, type } = body;
  if (text.trim() === '') return input;
  if (!type.includes('json')) return { ...input, ...readForm(new URLSearchParams(text)) };
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return { ...input, ...parsed };
  } catch {
    // Answered below, as whatever else is no object.
  }
  throw badParameters('The request body is not valid JSON.');
}

/** The input as a route needs it. @throws {Refusal} 400 that names what is missing or does not fit */
export function inputOf<Schema extends z.ZodType>(call: Call, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(call.input);
  if (parsed.success) return parsed.data;
  throw badParameters(
    [...new Set(parsed.error.issues.map((issue) => describe(issue, call.input)))].join(', '),
  );
}

/** A whole number, as JSON or as text. */
export const integer = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);

/** True or false, as JSON or as text. */
export const boolean = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1'),
]);

/** Names with commas between them, or a list of such; empty text is an empty list. */
export const names = z.union([z.string(), z.array(z.string())]).transform((value) =>
  [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter(Boolean),
);

/** Ids in a list, or one by itself; 0 and empty text are none. */
export const ids = z
  .union([integer, z.literal(''), z.array(z.union([integer, z.literal('')]))])
  .transform((value) => [value].flat().filter((id): id is number => typeof id === 'number' && id > 0));

/** A time in ISO 8601, as milliseconds since the epoch. */
export const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => Date.parse(text));

/** Text that may not be left blank. */
export const filled = z.string().refine((text) => text.trim() !== '', { params: { problem: 'is empty' } });

function readForm(form: URLSearchParams): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const key of new Set(form.keys())) {
    const values = form.getAll(key);
    input[key.replace(/\[\]$/, '')] = key.endsWith('[]') ? values : values.at(-1);
  }
  return input;
}

function describe(issue: z.core.$ZodIssue, input: Readonly<Record<string, unknown>>): string {
  const name = issue.path.map(String)[0] ?? 'body';
  if (input[name] === undefined) return `${name} is missing`;
  if (issue.code === 'custom' && issue.params?.problem) return `${name} ${issue.params.problem}`;
  return issue.code === 'invalid_value' ? `${name} does not have a valid value` : `${name} is invalid`;
}
