import { lenientText, toList, toRecord, toText } from '@agent/text/json';
import { z } from 'zod';
import type { JsonValue } from '../../model.ts';

/** Text that an answer may leave out; null where it does. */
export const lenientTextOrNull = lenientText.transform((text) => (text === '' ? null : text));

/** Word that says of which phase an answer is, whatever is written in its place. */
export function phaseNamed<const Name extends string>(name: Name) {
  return z
    .unknown()
    .optional()
    .transform((): Name => name);
}

const maxIdChars = 100;
/** More than any plan may have; what checks a plan says that it has too many. */
const maxItems = 1_000;

/** Name that other parts of an answer refer to; empty where there is none. */
export const lenientId = z.unknown().optional().transform(toId);

/** Names, each once, in a list or in one text with commas between them. */
export const lenientIds = z
  .unknown()
  .optional()
  .transform((value) => {
    const items = typeof value === 'string' ? value.split(/[,、]|->|→/) : toList(value);
    return [...new Set(items.slice(0, maxItems).map(toId))].filter((id) => id !== '');
  });

function toId(value: unknown): string {
  return toText(value).slice(0, maxIdChars).toWellFormed();
}

/** Objects of a lenient form; where there is none, nothing, and what is no object is left out. At most 1,000. */
export function lenientObjects<Value>(schema: z.ZodType<Value>) {
  return z
    .unknown()
    .optional()
    .transform((value) =>
      toList(value)
        .slice(0, maxItems)
        .filter((item) => toRecord(item) !== null)
        .map((item) => schema.parse(item)),
    );
}

/** One of some words, however it is spelled; `fallback` for everything else. */
export function lenientChoice<const Choice extends string, const Fallback extends string>(
  choices: readonly Choice[],
  fallback: Fallback,
) {
  return z
    .unknown()
    .optional()
    .transform((value): Choice | Fallback => {
      const word = toText(value).normalize('NFKC').toLowerCase().replace(/[\s-]/g, '_');
      return choices.find((choice) => choice === word) ?? fallback;
    });
}

/** A whole number of a range, also as a text; null where there is none. */
export function lenientCount({ min, max }: { readonly min: number; readonly max: number }) {
  return lenientText.transform((text) => {
    const [digits] = /-?\d{1,9}/.exec(text.normalize('NFKC')) ?? [];
    return digits === undefined ? null : Math.min(max, Math.max(min, Number(digits)));
  });
}

const maxParameterChars = 50_000;
const maxParameterDepth = 16;
/** Keys by which an object would change what it is, once it is copied. */
const strangeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Parameters of a tool as the model means them: JSON of bounded size, never a key of the language; `{}` for everything else. */
export const lenientParameters = z
  .unknown()
  .optional()
  .transform((value): { readonly [name: string]: JsonValue } => {
    const record = toRecord(value);
    if (record === null) return {};
    const copied = Object.fromEntries(copyEntries(record, 0));
    return JSON.stringify(copied).length <= maxParameterChars ? copied : {};
  });

function copy(value: unknown, depth: number): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || depth >= maxParameterDepth) return null;
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
  return Object.fromEntries(copyEntries(value, depth));
}

function copyEntries(value: object, depth: number): readonly [string, JsonValue][] {
  return Object.entries(value)
    .filter(([key]) => !strangeKeys.has(key))
    .map(([key, inner]) => [key.toWellFormed(), copy(inner, depth + 1)]);
}
