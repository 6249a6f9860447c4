import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import type { configSchema } from './schema.ts';

const secretKeys = /^(token|api_key|password|secret)$/;

/** Renders what is wrong with a configuration, one line per mistake, each with its path and what to do. */
export function describeIssues(error: z.ZodError, schema: typeof configSchema): string {
  return error.issues.map((issue) => `  - ${describeIssue(issue, schema)}`).join('\n');
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((key) => describeUnknownKey(key, { path, known })).join('\n  - ');
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return missing ? `${path} is missing: add it.` : `${path === '' ? 'the file' : path}: ${issue.message}`;
}

function describeUnknownKey(key: string, where: { path: string; known: readonly string[] }): string {
  const place = where.path === '' ? key : `${where.path}.${key}`;
  if (secretKeys.test(key)) {
    return `${place}: secrets do not belong in a file. Put it into an environment variable and name that in ${key}_env.`;
  }
  const nearest = where.known.length > 0 ? ` Did you mean ${closest(key, [...where.known])}?` : '';
  return `${place} is not a known key.${nearest}`;
}

function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = schema;
  for (const part of path) {
    const shape = shapeOf(here);
    if (shape === null) return [];
    here = shape[String(part)];
  }
  return Object.keys(shapeOf(here) ?? {});
}

function shapeOf(schema: unknown): Record<string, unknown> | null {
  if (schema instanceof z.ZodObject) return schema.shape;
  const def = (schema as { def?: { innerType?: unknown; in?: unknown } } | undefined)?.def;
  const inner = def?.innerType ?? def?.in;
  return inner === undefined ? null : shapeOf(inner);
}
