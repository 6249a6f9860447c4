import { type Edit, intersectSpans, mergeSpans, type Span } from './edits.ts';
import { type Blocks, findBlocks, type TextBlock } from './find-blocks.ts';
import { findBlankEdits, findCharacterEdits } from './find-character-edits.ts';
import { cutDefinitions, findDefinedLabels, findLabelEdits } from './find-definition-edits.ts';
import { findDiagramEdits } from './find-diagram-edits.ts';
import { findFormulaEdits } from './find-formula-edits.ts';
import {
  addCut,
  addTag,
  type Content,
  type ContentPlace,
  emptyFindings,
  forgetSince,
  markFindings,
  readEntity,
  startContent,
} from './findings.ts';
import { findHiddenElements, findTinyText, findUnknownTags } from './hidden-elements.ts';
import { readHtmlTag } from './html-tag.ts';
import { isEmptyStretch, mayBeDefinition } from './link-grammar.ts';
import {
  findNext,
  findSequence,
  findUnit,
  holds,
  letters,
  type Page,
  skipBlanks,
  skipUnits,
  toText,
  toUnitSet,
} from './page.ts';
import { type InlineOptions, scanInline } from './scan-inline.ts';

const backtick = 0x60;
const blanks = toUnitSet(' \t');
const maxLanguageLength = 32;
/** `js`, `c++`, `TypeScript`, `shell-session`. */
const language = /^(?:[A-Za-z][a-z0-9+#]{0,9}(?:[A-Z][a-z0-9]{0,7})?|[A-Z]{1,5})(?:-[a-z]{1,8})?$/;

/** Everything in a Markdown text that a page would not show; null for a text too deep to be read. */
export function findEdits(original: Page): readonly Edit[] | null {
  const blocks = findBlocks(original);
  if (blocks.isTooDeep) return null;
  const { units } = original;
  const page = blocks.isBlanked ? { ...original, text: toText(units) } : original;
  const found = emptyFindings();
  for (const span of blocks.code) found.code.push(span);
  const isDefined = findDefinedLabels(blocks, page);
  for (const block of blocks.texts) {
    if (block.kind === 'html') scanHtml(block, { page, into: found });
    else if (isTornDefinition(block, page)) found.cuts.push(cutRest(block));
    else scanParagraph(block, { page, into: found, isDefined, trustsCode: trustsCode(block, page) });
  }
  const code = mergeSpans(found.code);
  return found.cuts.concat(
    cutFenceInfos(blocks, page),
    findHiddenElements(found.tags, page),
    findUnknownTags(found.tags),
    findTinyText(found.tags),
    cutDefinitions(blocks, { page, references: found.references }),
    findLabelEdits(blocks, { page, found }),
    blocks.texts.flatMap((block) => findSurplusCells(block, page)),
    findFormulaEdits(blocks.texts, { page, code }),
    findDiagramEdits(blocks.fences, page),
    findBlankEdits(units, code),
    findCharacterEdits(units, code),
  );
}

/** Backticks in a definition are code for whoever takes it for text. */
function trustsCode({ start, textStart }: TextBlock, { units }: Page): boolean {
  return findUnit(backtick, { units, start, end: textStart }) === null;
}

/** Tells whether a cut has left open what its paragraph begins with, and that may have been a definition. */
function isTornDefinition({ textStart, end }: TextBlock, { text, units, isCut }: Page): boolean {
  return isCut && end === text.length && mayBeDefinition({ units, start: textStart, end });
}

function cutRest({ textStart, end }: TextBlock): Edit {
  return { start: textStart, end, kind: 'unused-definition' };
}

/** A page shows nothing that stands behind a fence; the language stays. */
function cutFenceInfos({ fences }: Blocks, { text, units }: Page): Edit[] {
  const cuts: Edit[] = [];
  for (const { info } of fences) {
    const { start, end } = info;
    const wordStart = skipBlanks({ units, start, end });
    const wordEnd = findNext(blanks, { units, start: wordStart, end });
    const isLanguage =
      wordEnd - wordStart <= maxLanguageLength && language.test(text.slice(wordStart, wordEnd));
    const from = isLanguage ? wordEnd : wordStart;
    if (!isEmptyStretch({ units, start: from, end }))
      cuts.push({ start: from, end, kind: 'hidden-attribute' });
  }
  return cuts;
}

/**
 * Reads the text of a paragraph or a heading. Where two readers of Markdown could disagree on what is code, only what
 * is code for both of them counts: what is taken for code wrongly would keep what it hides.
 */
function scanParagraph(block: TextBlock, options: InlineOptions): void {
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

const signs = { bang: 0x21, ampersand: 0x26, slash: 0x2f, less: 0x3c, question: 0x3f };
const nextSigns = toUnitSet('<&');

/**
 * Reads a block of HTML, where Markdown means nothing, as browsers do: behind a tag or a comment that does not end
 * within its block, nothing is shown.
 */
function scanHtml(block: Span, place: ContentPlace): void {
  const read = startContent(block, place);
  const { units, end } = read;
  for (let index = read.start; index < end; ) {
    const unit = units[index];
    if (unit === signs.less) index = readMarkup(read, index);
    else if (unit === signs.ampersand) index = readEntity(read, index);
    else index = findNext(nextSigns, { units, start: index, end });
  }
}

function readMarkup(read: Content, start: number): number {
  const { text, units, end } = read;
  if (beginsComment(read, start)) return readComment(read, start);
  const tag = readHtmlTag({ text, units, start, end });
  if (tag === null) return start + 1;
  if (tag.isTorn) addCut(read, { start, end: text.length }, 'hidden-element');
  else addTag(read, tag);
  return tag.end;
}

/** Tells whether a browser reads a comment there: behind `<!`, `<?`, and `</` without a name. */
function beginsComment({ units, end }: Content, start: number): boolean {
  const next = units[start + 1];
  if (next === signs.bang || next === signs.question) return start + 1 < end;
  return next === signs.slash && start + 2 < end && !holds(letters, units[start + 2]);
}

function readComment(read: Content, start: number): number {
  const { text, units, end } = read;
  const isDashed = text.startsWith('<!--', start);
  const rest = { units, start: start + 2, end };
  const commentEnd = findSequence(isDashed ? '-->' : '>', rest);
  addCut(read, { start, end: commentEnd ?? text.length }, 'html-comment');
  return commentEnd ?? end;
}

const tableRule = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const ruleSigns = toUnitSet(' \t|:-');

const cellSigns = { lineFeed: 0x0a, backslash: 0x5c, bar: 0x7c };

/** Finds where the line is that makes a table of what stands above and below it; null where none does. */
function findTableRule({ text, units }: Page, { start, end }: Span): Span | null {
  for (let line = start; line < end; ) {
    const signsEnd = skipUnits(ruleSigns, { units, start: line, end });
    const isOnlySigns = signsEnd === end || units[signsEnd] === cellSigns.lineFeed;
    if (line > start && isOnlySigns && tableRule.test(text.slice(line, signsEnd)))
      return { start: line, end: signsEnd };
    line = (findUnit(cellSigns.lineFeed, { units, start: signsEnd, end }) ?? end) + 1;
  }
  return null;
}

/**
 * Cells to the right of those that the head of a table has: no page shows them.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
function findSurplusCells(block: TextBlock, page: Page): Edit[] {
  const text = { start: block.textStart, end: block.end };
  const rule = block.kind === 'paragraph' && block.lineCount > 2 ? findTableRule(page, text) : null;
  if (rule === null) return [];
  const { units } = page;
  const columns = countCells(page, rule);
  const cuts: Edit[] = [];
  for (let start = rule.end + 1; start < text.end; ) {
    const end = findUnit(cellSigns.lineFeed, { units, start, end: text.end }) ?? text.end;
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

/** Finds the place behind the bar that ends the last of so many cells. */
function passCells(page: Page, line: Span, count: number): number {
  let start = passFirstBar(page, line);
  for (let passed = 0; passed < count && start < line.end; passed += 1)
    start = Math.min(line.end, findCellEnd(page, { start, end: line.end }) + 1);
  return start;
}

function passFirstBar({ units }: Page, { start, end }: Span): number {
  let index = start;
  while (index < end && (units[index] === 0x20 || units[index] === 0x09)) index += 1;
  return units[index] === cellSigns.bar ? index + 1 : start;
}

/** The bar or the end of the line that ends a cell. */
function findCellEnd({ units }: Page, { start, end }: Span): number {
  for (let index = start; index < end; index += 1) {
    const unit = units[index];
    if (unit === cellSigns.bar || unit === cellSigns.lineFeed) return index;
    if (unit === cellSigns.backslash && units[index + 1] !== cellSigns.lineFeed) index += 1;
  }
  return end;
}
