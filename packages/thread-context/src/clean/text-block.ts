import type { Span } from './edits.ts';
import { type Definition, readDefinition } from './link-grammar.ts';

/** Text whose lines belong together. */
export interface TextBlock {
  readonly kind: 'paragraph' | 'heading' | 'html';
  /** Where the content begins in the text: an index in the content is as far from there. */
  readonly start: number;
  /** The lines; between them, spaces where the markers of quotes stand. */
  readonly content: string;
  readonly lineCount: number;
  /** Link definitions that a paragraph begins with. */
  readonly definitions: readonly Definition[];
  /** Where in the content they end. */
  readonly textStart: number;
}

const openingBracket = 0x5b;

export interface TextLines {
  readonly kind: TextBlock['kind'];
  readonly lines: readonly Span[];
  /** Markers of quotes may stand between the lines. */
  readonly inQuote: boolean;
}

const noDefinitions: readonly Definition[] = [];

/** Lines as one text of the same length. */
export function toTextBlock(text: string, { kind, lines, inQuote }: TextLines): TextBlock {
  const start = lines[0]?.start ?? 0;
  const content = joinLines(text, { lines, inQuote });
  if (kind !== 'paragraph' || content.charCodeAt(0) !== openingBracket) {
    return { kind, start, content, lineCount: lines.length, definitions: noDefinitions, textStart: 0 };
  }
  const definitions: Definition[] = [];
  let textStart = 0;
  while (content.charCodeAt(textStart) === openingBracket) {
    const definition = readDefinition(content, textStart);
    if (definition === null) break;
    definitions.push(definition);
    textStart = skipSpaces(content, definition.end);
  }
  return { kind, start, content, lineCount: lines.length, definitions, textStart };
}

function joinLines(text: string, { lines, inQuote }: Pick<TextLines, 'lines' | 'inQuote'>): string {
  const first = lines[0];
  if (first === undefined) return '';
  if (lines.length === 1) return text.slice(first.start, first.end);
  const source = inQuote ? blankMarkers(text, lines) : text.slice(first.start, lines.at(-1)?.end);
  if (!source.includes('\r')) return source;
  return source.replace(/\r\n?/g, (ending) => (ending.length === 2 ? ' \n' : '\n'));
}

function blankMarkers(text: string, lines: readonly Span[]): string {
  const parts: string[] = [];
  let reached = lines[0]?.start ?? 0;
  for (const { start, end } of lines) {
    if (parts.length > 0) parts.push('\n'.padEnd(start - reached));
    parts.push(text.slice(start, end));
    reached = end;
  }
  return parts.join('');
}

function skipSpaces(content: string, from: number): number {
  let index = from;
  while (content[index] === ' ' || content[index] === '\t') index += 1;
  return index;
}
