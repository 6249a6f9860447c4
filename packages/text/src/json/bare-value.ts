import { type TextCursor, take } from './repair-string.ts';

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
  /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?=[\s"'])|(?:true|false|null|none|undefined|nan)(?=[\s"'])/iy;
const literalStart = /[-+]?\.?\d|(?:true|false|null|none|undefined|nan)\b/iy;
const nextKey =
  /(?:\s+|(?=["']))(?:"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}'|[\w$-]{1,64})\s{0,9}[:：]/y;
/** Quoted key with its colon: a text without quotes does not go on over it. */
const quotedKey = /\s+(?:"(?:[^"\\\n]|\\.){1,80}"|'(?:[^'\\\n]|\\.){1,80}')\s{0,9}[:：]/y;
/** Text behind a comma that ends a value without quotes: a key, or nothing more. */
const keyBehindComma = /[,，]\s*(?:$|[}\]/#,，.…"'“”„＂[{]|[\w$-]{1,64}["']?\s*(?:[:：=]|$))/y;

/** Tells whether an expression of the sticky kind finds something here. */
export function isAt(expression: RegExp, { text, at }: TextCursor): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}

/** Reads a value without quotes: a number, a word such as `true`, or text. Undefined if nothing is written. */
export function readBareValue(cursor: TextCursor, place: 'value' | 'item'): unknown {
  return toValue(takeLiteral(cursor, place) ?? takeText(cursor, place));
}

/** Tells whether a number or a word such as `true` begins here. */
export function isLiteralNext(cursor: TextCursor): boolean {
  return isAt(literalStart, cursor);
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

/** Text up to the end of the line, a sign that ends values, a comment, or the next key. */
function takeText(cursor: TextCursor, place: 'value' | 'item'): string {
  const { text, at: start } = cursor;
  let depth = 0;
  for (; cursor.at < text.length; cursor.at += 1) {
    const sign = text.charAt(cursor.at);
    if (sign === '\n') break;
    if (sign === '{' || sign === '(') depth += 1;
    else if ('})'.includes(sign) && depth > 0) depth -= 1;
    else if ('}])'.includes(sign)) break;
    else if (sign === ';' && isLiteral(text.slice(start, cursor.at))) break;
    else if (
      ',，'.includes(sign) &&
      (place === 'item' || isLiteral(text.slice(start, cursor.at)) || isAt(keyBehindComma, cursor))
    )
      break;
    else if (sign === '/' && isComment(text, cursor.at)) break;
    else if (sign === ' ' && isAt(quotedKey, cursor)) break;
  }
  return text.slice(start, cursor.at);
}

function isComment(text: string, at: number): boolean {
  const next = text.charAt(at + 1);
  return next === '*' || (text.charAt(at - 1) === ' ' && (next === '/' || next === ''));
}

function isLiteral(written: string): boolean {
  const word = written.trim();
  return number.test(word) || words.has(word.toLowerCase());
}

function toValue(written: string): unknown {
  const word = written.trim().replace(/["”]$/, '');
  if (word === '') return undefined;
  const known = word.toLowerCase();
  return words.has(known) ? words.get(known) : number.test(word) ? Number(word) : withoutExponent(word);
}

/** A number that breaks off in its exponent is the number before it. */
function withoutExponent(word: string): string | number {
  return /^[-+]?\d+(?:\.\d*)?e[-+]?$/i.test(word) ? Number(word.split(/e/i, 1)[0]) : word;
}
