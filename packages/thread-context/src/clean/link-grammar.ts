import type { Span } from './edits.ts';

const titleSource = `"(?:[^"\\\\]|\\\\[\\s\\S])*"|'(?:[^'\\\\]|\\\\[\\s\\S])*'|\\((?:[^()\\\\]|\\\\[\\s\\S])*\\)`;
const space = /[ \t]*\n?[ \t]*/y;
const title = new RegExp(titleSource, 'y');
const angled = /<(?:[^<>\n\\]|\\.)*>/y;
const lineEnd = /[ \t]*(?:\n|$)/y;
const definitionLabel = /\[((?:[^\\[\]]|\\[\s\S]){1,999})\]:/y;
export const referenceLabel = /\[((?:[^\\[\]]|\\[\s\S]){0,999})\]/y;

export interface LinkTail {
  /** Behind the closing bracket, or the last line. */
  readonly end: number;
  readonly destination: Span;
  /** With the white space before it. */
  readonly title: Span | null;
}

export interface Definition extends LinkTail {
  readonly label: string;
}

/** Reads `(address "title")` at an index. @see https://spec.commonmark.org/0.31.2/#inline-link */
export function readLinkTail(content: string, start: number): LinkTail | null {
  const begin = skip(space, content, start + 1);
  const destinationEnd = readDestination(content, begin);
  if (destinationEnd === null) return null;
  const destination = { start: begin, end: destinationEnd };
  const found = readTitle(content, destinationEnd);
  const end = skip(space, content, found?.end ?? destinationEnd);
  return content[end] === ')' ? { end: end + 1, destination, title: found } : null;
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
    if (lineEnd.test(content)) return { label, end: lineEnd.lastIndex, destination, title: candidate };
  }
  return null;
}

function readTitle(content: string, start: number): Span | null {
  const begin = skip(space, content, start);
  if (begin === start) return null;
  title.lastIndex = begin;
  return title.test(content) ? { start, end: title.lastIndex } : null;
}

/** Where an address ends; null where none can stand. Brackets in it come in pairs, at most 32 deep. */
function readDestination(content: string, start: number): number | null {
  if (content[start] === '<') {
    angled.lastIndex = start;
    return angled.test(content) ? angled.lastIndex : null;
  }
  let depth = 0;
  for (let index = start; ; index += 1) {
    const code = content.charCodeAt(index);
    if (Number.isNaN(code) || code <= 0x20 || code === 0x7f) return depth === 0 ? index : null;
    const char = content[index];
    if (char === '\\') index += /[!-/:-@[-`{-~]/.test(content.charAt(index + 1)) ? 1 : 0;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth > 32) return null;
    if (depth < 0) return index;
  }
}

function skip(pattern: RegExp, content: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(content);
  return pattern.lastIndex;
}
