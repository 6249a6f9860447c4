import { z } from 'zod';
import type { JsonObject } from '../run-model.ts';

/** A JSON object out of JSON text: to look through it again would cost more than all the rest of a reading. */
export const parsedObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A JSON object, looked through to its leaves: for values that may come from a caller. */
export const jsonObject = z.record(z.string(), z.json()).transform((value) => value as JsonObject);

/** A time as text. */
export const timeText = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'not a time in ISO 8601');

/** Milliseconds since 1970, to sort by; 0 for a text that is no time, and for null. */
export function toTimeMs(text: string | null): number {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

/**
 * A time in ISO 8601, with its zone: as it stands, or in UTC where it has none, as earlier programs wrote it. Null for
 * what is no time.
 */
export function toIsoTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const hasZone = /(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text);
  const moment = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(moment)) return null;
  return hasZone ? text : new Date(moment).toISOString();
}
