import { z } from 'zod';

const maxChars = 2_000;
const maxItems = 50;

/** Text, whatever a model wrote in its place; empty where there is none. */
export const lenientText = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : cut(String(value).trim())));

/** Models write one item where a list is asked for, and null where it is empty. */
export const lenientTexts = z
  .preprocess(takeFirst(maxItems), z.union([z.array(lenientText), lenientText.transform((value) => [value])]))
  .transform((items) => items.filter((item) => item !== ''));

/** Leaves the first items of a list: what nobody reads is not checked either. */
export function takeFirst(count: number): (value: unknown) => unknown {
  return (value) => (Array.isArray(value) ? value.slice(0, count) : value);
}

/** From 0 to 1, whether written as a number, as its text or as a percentage; 0 for anything else. @see decision E2 */
export const lenientConfidence = z
  .unknown()
  .optional()
  .transform((value) => Math.min(1, Math.max(0, toNumber(value))));

/** Yes or no, also as a word; what is neither is `otherwise`. */
export function lenientBoolean(otherwise: boolean) {
  return z
    .unknown()
    .optional()
    .transform((value) => {
      if (typeof value === 'boolean') return value;
      const word = String(value ?? '')
        .trim()
        .toLowerCase();
      if (['true', 'yes', '1', 'はい'].includes(word)) return true;
      return ['false', 'no', '0', 'いいえ'].includes(word) ? false : otherwise;
    });
}

/** A JSON object as models write it; null for everything else. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}

function cut(text: string): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`.toWellFormed();
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0;
  const [, digits, percent] =
    /^\s*(-?\d*\.?\d+)\s*(%?)\s*$/.exec(typeof value === 'string' ? value : '') ?? [];
  return digits === undefined ? 0 : Number(digits) / (percent === '%' ? 100 : 1);
}
