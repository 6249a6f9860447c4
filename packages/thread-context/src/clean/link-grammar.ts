import type { Span } from './edits.ts';
import { findNext } from './find-next.ts';

const titleSource = `"(?:[^"\\\\]|\\\\[\\s\\S])*"|'(?:[^'\\\\]|\\\\[\\s\\S])*'|\\((?:[^()\\\\]|\\\\[\\s\\S])*\\)`;
const space = /[ \t]*\n?[ \t]*/y;
const title = new RegExp(titleSource, 'y');
const angled = /<(?:[^<>\n\\]|\\.)*>/y;
const lineEnd = /[ \t]*(?:\n|$)/y;
const definitionLabel = /\[((?:[^\\[\]]|\\[\s\S]){1,999})\]:/y;
const referenceLabel = /\[((?:[^\\[\]]|\\[\s\S]){0,999})\]/y;
const addressSign = /[\\()\0-\x20\x7f]/g;
const maxParentheses = 32;
const signs = { opening: 0x28, closing: 0x29, backslash: 0x5c };

export interface LinkTail {
  /** Behind the closing parenthesis. */
  readonly end: number;
  readonly destination: Span;
  /** With the white space before it. */
  readonly title: Span | null;
}

/** All places are in the content of the paragraph; the end is behind the last line's end. */
export interface Definition extends LinkTail {
  readonly start: number;
  /** Normalised. */
  readonly label: string;
}

/** Labels are equal whatever their case and white space. */
export function normaliseLabel(label: string): string {
  if (/^[\w^-]*$/.test(label)) return label.toUpperCase();
  return label
    .trim()
    .replace(/[ \t\r\n]+/g, ' ')
    .toLowerCase()
    .toUpperCase();
}

/** Whether a backslash before the character takes its meaning away: ASCII punctuation. */
export function isEscapable(code: number): boolean {
  return (
    (code >= 0x21 && code <= 0x2f) ||
    (code >= 0x3a && code <= 0x40) ||
    (code >= 0x5b && code <= 0x60) ||
    (code >= 0x7b && code <= 0x7e)
  );
}

/**
 * Where the address ends that begins behind each `(`: before the `)` of the same pair, or white space that stands in
 * no other pair. All at once, as addresses without an end would be read again and again.
 */
export function findAddressEnds(content: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let open: number[] = [];
  for (let index = 0; index <= content.length; index = findNext(addressSign, { content, from: index + 1 })) {
    const code = content.charCodeAt(index);
    if (code === signs.backslash && isEscapable(content.charCodeAt(index + 1))) index += 1;
    else if (code === signs.opening) open.push(index);
    else if (code === signs.closing || !(code > 0x20) || code === 0x7f) {
      const begin = open.pop();
      if (begin !== undefined) ends.set(begin, index);
      if (code !== signs.closing) open = [];
    }
    if (index >= content.length) break;
  }
  return ends;
}

/**
 * Reads `(address "title")` at an index; the ends are those of `findAddressEnds`.
 *
 * @see https://spec.commonmark.org/0.31.2/#inline-link
 */
export function readLinkTail(
  content: string,
  { start, ends }: { readonly start: number; readonly ends: ReadonlyMap<number, number> },
): LinkTail | null {
  const begin = skip(space, content, start + 1);
  const isAtOnce = begin === start + 1 && content[begin] !== '<';
  const destinationEnd = isAtOnce ? (ends.get(start) ?? null) : readDestination(content, begin);
  if (destinationEnd === null) return null;
  const destination = { start: begin, end: destinationEnd };
  const found = readTitle(content, destinationEnd);
  const end = skip(space, content, found?.end ?? destinationEnd);
  return content[end] === ')' ? { end: end + 1, destination, title: found } : null;
}

/** Reads `[label]` at an index; null where none stands. */
export function readReferenceLabel(content: string, start: number): string | null {
  referenceLabel.lastIndex = start;
  return referenceLabel.exec(content)?.[1] ?? null;
}

/** Reads `[label]: address "title"` at an index. @see https://spec.commonmark.org/0.31.2/#link-reference-definition */
export function readDefinition(content: string, start: number): Definition | null {
  definitionLabel.lastIndex = start;
  const label = definitionLabel.exec(content)?.[1];
  if (label === undefined || label.trim() === '') return null;
  const begin = skip(space, content, definitionLabel.lastIndex);
  const destinationEnd = readDestination(content, begin);
  if (destinationEnd === null || destinationEnd === begin) return null;
  const destination = { start: begin, end: destinationEnd };
  const found = readTitle(content, destinationEnd);
  for (const candidate of found === null ? [null] : [found, null]) {
    lineEnd.lastIndex = candidate?.end ?? destinationEnd;
    if (lineEnd.test(content)) {
      return { start, label: normaliseLabel(label), end: lineEnd.lastIndex, destination, title: candidate };
    }
  }
  return null;
}

function readTitle(content: string, start: number): Span | null {
  const begin = skip(space, content, start);
  if (begin === start || !/["'(]/.test(content.charAt(begin))) return null;
  title.lastIndex = begin;
  return title.test(content) ? { start, end: title.lastIndex } : null;
}

/** Where an address ends; null where none can stand. Parentheses in it come in pairs, up to a depth. */
function readDestination(content: string, start: number): number | null {
  if (content[start] === '<') {
    angled.lastIndex = start;
    return angled.test(content) ? angled.lastIndex : null;
  }
  let depth = 0;
  for (let index = start; ; index += 1) {
    const code = content.charCodeAt(index);
    if (Number.isNaN(code) || code <= 0x20 || code === 0x7f) return depth === 0 ? index : null;
    if (code === signs.backslash) index += isEscapable(content.charCodeAt(index + 1)) ? 1 : 0;
    else if (code === signs.opening) depth += 1;
    else if (code === signs.closing) depth -= 1;
    if (depth > maxParentheses) return null;
    if (depth < 0) return index;
  }
}

function skip(pattern: RegExp, content: string, start: number): number {
  if (content.charCodeAt(start) > 0x20) return start;
  pattern.lastIndex = start;
  pattern.test(content);
  return pattern.lastIndex;
}
