import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';
import type { Json, JsonObject } from '../run-model.ts';

/** A JSON object out of JSON text: to look through it again would cost more than all the rest of a reading. */
export const parsedObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A JSON value, looked through to its leaves. */
export const jsonValue = z.json().transform((value) => value as Json);

/** A JSON object, looked through to its leaves: for values that may come from a caller. */
export const jsonObject = z.record(z.string(), z.json()).transform((value) => value as JsonObject);

/** A time as text. */
export const timeText = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'not a time in ISO 8601');

/** A field that may be left out, or null. */
export const or = <Value>(schema: z.ZodType<Value>, missing: Value) =>
  schema.nullish().transform((value) => value ?? missing);

/** The same, and null where it is left out. */
export const orNull = <Value>(schema: z.ZodType<Value>) => or<Value | null>(schema, null);

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

/** Reads JSON text; null for no text, and for what cannot be read. */
export function parseOrNull<Parsed>(text: string | null, parse: (json: unknown) => Parsed): Parsed | null {
  try {
    return text === null ? null : parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Reads JSON text that was written as a whole. `place`: of it, in words that begin a sentence.
 * @throws {ContextStoreError} `damaged`
 */
export function parseWritten(text: string, place: string): Json {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${place} is not the JSON that was written there. Put it back from a copy, or remove it.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
}

type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail> & string>}`
  : Name;

/** A stored object with the names of its fields in camelCase. */
type CamelCased<Stored> = Stored extends unknown
  ? { readonly [Name in keyof Stored as Camel<Name> & string]: Stored[Name] }
  : never;

const camelNames = new Map<string, string>();

/** Remembered, as the names of fields are few and rows are many. */
function toCamel(name: string): string {
  const known = camelNames.get(name);
  if (known !== undefined) return known;
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(name, camel);
  return camel;
}

/** Names the fields of an object as the program does: files have them in snake_case. What they hold stays as it is. */
export function toCamelCase<Stored extends object>(stored: Stored): CamelCased<Stored> {
  const named = Object.entries(stored).map(([name, value]) => [toCamel(name), value]);
  return Object.fromEntries(named) as CamelCased<Stored>;
}

/** Takes the fields of a schema's shape out of an object, in their order and under their names in files. */
export function toSnakeCase<Shape extends object>(
  shape: Shape,
  value: { readonly [Name in keyof Shape as Camel<Name> & string]: unknown },
): { readonly [Name in keyof Shape]: Json } {
  const fields = value as Readonly<Record<string, unknown>>;
  const named = Object.keys(shape).map((name) => [name, fields[toCamel(name)]]);
  return Object.fromEntries(named) as { readonly [Name in keyof Shape]: Json };
}
