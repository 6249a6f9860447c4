import { z } from 'zod';
import { checkNames } from '../check-names.ts';
import {
  failureWords,
  headerNameSchema,
  headerWordSchema,
  querySchema,
  routeSchema,
  serverSchema,
  serviceSchema,
  shapeSchema,
  sourceSchema,
  statusSchema,
} from './shape-line.ts';

const count = z.number().int().min(0);
const range = z.strictObject({ least: count, median: count, most: count });

const headerSchema = z.strictObject({
  /** Answers that have the header. */
  count,
  words: z.array(headerWordSchema).readonly(),
  /** Smallest and largest number of a rate limit; null without one. */
  numbers: z.strictObject({ least: count, most: count }).nullable(),
});

const exchangeSchema = z.strictObject({
  service: serviceSchema,
  route: routeSchema,
  status: statusSchema,
  failure: z.enum(failureWords).nullable(),
  server: serverSchema,
  count,
  sources: z.array(sourceSchema).readonly(),
  query: querySchema.readonly(),
  milliseconds: range,
  headers: z.record(headerNameSchema, headerSchema),
  /** Pages of lists that are full, and how many of them link to further pages. */
  fullPages: count,
  linkedPages: count,
  request: shapeSchema.nullable(),
  answer: shapeSchema.nullable(),
});

/** All requests with the same route and result, and their answers. */
export type Exchange = z.output<typeof exchangeSchema>;

/** Parts whose versions a rehearsal names. */
export const versionNames = ['program', 'node', 'git', 'server'] as const;
/** Platforms that a rehearsal names. */
export const platformNames = ['github', 'gitlab', 'discord'] as const;
/** Results of a check. */
export const checkStatuses = ['passed', 'failed', 'not-supported', 'skipped'] as const;

/** Two or three numbers, so that no address is one: `3.14.2`, `18.4.0-ee`. */
export const versionPattern = /^\d{1,4}(?:\.\d{1,4}){1,2}(?:-(?:ee|ce|pre|alpha|beta|rc)(?:\.?\d{1,3})?)?$/;
/** Content of `rehearsal.json`. */
export const rehearsalSchema = z.strictObject({
  format: z.literal('agent-rehearsal'),
  version: z.literal(1),
  /** Null: a platform without a name here. */
  platform: z.enum(platformNames).nullable(),
  versions: z.partialRecord(z.enum(versionNames), z.string().regex(versionPattern)),
  checks: z.array(
    z.strictObject({
      name: z.enum(checkNames),
      status: z.enum(checkStatuses),
      milliseconds: count,
    }),
  ),
  exchanges: z.array(exchangeSchema),
  /** Requests in their order: milliseconds since the first, index in `exchanges`, duration in milliseconds. */
  timeline: z.array(z.tuple([count, count, count])),
});

/** Content of `rehearsal.json`. */
export type Rehearsal = z.output<typeof rehearsalSchema>;
