import type { Span } from './edits.ts';
import { type Definition, readDefinition } from './link-grammar.ts';
import { skipBlanks } from './page.ts';

const signs = { lineFeed: 0x0a, space: 0x20, openingBracket: 0x5b };

/** Text whose lines belong together; all places are in the text. */
export interface TextBlock extends Span {
  readonly kind: 'paragraph' | 'heading' | 'html';
  readonly lineCount: number;
  /** Link definitions that a paragraph begins with. */
  readonly definitions: readonly Definition[];
  /** The place where they end. */
  readonly textStart: number;
}

interface TextLines {
  readonly kind: TextBlock['kind'];
  readonly lines: readonly Span[];
  /** Markers of quotes may stand between the lines. */
  readonly inQuote: boolean;
}

const noDefinitions: readonly Definition[] = [];

/** Lines as one stretch; markers of quotes between them become spaces. */
export function toTextBlock(units: Uint16Array, { kind, lines, inQuote }: TextLines): TextBlock {
  const lineCount = lines.length;
  const start = lines[0]?.start ?? 0;
  const end = lines[lineCount - 1]?.end ?? start;
  if (inQuote) blankMarkers(units, lines);
  if (kind !== 'paragraph' || units[start] !== signs.openingBracket)
    return { kind, start, end, lineCount, definitions: noDefinitions, textStart: start };
  const definitions: Definition[] = [];
  let textStart = start;
  while (textStart < end && units[textStart] === signs.openingBracket) {
    const definition = readDefinition({ units, start: textStart, end });
    if (definition === null) break;
    definitions.push(definition);
    textStart = skipBlanks({ units, start: definition.end, end });
  }
  return { kind, start, end, lineCount, definitions, textStart };
}

function blankMarkers(units: Uint16Array, lines: readonly Span[]): void {
  let reached = lines[0]?.end ?? 0;
  for (const { start, end } of lines) {
    if (start > reached) {
      units.fill(signs.space, reached, start);
      units[reached] = signs.lineFeed;
    }
    reached = end;
  }
}
