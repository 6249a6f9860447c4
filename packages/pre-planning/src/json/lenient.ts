import { z } from 'zod';
import { toConfidence } from './to-confidence.ts';
import { toText } from './to-text.ts';
import { toTexts } from './to-texts.ts';

/** Text, whatever a model wrote in its place; empty where there is none. */
export const lenientText = z.unknown().optional().transform(toText);

/** Texts, whatever a model wrote in their place; at most 50. */
export const lenientTexts = z
  .unknown()
  .optional()
  .transform((value) => [...toTexts(value)]);

/** From 0 to 1; 0 where no number can be made out. @see decision E2 */
export const lenientConfidence = z.unknown().optional().transform(toConfidence);

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1', 'はい', '可', '可能', 'ok', 'できる']);

/** A clear yes, also as a word; what is left out is `absent`, and everything else is a no. */
export function lenientYes(absent: boolean) {
  return z
    .unknown()
    .optional()
    .transform((value) => {
      const word = toText(value).normalize('NFKC').toLowerCase();
      return value === undefined || value === null || word === '' ? absent : yes.has(word);
    });
}

/** A JSON object as models write it; null for everything else. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
