/** Place of a string: what may follow it depends on that. */
type StringPlace = 'key' | 'value' | 'item';

const double = '"“”„＂';
const single = "'‘’`´";

export function isQuote(sign: string): boolean {
  return sign !== '' && (double.includes(sign) || single.includes(sign));
}

/**
 * Reads the string that begins here, whatever became of its quotes: one within it that is not escaped stays a part of
 * it, and where its last one is missing, it ends before the next key or with the text.
 */
export function repairString(cursor: TextCursor, place: StringPlace): string {
  const { text } = cursor;
  const isDoubled = matchesAt(place === 'key' ? doubledKey : doubledQuote, text, cursor.at);
  const start = cursor.at + (isDoubled ? 2 : 1);
  const end = findEnd(cursor, { start, place, isEnd: toEndTest(text.charAt(cursor.at)) });
  cursor.at = end.next;
  return unescapeText(text.slice(start, end.at));
}

interface Opened {
  readonly start: number;
  readonly place: StringPlace;
  readonly isEnd: (code: number) => boolean;
}

/** A plain quote is ended by its like, a curved one by any of its kind. */
function toEndTest(quote: string): (code: number) => boolean {
  if (quote === '"') return (code) => code === 0x22;
  if (quote === "'") return (code) => code === 0x27;
  return double.includes(quote) ? isDouble : isSingle;
}

function isDouble(code: number): boolean {
  return code === 0x22 || (code >= 0x201c && code <= 0x201e) || code === 0xff02;
}

function isSingle(code: number): boolean {
  return code === 0x27 || code === 0x60 || code === 0xb4 || code === 0x2018 || code === 0x2019;
}

interface StringEnd {
  /** End of its content, exclusive. */
  readonly at: number;
  /** Start of what follows it. */
  readonly next: number;
}

function findEnd(cursor: TextCursor, { start, place, isEnd }: Opened): StringEnd {
  const { text } = cursor;
  /** The last sign that is no space, and whether a line has ended since. */
  let ink = start - 1;
  let isNewLine = false;
  /** End of this string if the quote read last begins the next key. */
  let beforeKey: number | null = null;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (place === 'key' && code === colonSign && isKeyEnd(text, at)) return { at, next: at };
    else if (isEnd(code)) {
      countStep(cursor);
      if (cursor.steps < 0) break;
      if (isFollowed(text, { at, place })) return { at, next: at + 1 };
      if (beforeKey !== null && isColon(text, at)) return { at: beforeKey, next: beforeKey };
      const isAfterComma = text.charCodeAt(ink) === comma && ink >= start;
      beforeKey = place !== 'value' ? null : isAfterComma ? ink : isNewLine ? ink + 1 : null;
    } else if (code === newline) isNewLine = true;
    if (code <= space) continue;
    ink = at;
    isNewLine = false;
  }
  return endUnclosed(text, { start, place });
}

/** Brackets at the end of a string that nothing closes are those of the JSON. */
const lastBrackets = /\s{0,99}[}\]][\s}\]]{0,200}(?:`{3}\s{0,99})?$/;

/** A string whose last quote is missing: of a key, the colon ends it. */
function endUnclosed(text: string, { start, place }: Pick<Opened, 'start' | 'place'>): StringEnd {
  const colon = place === 'key' ? text.slice(start, start + maxKeyChars).search(/[:：]/) : -1;
  if (colon !== -1) return { at: start + colon, next: start + colon };
  const tail = Math.max(start, text.length - maxTailChars);
  const found = place === 'key' ? null : lastBrackets.exec(text.slice(tail));
  const at = found === null ? text.length : tail + found.index;
  return { at, next: at };
}

const maxKeyChars = 80;
const maxTailChars = 400;

const colonSign = 0x3a;

/** Tells whether a key without its last quote ends at a colon: a string follows that no colon follows. */
function isKeyEnd(text: string, at: number): boolean {
  return matchesAt(valueBehindColon, text, at);
}

const valueBehindColon =
  /:\s{0,9}(?:"[^"\\\n]{1,200}"\s{0,9}[,}]|[[{]\s{0,99}[[{]?\s{0,99}"[^"\\\n]{1,80}"\s{0,9}[:,\]])/y;

const newline = 0x0a;
const space = 0x20;
const comma = 0x2c;
const backslash = 0x5c;

interface Candidate {
  readonly at: number;
  readonly place: StringPlace;
}

function isColon(text: string, quoteAt: number): boolean {
  return ':：'.includes(text.charAt(findNonSpace(text, quoteAt + 1)) || ' ');
}

/** Text behind the comma that follows a value: a key with its colon, or nothing more. */
const keyBehindComma = new RegExp(
  [
    String.raw`\s*(?:$|[}\]/#,，.…]`,
    ...['"', "'", '“”„＂'].map(toKey),
    String.raw`[\w$-]{1,64}["']?\s*(?:[:：=]|$)|[\w$-]{65}|\[)`,
  ].join('|'),
  'y',
);
const itemBehindComma = /\s*(?:$|["'“”„‘’＂`{}[\]\d/#,，.…-]|(?:true|false|null|True|False|None)\b)/y;

/** A key between such quotes; one that is long or broken off counts as one. */
function toKey(quotes: string): string {
  const inner = String.raw`(?:[^\\${quotes}]|\\.)`;
  return String.raw`[${quotes}](?:${inner}{0,80}(?:[${quotes}]\s*[:：={[]|$)|${inner}{81})`;
}

/** Tells whether what follows a quote says that a string ends with it. */
function isFollowed(text: string, { at, place }: Candidate): boolean {
  const ink = findNonSpace(text, at + 1);
  const sign = text.charAt(ink);
  if (sign === '' || '}]'.includes(sign)) return true;
  if (':：='.includes(sign)) return place === 'key' || (place === 'item' && matchesAt(innerValue, text, ink));
  if (sign === ')') return place === 'item' && matchesAt(tupleEnd, text, ink);
  if (',，、'.includes(sign)) {
    const behind = place === 'item' ? itemBehindComma : keyBehindComma;
    behind.lastIndex = ink + 1;
    return place === 'key' || behind.test(text);
  }
  if (sign === '/') return '/*'.includes(text.charAt(ink + 1) || ' ');
  if (sign === '+') return isQuote(text.charAt(findNonSpace(text, ink + 1)));
  if (isQuote(sign)) return isBeginning(text, ink);
  if (place === 'key' && matchesAt(wholeLiteral, text, ink)) return true;
  if (sign === '#') return text.charAt(ink - 1) === ' ' && text.charAt(ink + 1) === ' ';
  if (place === 'value' && text.slice(at, ink).includes('\n') && matchesAt(bareKeyNext, text, ink))
    return true;
  if (place === 'item' && matchesAt(wordBeforeBracket, text, at + 1)) return true;
  if (place === 'value' && matchesAt(wordBeforeEnd, text, at + 1)) return true;
  // Where a comma or a colon was left out, a value begins.
  return '{['.includes(sign) && (place === 'key' || text.slice(at, ink).includes('\n'));
}

/** First quote that was written twice. */
const doubledQuote = /(?:""|'')\w/y;
const doubledKey = /""[ \w][\w ]{0,80}"\s{0,9}[:：]/y;
const tupleEnd = /\)\s{0,9}[,}\]]/y;
/** Value of an object in an array whose first brace is missing. */
const innerValue = /:\s{0,9}[{[]/y;
const bareKeyNext = /[\w$-]{1,64}\s{0,9}[:：]/y;
/** Words that stand behind a string by mistake. */
const wordBeforeBracket = /\s[\w ]{1,40}"?\s{0,9}\]\s{0,9}[,}]/y;
const wordBeforeEnd = /\s[\w ]{1,40}\}\s{0,9}$/y;
/** Number or word that is all there is before the next separator. */
const wholeLiteral = /(?:[-+]?\d[\d.e+-]{0,30}|true|false|null|none)(?:\s{0,9}[,，}\]]|\s{1,9}["'])/iy;

/** Tells whether a quote that follows a quote begins another string, and does not end this one. */
function isBeginning(text: string, quoteAt: number): boolean {
  const sign = text.charAt(findNonSpace(text, quoteAt + 1));
  return sign !== '' && !',，、:：}]'.includes(sign);
}

const namedEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** Signs before which a backslash only says that they belong to the text, as JSON and other languages write them. */
const plainEscapes = '"\\/\'“”„＂‘’`´\n';
const hex = /[0-9a-f]{4}/iy;
const brokenOff = /[0-9a-f]{0,3}$/iy;

/**
 * The content of a JSON string as it is meant, also where escapes are wrong or break off. A backslash before a sign that
 * JSON does not escape is one of the text: models write patterns and paths as they are (`\w+`, `src\lib`).
 */
export function unescapeText(raw: string): string {
  let at = raw.indexOf('\\');
  if (at === -1) return raw;
  let text = '';
  let from = 0;
  while (at !== -1) {
    const sign = raw.charAt(at + 1);
    text += raw.slice(from, at);
    from = at + 2;
    if (sign === 'u') {
      if (matchesAt(hex, raw, from)) {
        text += String.fromCharCode(Number.parseInt(raw.slice(from, from + 4), 16));
        from += 4;
      } else if (matchesAt(brokenOff, raw, from)) from = raw.length;
      else text += '\\u';
    } else text += namedEscapes[sign] ?? (plainEscapes.includes(sign) ? sign : `\\${sign}`);
    at = raw.indexOf('\\', from);
  }
  return text + raw.slice(from);
}

function matchesAt(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}

/** A place in a text that readers move forward. */
export interface TextCursor {
  readonly text: string;
  at: number;
  /** Number of things still to be read; behind the last of them the text counts as broken off. */
  steps: number;
}

/** Counts one thing that is looked at. */
export function countStep(cursor: TextCursor): void {
  cursor.steps -= 1;
  if (cursor.steps < 0) cursor.at = cursor.text.length;
}

const blank = /[\s\u00a0\u180e\u200b\u2060\ufeff]*/y;
const lineComment = /(?:\/\/|#)[^\n]*/y;
const blockComment = '/*';
const ellipsis = /\.\.\.|…/y;

/** Moves behind what an expression of the sticky kind finds here, and gives it back; empty where it finds nothing. */
export function take(cursor: TextCursor, expression: RegExp): string {
  expression.lastIndex = cursor.at;
  const found = expression.exec(cursor.text)?.[0] ?? '';
  cursor.at += found.length;
  return found;
}

/** Finds the first sign that is no space. */
function findNonSpace(text: string, from: number): number {
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex;
}

/** Moves behind spaces, comments and dots that stand for more. */
export function skipSpace(cursor: TextCursor): void {
  for (;;) {
    cursor.at = findNonSpace(cursor.text, cursor.at);
    const before = cursor.at;
    if (!'/#.…'.includes(cursor.text.charAt(before) || ' ')) return;
    if (cursor.text.startsWith(blockComment, before)) skipBlockComment(cursor);
    else if (takeLineComment(cursor) === '') take(cursor, ellipsis);
    if (cursor.at === before) return;
    countStep(cursor);
  }
}

/** A comment on the last line ends before the brackets that close what it stands in. */
function takeLineComment(cursor: TextCursor): string {
  const written = take(cursor, lineComment);
  const bracket = cursor.at < cursor.text.length ? -1 : written.search(/[}\]]/);
  if (bracket !== -1) cursor.at += bracket - written.length;
  return written;
}

function skipBlockComment(cursor: TextCursor): void {
  const end = cursor.text.indexOf('*/', cursor.at + blockComment.length);
  cursor.at = end === -1 ? cursor.text.length : end + 2;
}
