import type { LineCursor } from './line-cursor.ts';

/** Quotes, list items and footnotes: blocks that hold other blocks. */
export type Container =
  | { readonly kind: 'quote' }
  | { readonly kind: 'item'; readonly indent: number; isEmpty: boolean }
  | { readonly kind: 'footnote'; readonly label: string; readonly start: number };

/** Reads what continues a container on a line; false when the line is not in it. */
export function continuesContainer(container: Container, cursor: LineCursor): boolean {
  const { columns, blank } = cursor.measure();
  if (container.kind === 'quote') {
    if (blank || columns > 3 || !cursor.restAfterSpace().startsWith('>')) return false;
    skipQuoteMarker(cursor);
    return true;
  }
  if (blank) return container.kind === 'footnote' || !container.isEmpty;
  const indent = container.kind === 'item' ? container.indent : 4;
  if (columns < indent) return false;
  cursor.skipColumns(indent);
  if (container.kind === 'item') container.isEmpty = false;
  return true;
}

/** Opens the container that begins here, if one does. `inParagraph`: it would interrupt a paragraph. */
export function openContainer(cursor: LineCursor, inParagraph: boolean): Container | null {
  const rest = cursor.restAfterSpace();
  if (rest.startsWith('>')) {
    skipQuoteMarker(cursor);
    return { kind: 'quote' };
  }
  const label = /^\[\^([^\]\s]{1,999})\]:/.exec(rest);
  if (label !== null) {
    const start = cursor.measure().offset;
    cursor.skipMarker(label[0].length);
    return { kind: 'footnote', label: label[1] ?? '', start };
  }
  return openItem(cursor, { rest, inParagraph });
}

function openItem(
  cursor: LineCursor,
  { rest, inParagraph }: { readonly rest: string; readonly inParagraph: boolean },
): Container | null {
  const marker = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(rest);
  if (marker === null) return null;
  const [sign, number] = marker;
  const isBlank = /^[ \t]*$/.test(rest.slice(sign.length));
  if (inParagraph && (isBlank || (number !== undefined && Number(number) !== 1))) return null;
  const before = cursor.measure().columns;
  cursor.skipMarker(sign.length);
  const { columns } = cursor.measure();
  const padding = isBlank || columns > 4 ? 1 : columns;
  cursor.skipColumns(padding);
  return { kind: 'item', indent: before + sign.length + padding, isEmpty: isBlank };
}

function skipQuoteMarker(cursor: LineCursor): void {
  cursor.skipMarker(1);
  cursor.skipColumns(1);
}
