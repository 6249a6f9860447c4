import type { Span } from '../clean/edits.ts';
import { type Blocks, findBlocks } from '../clean/find-blocks.ts';
import { findDefinedLabels } from '../clean/find-definition-edits.ts';
import { emptyFindings, type PlacedTag } from '../clean/findings.ts';
import { toPage, toText } from '../clean/page.ts';
import { scanInline } from '../clean/scan-inline.ts';

/** A line of a text without its end. */
export interface Line extends Span {
  readonly text: string;
}

/** Splits a text at CR, LF and CRLF. */
export function splitLines(body: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { 0: lineEnd, index } of body.matchAll(/\r\n|\r|\n/g)) {
    lines.push({ start, end: index, text: body.slice(start, index) });
    start = index + lineEnd.length;
  }
  lines.push({ start, end: body.length, text: body.slice(start) });
  return lines;
}

export interface ProseQuestion {
  /** Indexes into the text, ascending. */
  readonly places: readonly number[];
  /** Beginnings of lines, or words: these are no prose in a link or in a block of HTML either. */
  readonly of: 'lines' | 'words';
}

/**
 * Picks the places at which a page shows what its author says there: not code, not a quote, not a comment of HTML, nor
 * where else a page shows no text, as CommonMark reads it. Takes time in proportion to the text.
 *
 * @see https://spec.commonmark.org/0.31.2/
 */
export function pickProse(body: string, { places, of }: ProseQuestion): ReadonlySet<number> {
  if (places.length === 0) return new Set();
  const page = toPage(body);
  const blocks = findBlocks(page);
  if (blocks.isTooDeep) return new Set();
  const read = { ...page, text: blocks.isBlanked ? toText(page.units) : body };
  const into = emptyFindings();
  const isDefined = findDefinedLabels(blocks, read);
  for (const { kind, textStart, end } of blocks.texts) {
    if (kind !== 'html')
      scanInline({ start: textStart, end }, { page: read, into, isDefined, trustsCode: true });
  }
  const definitions = blocks.texts.map(({ start, textStart }) => ({ start, end: textStart - 1 }));
  const html = of === 'words' ? blocks.texts.filter(({ kind }) => kind === 'html') : [];
  const links = of === 'words' ? [...into.links, ...findElements(into.tags)] : [];
  const others = [
    blocks.code,
    blocks.quotes,
    blocks.verbatim,
    definitions,
    into.code,
    into.cuts,
    html,
    links,
  ];
  const tags = into.tags.map(({ tag }) => tag);
  const fences = findLooseFences(body, blocks);
  const spans = [...others.flat(), ...tags, ...fences].toSorted((one, other) => one.start - other.start);
  return new Set(dropCovered(places, spans));
}

/** Elements whose words are no prose. */
const quoting = new Set(['a', 'code', 'kbd', 'pre', 'samp', 'tt']);

/** The elements of code and links, each from its tag to the next closing one of its name, at most to the end of its block. */
function findElements(tags: readonly PlacedTag[]): readonly Span[] {
  const spans: Span[] = [];
  const open = new Map<string, PlacedTag>();
  const close = (name: string, end: number): void => {
    const opening = open.get(name);
    if (opening !== undefined) spans.push({ start: opening.tag.start, end: Math.min(end, opening.blockEnd) });
    open.delete(name);
  };
  for (const placed of tags) {
    const { name, isClosing, start } = placed.tag;
    if (!quoting.has(name)) continue;
    if (isClosing) close(name, start);
    else if (!open.has(name) || (open.get(name)?.blockEnd ?? 0) <= start) {
      close(name, start);
      open.set(name, placed);
    }
  }
  for (const name of [...open.keys()]) close(name, Number.POSITIVE_INFINITY);
  return spans;
}

/** Drops the places that lie in one of the spans, which are in the order of their beginnings. */
export function dropCovered(places: readonly number[], spans: readonly Span[]): readonly number[] {
  let next = 0;
  let reached = -1;
  return places.filter((place) => {
    for (let span = spans[next]; span !== undefined && span.start <= place; span = spans[next]) {
      reached = Math.max(reached, span.end);
      next += 1;
    }
    return place >= reached;
  });
}

/**
 * The lines of code whose fence an item of a list opens, and which are not indented as the item is: for CommonMark the code
 * ends with the item, for who wrote it at the closing fence. In a quote each line has a sign of its own.
 */
function findLooseFences(body: string, blocks: Blocks): readonly Span[] {
  const fenced: Span[] = [];
  let open: string | null = null;
  let next = 0;
  for (const { start, end, text } of splitLines(body)) {
    if (open === null) {
      while ((blocks.fences[next]?.info.start ?? Number.POSITIVE_INFINITY) < start) next += 1;
      const info = blocks.fences[next]?.info;
      if (info === undefined) return fenced;
      const opening = body.slice(start, info.start);
      if (info.start <= end && !opening.includes('>')) open = readMarks(opening);
    } else {
      fenced.push({ start, end: end + 1 });
      if (/^[ \t]*(?:`{3,}|~{3,})[ \t]*$/.test(text) && text.trimStart().startsWith(open)) open = null;
    }
  }
  return fenced;
}

/** The signs that a text ends with, all the same. */
function readMarks(opening: string): string {
  const sign = opening.at(-1) ?? '';
  let start = opening.length;
  while (start > 0 && opening[start - 1] === sign) start -= 1;
  return opening.slice(start);
}
