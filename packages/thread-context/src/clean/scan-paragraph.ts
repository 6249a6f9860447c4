import { intersectSpans, type Span } from './edits.ts';
import { findNext, findUnit, toOthers, toUnitSet } from './find-next.ts';
import { emptyFindings, forgetSince, markFindings } from './findings.ts';
import type { Page } from './page.ts';
import { type InlineOptions, scanInline } from './scan-inline.ts';
import type { TextBlock } from './text-block.ts';

const tableRule = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const noRuleSigns = toOthers(toUnitSet(' \t|:-'));
const signs = { lineFeed: 0x0a, backslash: 0x5c, backtick: 0x60, bar: 0x7c };

/**
 * Reads the text of a paragraph or a heading. Where two readers of Markdown could disagree on what is code, only what
 * is code for both of them counts: what is taken for code wrongly would keep what it hides.
 */
export function scanParagraph(block: TextBlock, options: InlineOptions): void {
  const text = { start: block.textStart, end: block.end };
  if (block.lineCount > 1 && mayBeTable(options.page, block)) scanTable(text, options);
  else scanSurely(text, options);
}

/** Whether there is code in it that the cells of a table could cut in two. */
function mayBeTable({ text, units }: Page, { start, end }: Span): boolean {
  if (findUnit(signs.backtick, { units, start, end }) === null) return false;
  for (let line = start; line < end; ) {
    const signsEnd = findNext(noRuleSigns, { units, start: line, end });
    const isOnlySigns = signsEnd === end || units[signsEnd] === signs.lineFeed;
    if (isOnlySigns && tableRule.test(text.slice(line, signsEnd))) return true;
    line = (findUnit(signs.lineFeed, { units, start: signsEnd, end }) ?? end) + 1;
  }
  return false;
}

function scanSurely(span: Span, options: InlineOptions): void {
  const mark = markFindings(options.into);
  const { isDoubtful } = scanInline(span, options);
  if (!isDoubtful || !options.trustsCode) return;
  forgetSince(options.into, mark);
  scanInline(span, { ...options, trustsCode: false });
}

/**
 * Reads what may be a table as a paragraph and cell by cell; a line ends a cell.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
function scanTable(span: Span, options: InlineOptions): void {
  const { into } = options;
  const whole = emptyFindings();
  scanSurely(span, { ...options, into: whole });
  const cells = emptyFindings();
  for (let start = span.start; start < span.end; ) {
    const end = findCellEnd(options.page, { start, end: span.end });
    if (end > start) scanSurely({ start, end }, { ...options, into: cells });
    start = end + 1;
  }
  for (const code of intersectSpans(whole.code, cells.code)) into.code.push(code);
  for (const cut of whole.cuts) into.cuts.push(cut);
  for (const cut of cells.cuts) into.cuts.push(cut);
  for (const label of whole.references) into.references.push(label);
  const tags = [...whole.tags, ...cells.tags].sort((a, b) => a.tag.start - b.tag.start);
  for (const placed of tags) if (placed.tag.start !== into.tags.at(-1)?.tag.start) into.tags.push(placed);
}

function findCellEnd({ units }: Page, { start, end }: Span): number {
  for (let index = start; index < end; index += 1) {
    const unit = units[index];
    if (unit === signs.bar || unit === signs.lineFeed) return index;
    if (unit === signs.backslash && units[index + 1] !== signs.lineFeed) index += 1;
  }
  return end;
}
