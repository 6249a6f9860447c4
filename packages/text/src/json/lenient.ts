import * as z from 'zod';
import { isPlaceholder } from './placeholders.ts';

/** Text, whatever a model wrote in its place; empty where there is none. */
export const lenientText = z.unknown().optional().transform(toText);

/** Texts, whatever a model wrote in their place; at most 50. */
export const lenientTexts = z
  .unknown()
  .optional()
  .transform((value) => [...toTexts(value)]);

/** A confidence from 0 to 1; 0 where no number can be made out. @see decision E2 */
export const lenientConfidence = z.unknown().optional().transform(toConfidence);

const yes: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1', 'はい', '可', '可能', 'ok', 'できる']);

/** A clear yes, also as a word; what is left out is `absent`, and everything else is a no. */
export function parseLooseBoolean(absent: boolean) {
  return z
    .unknown()
    .optional()
    .transform((value) => {
      const word = toText(value).normalize('NFKC').toLowerCase();
      return value === undefined || value === null || word === '' ? absent : yes.has(word);
    });
}

/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Tells whether a value of JSON is an object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object as it is; null for everything else. */
export function toRecord(value: unknown): JsonRecord | null {
  return isRecord(value) ? value : null;
}

const aboutPrefix = /^(?:[~≈約]|about\s|ca\.\s?)\s*/i;
/** Before three digits it only parts thousands. */
const decimalComma = /^-?(?:\d*,(?=\d{1,2}(?!\d))|0?,(?=\d))/;
const plainNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
/** Share, also with words around it: a decimal, a percentage, or how many it is out of. */
const share = String.raw`(\d+(?:\.\d+)?|\.\d+)\s*(?:(%|percent|パーセント)|\/\s*(\d+))|(0?\.\d+|1\.0{1,2})(?!\d|\.\d)`;
const leadingShare = new RegExp(`^(?:${share})`, 'i');
const enclosedShare = new RegExp(`\\((?:${share})\\s*\\)$`, 'i');

/**
 * From 0 to 1, whether written as a number, as a text that begins or ends with a share, or as a percentage; 0 for
 * anything else, such as a count of things. A number from 10 to 100 is a percentage without its sign; others are brought
 * into the range. @see decision E2
 */
export function toConfidence(value: unknown): number {
  const read = typeof value === 'number' ? value : typeof value === 'string' ? readText(value) : 0;
  if (!Number.isFinite(read)) return 0;
  return Math.min(1, Math.max(0, read >= 10 && read <= 100 ? read / 100 : read));
}

function readText(written: string): number {
  const text = written
    .normalize('NFKC')
    .trim()
    .replace(decimalComma, (found) => found.replace(',', '.'))
    .replace(aboutPrefix, '');
  if (plainNumber.test(text)) return Number(text);
  const [, digits, percent, whole, decimal] = leadingShare.exec(text) ?? enclosedShare.exec(text) ?? [];
  if (decimal !== undefined) return Number(decimal);
  if (digits === undefined) return 0;
  const read = Number(digits) / (percent === undefined ? Number(whole) : 100);
  // "1/0" and "3/2 of the files" say no share.
  return read > 1 ? 0 : read;
}

const maxChars = 2_000;
const maxDepth = 5;

/** Keys that say no more than that their value is the thing. */
const namingKeys: ReadonlySet<string> = new Set([
  'id',
  'name',
  'title',
  'item',
  'text',
  'description',
  'value',
  'label',
  'content',
  'summary',
  'question',
]);

/** Text, whatever a model wrote in its place: lists and objects become one; empty where there is none. */
export function toText(value: unknown): string {
  const text = join(value, 0).trim();
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`.toWellFormed();
}

function join(value: unknown, depth: number): string {
  if (typeof value === 'string') return isPlaceholder(value) ? '' : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return '';
  if (Array.isArray(value)) return joinAll(value.map((item) => join(item, depth + 1)));
  return joinAll(
    Object.entries(value).map(([key, inner]) => {
      const text = join(inner, depth + 1);
      return text === '' || namingKeys.has(key) ? text : `${key}: ${text}`;
    }),
  );
}

function joinAll(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}

const maxItems = 50;
const nothing =
  /^(?:none|nothing|n\/?a|null|nil|[-–—ー]|なし|無し|特に(?:なし|無し)|(?:特に)?ありません)[.。]?$/i;

/** Tells whether a text says that there is nothing to say. */
export function isNothing(text: string): boolean {
  return text === '' || nothing.test(text);
}

/** The items of a list; models write one item where a list is asked for, and null where it is empty. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The first items of a list as texts, without those that say nothing. */
export function toTexts(value: unknown): readonly string[] {
  return toList(value)
    .slice(0, maxItems)
    .map(toText)
    .filter((text) => !isNothing(text));
}

/** Tells whether a text is as a form shows it: a placeholder, or three choices and more of which the model was to take one. */
export function isLeftOpen(text: string): boolean {
  return isPlaceholder(text) || /^[a-z_]{1,40}(?:\|[a-z_]{1,40}){2,9}$/.test(text);
}

/** The value of a JSON text; undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
