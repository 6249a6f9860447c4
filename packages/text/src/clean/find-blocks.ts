import {
  type Container,
  continuesContainer,
  createLineReader,
  type LineReader,
  openContainer,
  passLineEnd,
  skipColumns,
  startLine,
} from './container-blocks.ts';
import type { Span } from './edits.ts';
import {
  continueLeaf,
  type LeafBlock,
  type OpenedLeafBlock,
  openLeaf,
  type TextLeafBlock,
} from './leaf-blocks.ts';
import { findNext, type Page, skipBlanks, skipRun, toUnitSet } from './page.ts';
import { type TextBlock, toTextBlock } from './text-block.ts';

export type { TextBlock } from './text-block.ts';

/** A fenced block. */
export interface Fence {
  /** The text behind the signs that open it. */
  readonly info: Span;
  /** The letters that its info begins with, in lower case: `mermaid`. */
  readonly language: string;
  readonly lines: readonly Span[];
}

export interface Blocks {
  /** Blocks of text with markup in them. */
  readonly texts: readonly TextBlock[];
  /** Lines of fenced and indented code. */
  readonly code: readonly Span[];
  readonly fences: readonly Fence[];
  readonly footnotes: readonly (Span & { readonly label: string })[];
  /** Quotes, with the lines that go on in them without a sign of their own. */
  readonly quotes: readonly Span[];
  /** HTML whose text is code, or is not shown: of `pre`, `script`, comments. */
  readonly verbatim: readonly Span[];
  /** Blocks lie in one another deeper than anybody writes: what is found here is not to be believed. */
  readonly isTooDeep: boolean;
  /** Markers of quotes between lines have become spaces: the units are not those of the text any more. */
  readonly isBlanked: boolean;
}

interface State {
  readonly text: string;
  readonly reader: LineReader;
  readonly texts: TextBlock[];
  readonly code: Span[];
  readonly fences: Fence[];
  /** Takes the lines of the last fence. */
  fenceLines: Span[];
  readonly footnotes: (Span & { readonly label: string })[];
  readonly quotes: Span[];
  readonly verbatim: Span[];
  readonly containers: Container[];
  leaf: LeafBlock | null;
  isTooDeep: boolean;
  isBlanked: boolean;
  /** The place where the line before ends. */
  reached: number;
  /** The place where the next sign of markup is, from the block on that was asked about last. */
  nextMarkup: number;
  readonly keepsPlain: boolean;
}

const maxDepth = 32;
const markup = toUnitSet('<&`[$|');
const lineEnds = toUnitSet('\n\r');

const signs = { dash: 0x2d, equals: 0x3d };

interface BlockOptions {
  /** Lists blocks of text without markup as well. */
  readonly keepsPlain?: boolean;
}

/**
 * Reads the blocks of a Markdown text, line by line. In the units of the page, what stands between the lines of a
 * block becomes white space: behind it, each block is one stretch.
 *
 * @see https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy
 */
export function findBlocks({ text, units }: Page, { keepsPlain = false }: BlockOptions = {}): Blocks {
  const found = { texts: [], code: [], fences: [], footnotes: [], quotes: [], verbatim: [] };
  const state: State = {
    text,
    reader: createLineReader(units),
    ...found,
    containers: [],
    leaf: null,
    fenceLines: [],
    isTooDeep: false,
    isBlanked: false,
    reached: 0,
    nextMarkup: 0,
    keepsPlain,
  };
  let start = 0;
  while (start <= units.length) {
    const end = findNext(lineEnds, { units, start, end: units.length });
    readLine(state, start, end);
    start = passLineEnd(units, end);
  }
  closeContainers(state, 0);
  return state;
}

function readLine(state: State, start: number, end: number): void {
  const { reader, containers } = state;
  startLine(reader, start, end);
  let matched = 0;
  for (const container of containers) {
    if (!continuesContainer(container, reader)) break;
    matched += 1;
  }
  const isInside = matched === containers.length;
  const goesOn = isInside && state.leaf !== null ? continueLeaf(state.leaf, reader, state.text) : null;
  if (goesOn?.code != null) {
    state.code.push(goesOn.code);
    state.fenceLines.push(goesOn.code);
  }
  if (goesOn?.isOver === true) closeLeaf(state);
  if (goesOn?.takesLine !== true) {
    if (state.leaf?.kind !== 'paragraph') closeContainers(state, matched);
    startBlocks(state, matched);
  }
  state.reached = end;
}

/** Reads what begins on the rest of a line: containers, then at most one block that takes text. */
function startBlocks(state: State, matched: number): void {
  const { reader, text } = state;
  while (!reader.isBlank) {
    // While nothing else has begun, an open paragraph can go on, even outside its containers: "lazily".
    const isParagraphOpen = state.leaf?.kind === 'paragraph';
    const inParagraph = isParagraphOpen && matched === state.containers.length;
    if (inParagraph && isUnderlined(state)) {
      closeLeaf(state);
      return;
    }
    const isIndented = reader.indent >= 4;
    const opened = isIndented ? null : openLeaf(reader, { text, inParagraph: isParagraphOpen });
    const container = isIndented || opened !== null ? null : openContainer(reader, { text, inParagraph });
    const goesOn = isParagraphOpen && opened === null && container === null;
    if (!goesOn) beginBlock(state, matched);
    if (container === null) {
      if (opened !== null) takeLeaf(state, opened);
      else if (isIndented && !goesOn) addIndented(state);
      else addLine(state);
      return;
    }
    if (state.containers.length >= maxDepth) state.isTooDeep = true;
    else state.containers.push(container);
  }
  if (state.leaf?.kind === 'paragraph') closeContainers(state, matched);
}

/** Closes what ends where something else begins. */
function beginBlock(state: State, matched: number): void {
  if (state.leaf?.kind === 'paragraph') closeContainers(state, matched);
  const parent = state.containers.at(-1);
  if (parent !== undefined) parent.isEmpty = false;
}

function takeLeaf(state: State, { leaf, info, isOver }: OpenedLeafBlock): void {
  state.leaf = leaf;
  if (info !== null) openFence(state, info);
  if (isOver) closeLeaf(state);
}

function openFence(state: State, info: Span): void {
  const { fences, text } = state;
  const word = /^[ \t]{0,9}([a-z]{3,12})(?![^\s{])/i.exec(
    text.slice(info.start, Math.min(info.end, info.start + 24)),
  );
  state.fenceLines = [];
  fences.push({ info, language: word?.[1]?.toLowerCase() ?? '', lines: state.fenceLines });
}

/** A line of code. */
function addIndented({ reader, code }: State): void {
  skipColumns(reader, 4);
  code.push({ start: reader.offset, end: reader.end });
}

/** Tells whether the line makes a heading of the paragraph before it, which one of nothing but definitions cannot be. */
function isUnderlined(state: State): boolean {
  const { reader, leaf } = state;
  const { units, next, end } = reader;
  const sign = units[next];
  if (reader.indent >= 4 || (sign !== signs.equals && sign !== signs.dash)) return false;
  const signsEnd = skipRun(sign, { units, start: next, end });
  if (leaf?.kind !== 'paragraph' || skipBlanks({ units, start: signsEnd, end }) < end) return false;
  const block = takeText(state, leaf);
  return block.textStart < block.end;
}

function addLine(state: State): void {
  const { reader } = state;
  const line = { start: reader.next, end: reader.end };
  if (state.leaf?.kind === 'paragraph') state.leaf.lines.push(line);
  else state.leaf = { kind: 'paragraph', lines: [line] };
}

/** Closes the containers from that depth on, and the block that is open. */
function closeContainers(state: State, depth: number): void {
  closeLeaf(state);
  const { containers, footnotes, quotes, reached } = state;
  for (let index = depth; index < containers.length; index += 1) {
    const closed = containers[index];
    if (closed?.kind === 'quote') quotes.push({ start: closed.start, end: reached });
    if (closed?.kind === 'footnote')
      footnotes.push({ label: closed.label, start: closed.start, end: reached });
  }
  if (containers.length > depth) containers.length = depth;
}

function closeLeaf(state: State): void {
  const { leaf, texts } = state;
  state.leaf = null;
  if (leaf === null || leaf.kind === 'fence') return;
  if (!state.keepsPlain && !hasMarkup(state, leaf.lines)) return;
  if (leaf.kind === 'html' && leaf.end !== null)
    state.verbatim.push({ start: leaf.lines[0]?.start ?? 0, end: leaf.lines.at(-1)?.end ?? 0 });
  texts.push(takeText(state, leaf));
}

function takeText(state: State, { kind, lines }: TextLeafBlock): TextBlock {
  const inQuote = lines.length > 1 && isInQuote(state);
  if (inQuote) state.isBlanked = true;
  return toTextBlock(state.reader.units, { kind, lines, inQuote });
}

/** Tells whether there is a sign in the lines that anything to be taken out begins with, or code. */
function hasMarkup(state: State, lines: readonly Span[]): boolean {
  const start = lines[0]?.start ?? 0;
  if (state.nextMarkup <= start) {
    const { units } = state.reader;
    state.nextMarkup = findNext(markup, { units, start, end: units.length });
  }
  return state.nextMarkup < (lines.at(-1)?.end ?? 0);
}

function isInQuote({ containers }: State): boolean {
  return containers.some(({ kind }) => kind === 'quote');
}
