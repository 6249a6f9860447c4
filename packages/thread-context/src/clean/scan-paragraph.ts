import { intersectSpans } from './edits.ts';
import { addFindings, type Findings, startContent } from './findings.ts';
import { type InlineOptions, scanInline } from './scan-inline.ts';

const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Reads the text of a paragraph or a heading. Where two readers of Markdown could disagree on what is code, only what
 * is code for both of them counts: what is taken for code wrongly would keep what it hides.
 */
export function scanParagraph(content: string, options: InlineOptions): Findings {
  const whole = scanSurely(content, options);
  if (!content.includes('`') || !content.split('\n').some((line) => tableRule.test(line))) return whole;
  const cells = scanCells(content, options);
  const tags = [...whole.tags, ...cells.tags].sort((a, b) => a.start - b.start);
  return {
    cuts: [...whole.cuts, ...cells.cuts],
    code: [...intersectSpans(whole.code, cells.code)],
    tags: tags.filter(({ start }, index) => start !== tags[index - 1]?.start),
    references: whole.references,
  };
}

function scanSurely(content: string, options: InlineOptions): Findings {
  const read = scanInline(content, options);
  return read.isDoubtful && options.trustsCode
    ? scanInline(content, { ...options, trustsCode: false })
    : read;
}

/** The cells of a table are read one by one, and the line ends it. @see https://github.github.com/gfm/#tables-extension- */
function scanCells(content: string, options: InlineOptions): Findings {
  const all = startContent(content, options.base);
  const cell = /(?:\\[^\n]|[^\\|\n]|\\$)+/gm;
  cell.lastIndex = options.from;
  for (let found = cell.exec(content); found !== null; found = cell.exec(content)) {
    addFindings(all, scanSurely(found[0], { ...options, base: options.base + found.index, from: 0 }));
  }
  return all;
}
