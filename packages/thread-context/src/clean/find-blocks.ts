import { type Container, continuesContainer, openContainer } from './block-openers.ts';
import type { Span } from './edits.ts';
import { findHtmlBlockRule } from './html-grammar.ts';
import { LineCursor } from './line-cursor.ts';

/** A stretch of text whose lines belong together; the markers of quotes and lists are not in it. */
export interface TextBlock {
  readonly kind: 'paragraph' | 'heading' | 'html';
  readonly lines: readonly Span[];
}

export interface Blocks {
  readonly texts: readonly TextBlock[];
  /** Lines of fenced and indented code. */
  readonly code: readonly Span[];
  /** What stands behind the marks that open a fence. */
  readonly fenceInfos: readonly Span[];
  readonly footnotes: readonly (Span & { readonly label: string })[];
  /** False when blocks are nested deeper than anybody writes: nothing is believed to be code then. */
  readonly isReliable: boolean;
}

type Leaf =
  | { readonly kind: 'paragraph'; readonly lines: Span[] }
  | { readonly kind: 'fence'; readonly mark: string }
  | { readonly kind: 'html'; readonly lines: Span[]; readonly end: RegExp | null };

const maxDepth = 64;
const fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const heading = /^#{1,6}(?:[ \t]|$)/;
const underline = /^(?:=+|-+)[ \t]*$/;
const rule = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Reads the blocks of a Markdown text, line by line. @see https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy */
export function findBlocks(text: string): Blocks {
  const finder = new BlockFinder(text);
  for (const line of linesOf(text)) finder.read(line);
  return finder.finish();
}

function* linesOf(text: string): Generator<Span> {
  const ending = /\r\n|\n|\r/g;
  let start = 0;
  for (const match of text.matchAll(ending)) {
    yield { start, end: match.index };
    start = match.index + match[0].length;
  }
  yield { start, end: text.length };
}

class BlockFinder {
  readonly #text: string;
  readonly #texts: TextBlock[] = [];
  readonly #code: Span[] = [];
  readonly #fenceInfos: Span[] = [];
  readonly #footnotes: (Span & { readonly label: string })[] = [];
  #containers: Container[] = [];
  #leaf: Leaf | null = null;
  #isReliable = true;
  /** Where the line before ends. */
  #reached = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(line: Span): void {
    const cursor = new LineCursor(this.#text, line);
    const matched = this.#matchContainers(cursor);
    const isInside = matched === this.#containers.length;
    if (!(isInside && this.#continueLeaf(cursor))) {
      if (this.#leaf?.kind !== 'paragraph') this.#closeTo(matched);
      this.#startBlocks(cursor, matched);
    }
    this.#reached = line.end;
  }

  finish(): Blocks {
    this.#closeTo(0);
    return {
      texts: this.#texts,
      code: this.#isReliable ? this.#code : [],
      fenceInfos: this.#fenceInfos,
      footnotes: this.#footnotes,
      isReliable: this.#isReliable,
    };
  }

  #matchContainers(cursor: LineCursor): number {
    const index = this.#containers.findIndex((container) => !continuesContainer(container, cursor));
    return index === -1 ? this.#containers.length : index;
  }

  /** Inside fences and HTML nothing else can begin. */
  #continueLeaf(cursor: LineCursor): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === 'fence') {
      const { columns, blank } = cursor.measure();
      const rest = blank ? '' : cursor.restAfterSpace().replace(/[ \t]+$/, '');
      const isEnd = columns <= 3 && rest.startsWith(leaf.mark) && isRepeated(rest);
      if (isEnd) this.#leaf = null;
      else this.#code.push({ start: cursor.offset, end: cursor.end });
      return true;
    }
    if (leaf?.kind !== 'html') return false;
    if (leaf.end === null && cursor.measure().blank) {
      this.#closeLeaf();
      return false;
    }
    leaf.lines.push({ start: cursor.offset, end: cursor.end });
    if (leaf.end?.test(cursor.rest())) this.#closeLeaf();
    return true;
  }

  #startBlocks(cursor: LineCursor, matched: number): void {
    let closed = false;
    const close = () => {
      if (!closed) this.#closeTo(matched);
      closed = true;
      this.#closeLeaf();
    };
    for (;;) {
      const { columns, offset, blank } = cursor.measure();
      const inParagraph = !closed && this.#leaf?.kind === 'paragraph';
      const isLazy = inParagraph && matched < this.#containers.length;
      if (blank) return close();
      const line = { start: offset, end: cursor.end };
      if (columns >= 4) {
        if (inParagraph) return this.#addText(line);
        close();
        this.#code.push({ start: cursor.offset, end: cursor.end });
        return;
      }
      const rest = cursor.restAfterSpace();
      if (inParagraph && !isLazy && underline.test(rest)) return close();
      const leaf = this.#openLeaf(rest, { line, inParagraph });
      if (leaf !== undefined) {
        close();
        this.#leaf = leaf;
        if (leaf?.kind === 'html' && leaf.end?.test(rest)) this.#closeLeaf();
        return;
      }
      if (rule.test(rest)) return close();
      const container = openContainer(cursor, inParagraph && !isLazy);
      if (container === null) return this.#addText(line, isLazy ? undefined : close);
      close();
      if (this.#containers.length >= maxDepth) this.#isReliable = false;
      else this.#containers.push(container);
    }
  }

  /** The block without blocks in it that begins here; null when it is over with its line. */
  #openLeaf(
    rest: string,
    { line, inParagraph }: { readonly line: Span; readonly inParagraph: boolean },
  ): Leaf | null | undefined {
    const [, backticks, tildes] = fence.exec(rest) ?? [];
    const mark = backticks ?? tildes;
    if (mark !== undefined) {
      this.#fenceInfos.push({ start: line.start + mark.length, end: line.end });
      return { kind: 'fence', mark };
    }
    if (heading.test(rest)) {
      // Its place in the order is kept by closing what came before, which the caller does at once.
      this.#closeLeaf();
      this.#texts.push({ kind: 'heading', lines: [line] });
      return null;
    }
    const html = findHtmlBlockRule(rest, inParagraph);
    return html === undefined ? undefined : { kind: 'html', lines: [line], end: html.end };
  }

  #addText(line: Span, closeUnmatched?: () => void): void {
    if (this.#leaf?.kind === 'paragraph') {
      this.#leaf.lines.push(line);
      return;
    }
    closeUnmatched?.();
    this.#leaf = { kind: 'paragraph', lines: [line] };
  }

  #closeTo(depth: number): void {
    if (depth < this.#containers.length || depth === 0) this.#closeLeaf();
    for (const container of this.#containers.slice(depth)) {
      if (container.kind !== 'footnote') continue;
      this.#footnotes.push({ label: container.label, start: container.start, end: this.#reached });
    }
    this.#containers = this.#containers.slice(0, depth);
  }

  #closeLeaf(): void {
    if (this.#leaf !== null && this.#leaf.kind !== 'fence') {
      this.#texts.push({ kind: this.#leaf.kind, lines: this.#leaf.lines });
    }
    this.#leaf = null;
  }
}

function isRepeated(text: string): boolean {
  const first = text.charAt(0);
  for (const char of text) if (char !== first) return false;
  return true;
}
