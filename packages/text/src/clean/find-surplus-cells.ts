import type { Edit, Span } from './edits.ts';
import { findUnit, skipUnits, toUnitSet } from './find-next.ts';
import { isEmptyStretch } from './link-grammar.ts';
import type { Page } from './page.ts';
import type { TextBlock } from './text-block.ts';

const tableRule = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const ruleSigns = toUnitSet(' \t|:-');
const signs = { lineFeed: 0x0a, backslash: 0x5c, bar: 0x7c };

/** Finds where the line is that makes a table of what stands above and below it; null where none does. */
export function findTableRule({ text, units }: Page, { start, end }: Span): Span | null {
  for (let line = start; line < end; ) {
    const signsEnd = skipUnits(ruleSigns, { units, start: line, end });
    const isOnlySigns = signsEnd === end || units[signsEnd] === signs.lineFeed;
    if (line > start && isOnlySigns && tableRule.test(text.slice(line, signsEnd)))
      return { start: line, end: signsEnd };
    line = (findUnit(signs.lineFeed, { units, start: signsEnd, end }) ?? end) + 1;
  }
  return null;
}

/**
 * Cells to the right of those that the head of a table has: no page shows them.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
export function findSurplusCells(block: TextBlock, page: Page): Edit[] {
  const text = { start: block.textStart, end: block.end };
  const rule = block.kind === 'paragraph' && block.lineCount > 2 ? findTableRule(page, text) : null;
  if (rule === null) return [];
  const { units } = page;
  const columns = countCells(page, rule);
  const cuts: Edit[] = [];
  for (let start = rule.end + 1; start < text.end; ) {
    const end = findUnit(signs.lineFeed, { units, start, end: text.end }) ?? text.end;
    const shownEnd = passCells(page, { start, end }, columns);
    if (!isEmptyStretch({ units, start: shownEnd, end }))
      cuts.push({ start: shownEnd, end, kind: 'surplus-cell' });
    start = end + 1;
  }
  return cuts;
}

function countCells(page: Page, line: Span): number {
  let count = 0;
  for (
    let start = passFirstBar(page, line);
    !isEmptyStretch({ units: page.units, start, end: line.end });
    count += 1
  )
    start = Math.min(line.end, findCellEnd(page, { start, end: line.end }) + 1);
  return count;
}

/** Behind the bar that ends the last of so many cells. */
function passCells(page: Page, line: Span, count: number): number {
  let start = passFirstBar(page, line);
  for (let passed = 0; passed < count && start < line.end; passed += 1)
    start = Math.min(line.end, findCellEnd(page, { start, end: line.end }) + 1);
  return start;
}

function passFirstBar({ units }: Page, { start, end }: Span): number {
  let index = start;
  while (index < end && (units[index] === 0x20 || units[index] === 0x09)) index += 1;
  return units[index] === signs.bar ? index + 1 : start;
}

/** The bar or the end of the line that ends a cell. */
export function findCellEnd({ units }: Page, { start, end }: Span): number {
  for (let index = start; index < end; index += 1) {
    const unit = units[index];
    if (unit === signs.bar || unit === signs.lineFeed) return index;
    if (unit === signs.backslash && units[index + 1] !== signs.lineFeed) index += 1;
  }
  return end;
}
