import type { Span } from './edits.ts';
import {
  findNext,
  findUnit,
  holds,
  letterSigns,
  letters,
  nameSigns,
  type Stretch,
  skipUnits,
  toUnitSet,
  whiteSpace,
  whiteSpaceSigns,
} from './page.ts';

export interface HtmlAttribute extends Span {
  /** In lower case. */
  readonly name: string;
  /** The value without quotes; empty where there is none. */
  readonly value: string;
}

export interface HtmlTag extends Span {
  /** In lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  /** Each with the white space before it. */
  readonly attributes: readonly HtmlAttribute[];
  /** The text ended before the tag did. */
  readonly isTorn: boolean;
}

/** A page from an index on. */
export interface Rest extends Stretch {
  readonly text: string;
}

const signs = { quote: 0x22, apostrophe: 0x27, slash: 0x2f, equals: 0x3d, greater: 0x3e };
const nameEnds = toUnitSet(`${whiteSpaceSigns}/>`);
const attributeNameEnds = toUnitSet(`${whiteSpaceSigns}/>=`);
const valueEnds = toUnitSet(`${whiteSpaceSigns}>`);
const beforeAttributes = toUnitSet(`${whiteSpaceSigns}/`);
const noAttributes: readonly HtmlAttribute[] = [];

/** Reads the tag at the start of a stretch as browsers do, whatever its shape; null when there is none. */
export function readHtmlTag({ text, units, start, end }: Rest): HtmlTag | null {
  const isClosing = units[start + 1] === signs.slash;
  const nameStart = start + (isClosing ? 2 : 1);
  if (nameStart >= end || !holds(letters, units[nameStart])) return null;
  const nameEnd = findNext(nameEnds, { units, start: nameStart, end });
  const name = text.slice(nameStart, nameEnd).toLowerCase();
  if (nameEnd < end && units[nameEnd] === signs.greater)
    return { start, end: nameEnd + 1, name, isClosing, attributes: noAttributes, isTorn: false };
  const attributes: HtmlAttribute[] = [];
  let index = nameEnd;
  while (index < end && units[index] !== signs.greater) {
    const found = readAttribute({ text, units, start: index, end });
    if (found === null) return { start, end, name, isClosing, attributes, isTorn: true };
    if (found.name !== '') attributes.push(found);
    index = found.end;
  }
  const isTorn = index >= end;
  return { start, end: isTorn ? end : index + 1, name, isClosing, attributes, isTorn };
}

/** Null when the text ends within the value; without a name where nothing but white space is left. */
function readAttribute({ text, units, start, end }: Rest): HtmlAttribute | null {
  const nameStart = skipUnits(beforeAttributes, { units, start, end });
  if (nameStart >= end || units[nameStart] === signs.greater)
    return { start, end: nameStart, name: '', value: '' };
  // Even `=` can begin a name.
  const nameEnd = findNext(attributeNameEnds, { units, start: nameStart + 1, end });
  const name = text.slice(nameStart, nameEnd).toLowerCase();
  const equals = skipUnits(whiteSpace, { units, start: nameEnd, end });
  const valueStart =
    equals < end && units[equals] === signs.equals
      ? skipUnits(whiteSpace, { units, start: equals + 1, end })
      : end;
  if (valueStart >= end || units[valueStart] === signs.greater)
    return { start, end: nameEnd, name, value: '' };
  const quote = units[valueStart];
  if (quote !== signs.quote && quote !== signs.apostrophe) {
    const valueEnd = findNext(valueEnds, { units, start: valueStart, end });
    return { start, end: valueEnd, name, value: text.slice(valueStart, valueEnd) };
  }
  const closing = findUnit(quote, { units, start: valueStart + 1, end });
  return closing === null
    ? null
    : { start, end: closing + 1, name, value: text.slice(valueStart + 1, closing) };
}

/** Knowledge of the tags of a stretch. */
export interface TagMemory {
  /** Places between attributes from which no tag ends, so that tags within broken tags are not read anew. */
  deadPlaces: Set<number> | null;
}

const markdownSpaceSigns = ' \t\n\v\f\r';
const markdownSpace = toUnitSet(markdownSpaceSigns);
const markdownName = toUnitSet(`${nameSigns}-`);
const markdownAttributeStarts = toUnitSet(`${letterSigns}_:`);
const markdownAttribute = toUnitSet(`${nameSigns}_:.-`);
const markdownValueEnds = toUnitSet(`${markdownSpaceSigns}"'=<>\``);

/**
 * Finds where the tag at the start of a stretch ends that Markdown passes on as HTML; `torn` when the stretch ends within
 * it, null when there is none. In both cases the `<` is shown.
 *
 * @see https://spec.commonmark.org/0.31.2/#raw-html
 */
export function findMarkdownTagEnd(
  { units, start, end }: Stretch,
  memory?: TagMemory,
): number | 'torn' | null {
  const isClosing = units[start + 1] === signs.slash;
  const nameStart = start + (isClosing ? 2 : 1);
  if (nameStart >= end || !holds(letters, units[nameStart])) return null;
  const places: number[] = [];
  let index = skipUnits(markdownName, { units, start: nameStart, end });
  for (;;) {
    const next = skipUnits(markdownSpace, { units, start: index, end });
    if (next >= end) break;
    if (units[next] === signs.greater) return next + 1;
    if (isClosing) return null;
    if (units[next] === signs.slash && units[next + 1] === signs.greater) return next + 2;
    if (
      next === index ||
      memory?.deadPlaces?.has(index) === true ||
      !holds(markdownAttributeStarts, units[next])
    )
      break;
    places.push(index);
    index = passMarkdownAttribute({ units, start: next, end });
  }
  if (memory !== undefined) remember(memory, places);
  return isTorn({ units, start: index, end }) ? 'torn' : null;
}

/** Tells whether a stretch ends within the attributes of a tag, or within the value of which `=` begins it. */
function isTorn({ units, start, end }: Stretch): boolean {
  const next = skipUnits(markdownSpace, { units, start, end });
  if (next === end || units[next] !== signs.equals) return next === end;
  const value = skipUnits(markdownSpace, { units, start: next + 1, end });
  return value === end || units[value] === signs.quote || units[value] === signs.apostrophe;
}

function remember(memory: TagMemory, places: readonly number[]): void {
  if (places.length === 0) return;
  memory.deadPlaces ??= new Set();
  for (const place of places) memory.deadPlaces.add(place);
}

/** Finds where the attribute at the start of a stretch ends; what follows a name belongs to it only if it is a whole value. */
function passMarkdownAttribute({ units, start, end }: Stretch): number {
  const nameEnd = skipUnits(markdownAttribute, { units, start, end });
  const equals = skipUnits(markdownSpace, { units, start: nameEnd, end });
  if (equals >= end || units[equals] !== signs.equals) return nameEnd;
  const valueStart = skipUnits(markdownSpace, { units, start: equals + 1, end });
  const quote = units[valueStart];
  if (valueStart < end && (quote === signs.quote || quote === signs.apostrophe)) {
    const closing = findUnit(quote, { units, start: valueStart + 1, end });
    return closing === null ? nameEnd : closing + 1;
  }
  const valueEnd = findNext(markdownValueEnds, { units, start: valueStart, end });
  return valueEnd === valueStart ? nameEnd : valueEnd;
}
