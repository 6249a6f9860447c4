import { intersectSpans, type Span } from './edits.ts';
import { findUnit } from './find-next.ts';
import { findCellEnd, findTableRule } from './find-surplus-cells.ts';
import { emptyFindings, forgetSince, markFindings } from './findings.ts';
import type { Page } from './page.ts';
import { type InlineOptions, scanInline } from './scan-inline.ts';
import type { TextBlock } from './text-block.ts';

const backtick = 0x60;

/**
 * Reads the text of a paragraph or a heading. Where two readers of Markdown could disagree on what is code, only what
 * is code for both of them counts: what is taken for code wrongly would keep what it hides.
 */
export function scanParagraph(block: TextBlock, options: InlineOptions): void {
  const text = { start: block.textStart, end: block.end };
  if (block.lineCount > 1 && mayBeTable(options.page, block)) scanTable(text, options);
  else scanSurely(text, options);
}

/** Tells whether there is code in it that the cells of a table could cut in two. */
function mayBeTable(page: Page, { start, end }: Span): boolean {
  const { units } = page;
  return findUnit(backtick, { units, start, end }) !== null && findTableRule(page, { start, end }) !== null;
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
  for (const label of whole.hiddenLabels) into.hiddenLabels.push(label);
  const tags = [...whole.tags, ...cells.tags].sort((a, b) => a.tag.start - b.tag.start);
  for (const placed of tags) if (placed.tag.start !== into.tags.at(-1)?.tag.start) into.tags.push(placed);
}
