import { BacktickRuns } from './backtick-runs.ts';
import { BracketReader } from './bracket-reader.ts';
import { emptyFindings, type Findings } from './findings.ts';
import { tagSource } from './html-grammar.ts';
import { readHtmlTag } from './html-tag.ts';
import { cutAttributes, cutEntity, readHtmlComment } from './markup-cuts.ts';

const interesting = /[\\`<[\]!&]/g;
const backticks = /`+/y;
const tagHere = new RegExp(tagSource, 'y');
const autolink = /<(?:[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9.-]+)>/y;
const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/m;

export interface InlineOptions {
  /** Where to begin: behind the definitions of a paragraph. */
  readonly from: number;
  readonly isDefined: (label: string) => boolean;
  /** Whether what looks like a code span may be believed to be one. */
  readonly trustsCode: boolean;
}

/**
 * Reads the text of a paragraph or a heading. Where two readers of Markdown could disagree on which backticks
 * belong together, nothing in it counts as code: what is taken for code wrongly would keep what it hides.
 */
export function scanInline(content: string, options: InlineOptions): Findings {
  if (!options.trustsCode) return new InlineScanner(content, options).scan();
  const scanner = new InlineScanner(content, options);
  const findings = scanner.scan();
  const isDoubtful = scanner.isDoubtful || (tableRule.test(content) && !isPlainTable(content, scanner));
  return isDoubtful ? new InlineScanner(content, { ...options, trustsCode: false }).scan() : findings;
}

/** The cells of a table are read one by one: code must lie within a line and a cell, and no backtick be left. */
function isPlainTable(content: string, { hasLooseBackticks, findings }: InlineScanner): boolean {
  return (
    !hasLooseBackticks && findings.code.every(({ start, end }) => !/[|\n]/.test(content.slice(start, end)))
  );
}

class InlineScanner {
  readonly findings: Findings = emptyFindings();
  isDoubtful = false;
  hasLooseBackticks = false;
  readonly #content: string;
  readonly #options: InlineOptions;
  readonly #runs: BacktickRuns;
  readonly #brackets: BracketReader;
  /** No comment that begins so is ended behind the index where that was seen. */
  readonly #unended = new Set<string>();

  constructor(content: string, options: InlineOptions) {
    this.#content = content;
    this.#options = options;
    this.#runs = new BacktickRuns(options.trustsCode ? content : '');
    this.#brackets = new BracketReader(content, { ...options, findings: this.findings });
  }

  scan(): Findings {
    let index = this.#options.from;
    while (index < this.#content.length) {
      interesting.lastIndex = index;
      const found = interesting.exec(this.#content);
      if (found === null) break;
      index = this.#read(found[0], found.index);
    }
    if (this.#brackets.isDoubtful) this.isDoubtful = true;
    return this.findings;
  }

  #read(char: string, start: number): number {
    if (char === '\\') return start + (/[!-/:-@[-`{-~]/.test(this.#content.charAt(start + 1)) ? 2 : 1);
    if (char === '`') return this.#readCode(start);
    if (char === '<') return this.#readMarkup(start);
    if (char === '&') return this.#readEntity(start);
    return this.#brackets.read(char, start);
  }

  #readCode(start: number): number {
    backticks.lastIndex = start;
    const length = backticks.exec(this.#content)?.[0].length ?? 1;
    if (!this.#options.trustsCode) return start + length;
    const closer = this.#runs.findNext(length, start + length);
    if (closer === undefined) {
      this.hasLooseBackticks = true;
      return start + length;
    }
    const end = closer + length;
    this.findings.code.push({ start, end });
    return end;
  }

  #readEntity(start: number): number {
    const cut = cutEntity(this.#content, start);
    if (cut !== null) this.findings.cuts.push(cut);
    return cut?.end ?? start + 1;
  }

  #readMarkup(start: number): number {
    autolink.lastIndex = start;
    if (autolink.test(this.#content)) return autolink.lastIndex;
    const comment = this.#readComment(start);
    if (comment !== null) return comment;
    tagHere.lastIndex = start;
    const tag = tagHere.test(this.#content) ? readHtmlTag(this.#content, start) : null;
    if (tag === null) return start + 1;
    this.findings.tags.push(tag);
    this.findings.cuts.push(...cutAttributes(tag));
    return tag.end;
  }

  #readComment(start: number): number | null {
    const sign = this.#content.slice(start, start + 3);
    if (this.#unended.has(sign)) return null;
    const comment = readHtmlComment(this.#content, start);
    if (comment === null) return null;
    if (comment.end === null) {
      this.#unended.add(sign);
      return null;
    }
    this.findings.cuts.push({ start, end: comment.end, kind: 'html-comment' });
    // Versions of Markdown differ in what a comment may hold, hence in which backticks stand outside of it.
    if (this.#content.slice(start, comment.end).includes('`')) this.isDoubtful = true;
    return comment.end;
  }
}
