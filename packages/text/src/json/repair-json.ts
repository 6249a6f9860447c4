import { isAt, isLiteralNext, readBareValue } from './bare-value.ts';
import { countStep, isQuote, repairString, skipSpace, type TextCursor, take } from './repair-string.ts';

/** Deeper than any answer; what is deeper is left out. */
const maxDepth = 64;
/** Keys, values, quotes and comments; a plan of 50 items has about 1,500 of them. */
const maxSteps = 5_000;

const bareKey = /[^:：=,，{}[\]\n"“”']+/y;
/** Quote and colon behind a key whose first quote is missing. */
const lastQuote = /["'](?=\s{0,9}[:：])/y;
const quotedKey = /(?:"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}')\s{0,9}[:：]/y;
const separators = /[,，、;]+/y;
const colon = /=>|[:：=](?:\s{0,9}[:：=])*/y;
/** Brackets that close too early: a comma and another key follow them. */
const earlyEnd =
  /\s{0,99}(?:[}\]]\s{0,99}){0,3}[,，]\s{0,99}(?:"(?:[^"\\\n]|\\.){0,80}"|'(?:[^'\\\n]|\\.){0,80}')\s{0,9}[:："]/y;

/** Python writes lists in parentheses, too. */
const tuple = /\((?=\s{0,9}(?:["')\d-]|True\b|False\b|None\b))/y;

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
  if (/^\{\s*""\w/.test(text)) return text.replaceAll('""', '"').replaceAll("''", "'");
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
    const last = entries.at(-1);
    if (sign === '[' && Array.isArray(last?.[1])) {
      const { depth, arrays } = open;
      last[1] = [...last[1], ...readArray(cursor, { depth: depth + 1, arrays })];
      continue;
    }
    const entry = readEntry(cursor, open);
    if (entry !== null) entries.push(entry);
  }
  return Object.fromEntries(entries);
}

/** Null where there is no key, or no value that belongs to it. */
function readEntry(cursor: TextCursor, open: Open): [string, unknown] | null {
  const { text } = cursor;
  const isQuoted = isQuote(text.charAt(cursor.at));
  const key = isQuoted ? readKey(cursor) : take(cursor, bareKey).trim();
  const isKey = isQuoted || key !== '';
  skipSpace(cursor);
  if (!isQuoted && isKey && take(cursor, lastQuote) === '' && isAt(quotedKey, cursor)) return null;
  const next = text.charAt(cursor.at);
  const isValue = isQuote(next) || next === '{' || next === '[' || (isQuoted && isLiteralNext(cursor));
  if (take(cursor, colon) !== '' || (isKey && isValue)) {
    const value = readValue(cursor, 'value', open);
    return !isKey || value === undefined ? null : [key, value];
  }
  // What is neither a key nor a separator stands there by mistake.
  if (!isKey && !',，、}'.includes(next)) cursor.at += 1;
  return null;
}

function readKey(cursor: TextCursor): string {
  const key = repairString(cursor, 'key').replace(/^\n+|(?<!\n)\n+$/g, '');
  const end = cursor.text.slice(Math.max(0, cursor.at - 3), cursor.at);
  // The last quote may be written twice.
  return /[^\\]""$/.test(end) && key.endsWith('"') ? key.slice(0, -1) : key;
}

function readArray(cursor: TextCursor, open: Open): readonly unknown[] {
  const items: unknown[] = [];
  cursor.at += 1;
  for (;;) {
    countStep(cursor);
    skipSeparators(cursor);
    const sign = cursor.text.charAt(cursor.at);
    if (sign === ']' && wrapRow(items, cursor)) continue;
    // An array always stands in an object: what closes that ends both, unless it was written instead of a bracket.
    if (sign === ']' || sign === ')' || (sign === '}' && isBracketMeant(cursor, open))) cursor.at += 1;
    if (sign === '' || sign === ']' || sign === ')' || sign === '}') return items;
    const item = readValue(cursor, 'item', { ...open, arrays: open.arrays + 1 });
    skipSpace(cursor);
    const isKey = typeof item === 'string' && take(cursor, colon) !== '';
    if (isKey) items.push({ [item]: readValue(cursor, 'value', open) ?? null });
    else if (item !== undefined) items.push(item);
  }
}

const nextRow = /\]\s{0,9},\s{0,9}\[(?!\s{0,9}\[)/y;

/** Puts the last items into a row whose first bracket is missing: there are rows before and behind them. */
function wrapRow(items: unknown[], cursor: TextCursor): boolean {
  const last = items.findLastIndex(Array.isArray);
  if (last === -1 || last === items.length - 1 || !isAt(nextRow, cursor)) return false;
  cursor.at += 1;
  items.push(items.splice(last + 1));
  return true;
}

/** Undefined where there is none. */
function readValue(cursor: TextCursor, place: 'value' | 'item', { depth, arrays }: Open): unknown {
  skipSpace(cursor);
  const sign = cursor.text.charAt(cursor.at);
  if (sign === '{' || sign === '[' || isAt(tuple, cursor)) {
    if (depth >= maxDepth) return skipAll(cursor);
    const inner = { depth: depth + 1, arrays };
    return sign === '{' ? readObject(cursor, inner) : readArray(cursor, inner);
  }
  if (isQuote(sign)) return readStrings(cursor, place);
  return readBareValue(cursor, place);
}

/** Tells whether an object is closed although further keys follow it. */
export function isEndedEarly(text: string, at: number): boolean {
  earlyEnd.lastIndex = at;
  return earlyEnd.test(text);
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

function skipSeparators(cursor: TextCursor): void {
  do skipSpace(cursor);
  while (take(cursor, separators) !== '');
}

function skipAll(cursor: TextCursor): undefined {
  cursor.at = cursor.text.length;
}
