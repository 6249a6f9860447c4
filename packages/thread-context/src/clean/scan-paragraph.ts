import { intersectSpans } from './edits.ts';
import { emptyFindings, forgetSince, markFindings } from './findings.ts';
import { type InlineOptions, scanInline } from './scan-inline.ts';

const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Reads the text of a paragraph or a heading. Where two readers of Markdown could disagree on what is code, only what
 * is code for both of them counts: what is taken for code wrongly would keep what it hides.
 */
export function scanParagraph(
  content: string,
  options: InlineOptions & { readonly lineCount: number },
): void {
  const isTable =
    options.lineCount > 1 &&
    content.includes('`') &&
    content.split('\n').some((line) => tableRule.test(line));
  if (isTable) scanTable(content, options);
  else scanSurely(content, options);
}

function scanSurely(content: string, options: InlineOptions): void {
  const mark = markFindings(options.into);
  const { isDoubtful } = scanInline(content, options);
  if (!isDoubtful || !options.trustsCode) return;
  forgetSince(options.into, mark);
  scanInline(content, { ...options, trustsCode: false });
}

/**
 * Reads what may be a table as a paragraph and cell by cell; a line ends a cell.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
function scanTable(content: string, options: InlineOptions): void {
  const { into } = options;
  const whole = emptyFindings();
  scanSurely(content, { ...options, into: whole });
  const cells = emptyFindings();
  const cell = /(?:\\[^\n]|[^\\|\n]|\\$)+/gm;
  cell.lastIndex = options.from;
  for (let found = cell.exec(content); found !== null; found = cell.exec(content)) {
    scanSurely(found[0], { ...options, into: cells, base: options.base + found.index, from: 0 });
  }
  for (const span of intersectSpans(whole.code, cells.code)) into.code.push(span);
  for (const cut of [...whole.cuts, ...cells.cuts]) into.cuts.push(cut);
  for (const label of whole.references) into.references.push(label);
  const tags = [...whole.tags, ...cells.tags].sort((a, b) => a.start - b.start);
  for (const tag of tags) if (tag.start !== into.tags.at(-1)?.start) into.tags.push(tag);
}
