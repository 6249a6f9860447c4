import { removeReasoning } from '@agent/text';
import { parseJson, readJsonAnswer } from '@agent/text/json';
import { z } from 'zod';

/** Reading of an answer: the value with what had to be read leniently, or reasons that tell the model what to change. */
export type AnswerReading<Value> =
  | { readonly kind: 'ok'; readonly value: Value; readonly notes: readonly string[] }
  | BadAnswer;

/** Answer as the model wrote it, or what was wrong with one that was not taken, in a sentence. */
export type WrittenAnswer = string | { readonly lost: string };

/** An answer that cannot be used. */
export interface BadAnswer {
  readonly kind: 'bad';
  /** Sentences for the model, 1 to 10 of them. */
  readonly reasons: readonly string[];
}

/** Longer than any answer that was asked for: a plan of 100 actions has about 60,000. */
const maxAnswerChars = 400_000;
const maxReasons = 10;
const maxReasonChars = 300;

/**
 * Reads an answer by its schema out of whatever the model wrote around it. What the schema took for something else than it was
 * written as (a number as a text, a confidence out of its range, one item for a list) is told in the notes. Never throws.
 */
export function readAnswer<Value>(text: WrittenAnswer, schema: z.ZodType<Value>): AnswerReading<Value> {
  if (typeof text !== 'string') return toBad([text.lost]);
  if (text.length > maxAnswerChars) {
    return toBad([`The answer has ${text.length} characters; at most ${maxAnswerChars} are read.`]);
  }
  const reading = readJsonAnswer(text, withSource(schema));
  if (reading.status === 'unreadable') {
    return toBad([`The answer could not be read: ${reading.problem}.`]);
  }
  const { value, written } = reading.answer;
  const lost = reading.way === 'repaired' ? findLostKeys(text, { value, written }) : [];
  if (lost.length > 0) {
    return toBad([
      `The JSON of the answer has mistakes, and ${lost.map((key) => `"${key}"`).join(', ')} could not be read. Write the whole object again, with each bracket and quote closed.`,
    ]);
  }
  const notes = reading.way === 'repaired' ? ['the JSON had mistakes in it, which were repaired'] : [];
  return { kind: 'ok', value, notes: [...notes, ...listDifferences(written, value)].slice(0, maxNotes) };
}

/** Finds keys of the answer's form that the text has, and that were not read at their place after a repair. */
function findLostKeys(
  text: string,
  { value, written }: Pick<Compared, 'value' | 'written'>,
): readonly string[] {
  const known = new Set(listKeys(value, 0));
  const read = new Set(listKeys(written, 0));
  const said = [...removeReasoning(openString(text)).matchAll(writtenKey)].map(([, key = '']) => key);
  const parts = new Map(isNested(value) ? Object.entries(value) : []);
  const home = findHome(written, parts);
  const isLost = (key: string): boolean =>
    !read.has(key) || (parts.has(key) && (!(key in home) || isEmptied(home[key], parts.get(key))));
  return [...new Set(said)].filter((key) => known.has(key) && isLost(key)).slice(0, maxReasons);
}

/** The text of an answer that is written as a string of JSON. */
function openString(text: string): string {
  const inner = text.trimStart().startsWith('"') ? parseJson(text) : null;
  return typeof inner === 'string' ? inner : text;
}

/** The object that has most parts of an answer: it may stand in a frame, and a bracket at a wrong place moves parts out of it. */
function findHome(written: unknown, parts: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  const count = (one: object): number => Object.keys(one).filter((key) => parts.has(key)).length;
  let home: object = {};
  const visit = (one: unknown, depth: number): void => {
    if (!isNested(one) || depth > maxDepth) return;
    if (count(one) > count(home)) home = one;
    for (const inner of Object.values(one)) visit(inner, depth + 1);
  };
  visit(written, 0);
  return home as Readonly<Record<string, unknown>>;
}

/** Tells whether nothing was taken of a list or of what was written instead of one. */
function isEmptied(written: unknown, value: unknown): boolean {
  if (!Array.isArray(value) || value.length > 0) return false;
  return isNested(written) ? Object.keys(written).length > 0 : /[{[]/.test(String(written));
}

/** A key that is not part of a string: there, its quotes are escaped. */
const writtenKey = /(?<!\\)["'“”]([a-z_]{1,60})["'“”]\s{0,9}[:：]/g;

function listKeys(value: unknown, depth: number): readonly string[] {
  if (!isNested(value) || depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((item) => listKeys(item, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) => [key, ...listKeys(inner, depth + 1)]);
}

/** A bad answer with at most 10 reasons of at most 300 characters. */
export function toBad(reasons: readonly string[]): BadAnswer {
  const shown = reasons.length > maxReasons ? reasons.slice(0, maxReasons - 1) : reasons;
  const more = reasons.length - shown.length;
  return {
    kind: 'bad',
    reasons: [...shown.map(cut), ...(more > 0 ? [`And ${more} more reasons of these kinds.`] : [])],
  };
}

function cut(reason: string): string {
  return reason.length <= maxReasonChars ? reason : `${reason.slice(0, maxReasonChars - 1).toWellFormed()}…`;
}

/** The value of a schema beside what it was read from. */
function withSource<Value>(schema: z.ZodType<Value>) {
  return z.unknown().transform((written, context) => {
    const { success, data, error } = schema.safeParse(written);
    if (success) return { value: data, written };
    return passIssues(error, { written, context });
  });
}

/** Schema that is one or another, as what is written tells: a problem is told of that one alone. */
export function eitherSchema<One, Other>(
  isOne: (written: unknown) => boolean,
  { one, other }: { readonly one: z.ZodType<One>; readonly other: z.ZodType<Other> },
) {
  return z.unknown().transform((written, context): One | Other => {
    const { success, data, error } = isOne(written) ? one.safeParse(written) : other.safeParse(written);
    return success ? data : passIssues(error, { written, context });
  });
}

function passIssues(
  { issues }: z.ZodError,
  { written, context }: { readonly written: unknown; readonly context: z.RefinementCtx },
): never {
  for (const { path, message } of issues) {
    context.issues.push({ code: 'custom', input: written, path, message });
  }
  return z.NEVER;
}

const maxNotes = 20;
const maxDepth = 8;

/** Notes on scalars and lists that are not as they were written; what was not written at all is none. */
function listDifferences(written: unknown, value: unknown): readonly string[] {
  const notes: string[] = [];
  compare({ written, value, path: '' }, notes);
  return notes;
}

interface Compared {
  readonly written: unknown;
  readonly value: unknown;
  readonly path: string;
}

function compare({ written, value, path }: Compared, notes: string[]): void {
  if (notes.length >= maxNotes || path.split('.').length > maxDepth) return;
  if (written === undefined || written === null || isSame(written, value)) return;
  if (!isNested(value) || !isNested(written) || Array.isArray(value) !== Array.isArray(written)) {
    notes.push(`${path}: ${show(written)} was read as ${show(value)}`);
    return;
  }
  if (Array.isArray(value) && Array.isArray(written) && value.length !== written.length) {
    notes.push(`${path}: ${value.length} of ${written.length} items were taken`);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const source = Object.hasOwn(written, key) ? (written as Record<string, unknown>)[key] : undefined;
    compare({ written: source, value: inner, path: path === '' ? key : `${path}.${key}` }, notes);
  }
}

function isSame(written: unknown, value: unknown): boolean {
  return written === value || (typeof written === 'string' && written.trim() === value);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const maxShownChars = 60;

function show(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isNested(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= maxShownChars ? text : `${text.slice(0, maxShownChars - 1).toWellFormed()}…`;
}
