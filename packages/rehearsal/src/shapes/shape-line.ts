import { z } from 'zod';
import { isKind, isKnownKey } from './known-fields.ts';
import { isHeaderWord, isKnownHeader } from './known-headers.ts';

/** Reasons for which a request got no answer. */
export const failureWords = ['aborted', 'timed out', 'not connected', 'broken off'] as const;

const isPath = (path: string): boolean =>
  path
    .replaceAll('[]', '')
    .split('.')
    .every((key, index) => (index === 0 ? key === '$' : key === '?' || isKnownKey(key)));

/** A shape as it is stored. Anything that a recorder cannot have written is refused. */
export const shapeSchema = z.record(z.string().refine(isPath), z.array(z.string().refine(isKind)).readonly());

const count = z.number().int().min(0);

/** Address with placeholders, from a fixed alphabet. */
export const routeSchema = z.string().regex(/^(?:\?|[A-Z]{3,6}) (?:\?|(?:\/[\w\-{}+.@]*)+)(?: [\w?]+)?$/);
export const serviceSchema = z.enum(['github', 'gitlab', 'discord', 'model', 'other']);
export const sourceSchema = z.enum(['daemon', 'bot', 'person']);
export const headerNameSchema = z.string().refine(isKnownHeader);
export const headerWordSchema = z.string().refine(isHeaderWord);
export const statusSchema = z.number().int().min(100).max(599).nullable();
export const serverSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/)
  .nullable();
export const querySchema = z.array(z.string().refine(isKnownKey));

/** One request and its answer, without content. */
export const shapeLineSchema = z.strictObject({
  /** Milliseconds since 1970. */
  at: count,
  source: sourceSchema,
  service: serviceSchema,
  route: routeSchema,
  /** Names of the parameters in the address. */
  query: querySchema,
  /** Vendor of a model server; null: unknown, or no model server. */
  server: serverSchema,
  /** Null: no answer arrived. */
  status: statusSchema,
  failure: z.enum(failureWords).nullable(),
  milliseconds: count,
  headers: z.record(headerNameSchema, z.union([count, headerWordSchema])),
  /** True if a list has as many entries as the request asks for. Null: not a list, or no size was asked for. */
  isFullPage: z.boolean().nullable(),
  request: shapeSchema.nullable(),
  answer: shapeSchema.nullable(),
});

/** One request and its answer, without content. */
export type ShapeLine = z.output<typeof shapeLineSchema>;
