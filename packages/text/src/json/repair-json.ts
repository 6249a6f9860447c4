import { countStep, isQuote, repairString, skipSpace, type TextCursor, take } from './repair-string.ts';

/** Deeper than any answer; what is deeper is left out. */
const maxDepth = 64;
/** Keys, values, quotes and comments; a plan of 50 items has about 1,500 of them. */
const maxSteps = 5_000;

const bareKey = /[^:：=,，{}[\]\n"“”]+/y;
const separators = /[,，、;]+/y;
const colon = /=>|[:：=]/y;
const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
/** Words in small letters. */
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['none', null],
  ['undefined', null],
  ['nan', null],
]);
/** Value without quotes that is complete, at the place where a comma may be missing. */
const literal =
  /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?=\s)|(?:true|false|null|none|undefined|nan)(?=\s)/iy;
const literalStart = /[-+]?\.?\d|(?:true|false|null|none|undefined|nan)\b/iy;
const nextKey = /\s+(?:"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}'|[\w$-]{1,64})\s{0,9}[:：]/y;
/** Brackets that close too early: a comma and another key follow them. */
const earlyEnd =
  /\s{0,99}(?:[}\]]\s{0,99}){0,3}[,，]\s{0,99}(?:"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}')\s{0,9}[:：]/y;

interface Open {
  readonly depth: number;
  /** Arrays that are open: without any, a bracket that closes one stands there by mistake. */
  readonly arrays: number;
}

/**
 * The object that a text begins with, whatever is wrong with it: commas, colons, quotes and brackets left out or too
 * many, comments, bare words, an end in the middle. It always gives an object, for some texts an empty one. One
 * pass over the text, and so many steps at most: what a model says can't be made to hold everything else up.
 */
export function repairJson(text: string): Readonly<Record<string, unknown>> {
  return readObject({ text: unpack(text), at: 0, steps: maxSteps }, { depth: 1, arrays: 0 });
}

/** An object within a string of JSON has all its quotes escaped. */
function unpack(text: string): string {
  if (!/^\{(?:\s|\\n)*\\"/.test(text)) return text;
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text.replaceAll('\\"', '"').replaceAll('\\n', '\n');
  }
}

function readObject(cursor: TextCursor, open: Open): Readonly<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  cursor.at += 1;
  for (;;) {
    countStep(cursor);
    skipSeparators(cursor);
    const sign = cursor.text.charAt(cursor.at);
    if (sign === '}') cursor.at += 1;
    if (sign === '}' && open.depth === 1 && isEndedEarly(cursor.text, cursor.at)) {
      skipClosing(cursor);
      continue;
    }
    if (sign === '' || sign === '}' || (sign === ']' && open.arrays > 0)) break;
    const entry = readEntry(cursor, open);
    if (entry !== null) entries.push(entry);
  }
  return Object.fromEntries(entries);
}

/** Null where there is no key, or no value that belongs to it. */
function readEntry(cursor: TextCursor, open: Open): [string, unknown] | null {
  const { text } = cursor;
  const isQuoted = isQuote(text.charAt(cursor.at));
  const key = isQuoted ? repairString(cursor, 'key') : take(cursor, bareKey).trim();
  const isKey = isQuoted || key !== '';
  skipSpace(cursor);
  const next = text.charAt(cursor.at);
  const isValue = isQuote(next) || next === '{' || next === '[' || (isQuoted && isAt(literalStart, cursor));
  if (take(cursor, colon) !== '' || (isKey && isValue)) {
    const value = readValue(cursor, 'value', open);
    return !isKey || value === undefined ? null : [key, value];
  }
  // What is neither a key nor a separator stands there by mistake.
  if (!isKey && !',，、}'.includes(next)) cursor.at += 1;
  return null;
}

function readArray(cursor: TextCursor, open: Open): readonly unknown[] {
  const items: unknown[] = [];
  cursor.at += 1;
  for (;;) {
    countStep(cursor);
    skipSeparators(cursor);
    const sign = cursor.text.charAt(cursor.at);
    // An array always stands in an object: what closes that ends both, unless it was written in place of a bracket.
    if (sign === ']' || (sign === '}' && isBracketMeant(cursor, open))) cursor.at += 1;
    if (sign === '' || sign === ']' || sign === '}') return items;
    const item = readValue(cursor, 'item', { ...open, arrays: open.arrays + 1 });
    if (item !== undefined) items.push(item);
  }
}

/** Undefined where there is none. */
function readValue(cursor: TextCursor, place: 'value' | 'item', { depth, arrays }: Open): unknown {
  skipSpace(cursor);
  const sign = cursor.text.charAt(cursor.at);
  if (sign === '{' || sign === '[') {
    if (depth >= maxDepth) return skipAll(cursor);
    const inner = { depth: depth + 1, arrays };
    return sign === '{' ? readObject(cursor, inner) : readArray(cursor, inner);
  }
  if (isQuote(sign)) return readStrings(cursor, place);
  return toValue(takeLiteral(cursor, place) ?? takeBareValue(cursor));
}

/** Tells whether an object is closed although further keys follow it. */
export function isEndedEarly(text: string, at: number): boolean {
  earlyEnd.lastIndex = at;
  return earlyEnd.test(text);
}

function isAt(expression: RegExp, { text, at }: TextCursor): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}

/** Closing brackets behind an object that is closed too early. */
function skipClosing(cursor: TextCursor): void {
  while (/[}\]\s]/.test(cursor.text.charAt(cursor.at))) cursor.at += 1;
}

/** Tells whether a brace stands for the bracket of an array: a key follows, and the rest closes as many objects as are open. */
function isBracketMeant(cursor: TextCursor, { depth, arrays }: Open): boolean {
  const { text, at } = cursor;
  if (!isEndedEarly(text, at + 1)) return false;
  cursor.steps -= stepsOfCount;
  const objects = depth - arrays - 1;
  return countClosing(text, at + 1) >= objects;
}

/** To count the closing braces of a text costs as much as many steps. */
const stepsOfCount = 200;

/** Number of objects that the rest of a text closes and does not open. */
function countClosing(text: string, from: number): number {
  let depth = 0;
  let lowest = 0;
  let isString = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isString && sign === '\\') at += 1;
    else if (sign === '"') isString = !isString;
    else if (isString) continue;
    else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    lowest = Math.min(lowest, depth);
  }
  return -lowest;
}

/** A number or a word such as `true`, if the next key or item follows it without a comma; else undefined. */
function takeLiteral(cursor: TextCursor, place: 'value' | 'item'): string | undefined {
  const { at } = cursor;
  const written = take(cursor, literal);
  if (written === '') return undefined;
  const isFollowed = place === 'item' ? isItemNext(cursor) : isAt(nextKey, cursor);
  if (isFollowed) return written;
  cursor.at = at;
  return undefined;
}

function isItemNext({ text, at }: TextCursor): boolean {
  const [space = ''] = /^\s+/.exec(text.slice(at, at + 100)) ?? [];
  const next = text.charAt(at + space.length);
  return '"\'{['.includes(next || ' ') || isAt(literalStart, { text, at: at + space.length, steps: 0 });
}

/** A string, with what is put behind it by `+`. */
function readStrings(cursor: TextCursor, place: 'value' | 'item'): string {
  const parts = [repairString(cursor, place)];
  for (;;) {
    skipSpace(cursor);
    if (cursor.text.charAt(cursor.at) !== '+') return parts.join('');
    cursor.at += 1;
    skipSpace(cursor);
    if (isQuote(cursor.text.charAt(cursor.at))) parts.push(repairString(cursor, place));
  }
}

/** Text up to the end of the line, a sign that ends values, or a comment behind a space. */
function takeBareValue(cursor: TextCursor): string {
  const { text, at: start } = cursor;
  let sign = '';
  for (; cursor.at < text.length; cursor.at += 1) {
    const before = sign;
    sign = text.charAt(cursor.at);
    if (',，}]\n'.includes(sign)) break;
    if (sign === '/' && before === ' ' && '/*'.includes(text.charAt(cursor.at + 1) || ' ')) break;
  }
  return text.slice(start, cursor.at);
}

function toValue(written: string): unknown {
  const word = written.trim().replace(/["”]$/, '');
  if (word === '') return undefined;
  const known = word.toLowerCase();
  return words.has(known) ? words.get(known) : number.test(word) ? Number(word) : word;
}

function skipSeparators(cursor: TextCursor): void {
  do skipSpace(cursor);
  while (take(cursor, separators) !== '');
}

function skipAll(cursor: TextCursor): undefined {
  cursor.at = cursor.text.length;
}
