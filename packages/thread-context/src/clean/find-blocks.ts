import { type Container, continuesContainer, openContainer } from './containers.ts';
import type { Span } from './edits.ts';
import { findNext } from './find-next.ts';
import { continueLeaf, type Leaf, type OpenedLeaf, openLeaf } from './leaves.ts';
import { createLineReader, type LineReader, nextCode, skipColumns, startLine } from './line-reader.ts';
import { type TextBlock, toTextBlock } from './text-block.ts';

export interface Blocks {
  /** Those with markup in them. */
  readonly texts: readonly TextBlock[];
  /** Lines of fenced and indented code. */
  readonly code: readonly Span[];
  /** What stands behind the signs that open a fence. */
  readonly fenceInfos: readonly Span[];
  readonly footnotes: readonly (Span & { readonly label: string })[];
  /** Blocks lie in one another deeper than anybody writes: what is found here is not to be believed. */
  readonly isTooDeep: boolean;
}

interface State {
  readonly reader: LineReader;
  readonly texts: TextBlock[];
  readonly code: Span[];
  readonly fenceInfos: Span[];
  readonly footnotes: (Span & { readonly label: string })[];
  readonly containers: Container[];
  leaf: Leaf | null;
  isTooDeep: boolean;
  /** Where the line before ends. */
  reached: number;
  /** Where the next sign of markup is, from the block on that was asked about last. */
  nextMarkup: number;
}

const maxDepth = 32;
const underline = /(?:=+|-+)[ \t]*(?![^\n\r])/y;
const markup = /[<&`[]/g;
const lineEnd = /[\n\r]/g;
const signs = { lineFeed: 0x0a, carriageReturn: 0x0d, dash: 0x2d, equals: 0x3d };

/**
 * Reads the blocks of a Markdown text, line by line.
 *
 * @see https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy
 */
export function findBlocks(text: string): Blocks {
  const lists = { texts: [], code: [], fenceInfos: [], footnotes: [], containers: [] };
  const state: State = {
    reader: createLineReader(text),
    ...lists,
    leaf: null,
    isTooDeep: false,
    reached: 0,
    nextMarkup: 0,
  };
  let start = 0;
  while (start <= text.length) {
    const end = findNext(lineEnd, { content: text, from: start });
    readLine(state, start, end);
    const isPair =
      text.charCodeAt(end) === signs.carriageReturn && text.charCodeAt(end + 1) === signs.lineFeed;
    start = end + (isPair ? 2 : 1);
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
  const goesOn = isInside && state.leaf !== null ? continueLeaf(state.leaf, reader) : null;
  if (goesOn?.code != null) state.code.push(goesOn.code);
  if (goesOn?.isOver === true) closeLeaf(state);
  if (goesOn?.takesLine !== true) {
    if (state.leaf?.kind !== 'paragraph') closeContainers(state, matched);
    startBlocks(state, matched);
  }
  state.reached = end;
}

/** Reads what begins on the rest of a line: containers, then at most one block that takes text. */
function startBlocks(state: State, matched: number): void {
  const { reader } = state;
  // While nothing else has begun, an open paragraph can go on, even outside its containers: "lazily".
  let isParagraphOpen = state.leaf?.kind === 'paragraph';
  const begin = () => {
    isParagraphOpen = false;
    beginBlock(state, matched);
  };
  while (!reader.isBlank) {
    const inParagraph = isParagraphOpen && matched === state.containers.length;
    if (reader.indent >= 4) {
      if (!isParagraphOpen) begin();
      addIndented(state);
      return;
    }
    if (inParagraph && isUnderlined(state)) {
      closeLeaf(state);
      return;
    }
    const opened = openLeaf(reader, isParagraphOpen);
    if (opened !== null) {
      begin();
      takeLeaf(state, opened);
      return;
    }
    const container = openContainer(reader, inParagraph);
    if (container === null) {
      if (!isParagraphOpen) begin();
      addLine(state);
      return;
    }
    begin();
    if (state.containers.length >= maxDepth) state.isTooDeep = true;
    else state.containers.push(container);
  }
  if (isParagraphOpen) closeContainers(state, matched);
}

/** Closes what ends where something else begins. */
function beginBlock(state: State, matched: number): void {
  if (state.leaf?.kind === 'paragraph') closeContainers(state, matched);
  const parent = state.containers.at(-1);
  if (parent !== undefined) parent.isEmpty = false;
}

function takeLeaf(state: State, { leaf, info, isOver }: OpenedLeaf): void {
  state.leaf = leaf;
  if (info !== null) state.fenceInfos.push(info);
  if (isOver) closeLeaf(state);
}

/** A line of code, unless a paragraph goes on with it. */
function addIndented(state: State): void {
  const { reader, leaf, code } = state;
  if (leaf?.kind === 'paragraph') {
    addLine(state);
    return;
  }
  skipColumns(reader, 4);
  code.push({ start: reader.offset, end: reader.end });
}

/** Whether the line makes a heading of the paragraph before it, which one of nothing but definitions cannot be. */
function isUnderlined({ reader, leaf }: State): boolean {
  const sign = nextCode(reader);
  if (sign !== signs.equals && sign !== signs.dash) return false;
  underline.lastIndex = reader.next;
  if (leaf?.kind !== 'paragraph' || !underline.test(reader.text)) return false;
  const { kind, lines } = leaf;
  const { content, textStart } = toTextBlock(reader.text, { kind, lines, inQuote: true });
  return textStart < content.length;
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
  if (state.containers.length === depth) return;
  for (const { kind, label, start } of state.containers.splice(depth)) {
    if (kind === 'footnote') state.footnotes.push({ label, start, end: state.reached });
  }
}

function closeLeaf(state: State): void {
  const { leaf, reader, texts } = state;
  state.leaf = null;
  if (leaf === null || leaf.kind === 'fence') return;
  const { kind, lines } = leaf;
  if (!hasMarkup(state, lines)) return;
  texts.push(toTextBlock(reader.text, { kind, lines, inQuote: lines.length > 1 && isInQuote(state) }));
}

/** Whether there is a sign in the lines that anything to be taken out begins with, or code. */
function hasMarkup(state: State, lines: readonly Span[]): boolean {
  const start = lines[0]?.start ?? 0;
  if (state.nextMarkup <= start)
    state.nextMarkup = findNext(markup, { content: state.reader.text, from: start });
  return state.nextMarkup < (lines.at(-1)?.end ?? 0);
}

function isInQuote({ containers }: State): boolean {
  return containers.some(({ kind }) => kind === 'quote');
}
