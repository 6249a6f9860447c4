import { z } from 'zod';
import { invalidField } from './refusal.ts';

/** @throws Refusal 50035 naming the first field that is wrong. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  throw invalidField(path, issueCode(issue), issue?.message ?? 'Invalid value.');
}

function issueCode(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'too_big') return 'BASE_TYPE_MAX_LENGTH';
  if (issue?.code === 'too_small') return 'BASE_TYPE_BAD_LENGTH';
  return 'BASE_TYPE_BAD';
}

/** A text of at most so many characters, counted as JavaScript does, which is never less than Discord counts. */
export function textUpTo(most: number) {
  return z.string().max(most, `Must be ${most} or fewer in length.`);
}
