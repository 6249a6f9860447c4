import { findAddressEdit } from './bracket-reader.ts';
import { type Edit, intersectSpans, mergeSpans, type Span } from './edits.ts';
import { findBlankEdits } from './find-blank-edits.ts';
import { type Blocks, findBlocks } from './find-blocks.ts';
import { findCharacterEdits } from './find-character-edits.ts';
import { findDiagramEdits } from './find-diagram-edits.ts';
import { findFormulaEdits } from './find-formula-edits.ts';
import { findLabelEdits } from './find-label-edits.ts';
import { findNext, findUnit, holds, skipBlanks, toUnitSet } from './find-next.ts';
import { findSequence } from './find-sequence.ts';
import { findCellEnd, findSurplusCells, findTableRule } from './find-surplus-cells.ts';
import {
  addCut,
  addTag,
  type Content,
  type ContentPlace,
  emptyFindings,
  forgetSince,
  markFindings,
  startContent,
} from './findings.ts';
import { findHiddenElements, findTinyText, findUnknownTags } from './hidden-elements.ts';
import { readHtmlTag } from './html-tag.ts';
import { findInvisibleEntity } from './invisible-entity.ts';
import { type Definition, isEmptyStretch, mayBeDefinition, normalizeLabel } from './link-grammar.ts';
import { type Page, toText } from './page.ts';
import { type InlineOptions, scanInline } from './scan-inline.ts';
import type { TextBlock } from './text-block.ts';
import { letters } from './unit-sets.ts';

const lineFeed = 0x0a;
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
    findDiagramEdits(blocks.drawn, page),
    findBlankEdits(units, code),
    findCharacterEdits(units, code),
  );
}

/** Null where nothing is defined, so that nobody need look at labels. */
function findDefinedLabels({ texts, footnotes }: Blocks, page: Page): ((label: string) => boolean) | null {
  const defined = new Set<string>();
  for (const { definitions } of texts) for (const one of definitions) defined.add(labelOf(one, page));
  return defined.size + footnotes.length === 0 ? null : (label) => defined.has(normalizeLabel(label));
}

function labelOf({ label: { start, end } }: Definition, { text }: Page): string {
  return normalizeLabel(text.slice(start, end));
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
function cutFenceInfos({ fenceInfos }: Blocks, { text, units }: Page): Edit[] {
  const cuts: Edit[] = [];
  for (const { start, end } of fenceInfos) {
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

interface References {
  readonly page: Page;
  /** Labels that something refers to. */
  readonly references: readonly string[];
}

/** A definition that nothing refers to is the oldest way to write what nobody sees. */
function cutDefinitions({ texts, footnotes }: Blocks, { page, references }: References): Edit[] {
  const wanted = new Set(references.map(normalizeLabel));
  // The first definition of a label counts; further ones are not shown.
  const isUsed = (label: string) => wanted.delete(label);
  const cuts: Edit[] = [];
  for (const { definitions } of texts) {
    for (const definition of definitions) {
      if (isUsed(labelOf(definition, page))) cuts.push(...cutTooltip(definition, page));
      else cuts.push(cutUnused(definition, page));
    }
  }
  for (const { label, start, end } of footnotes) {
    if (!isUsed(normalizeLabel(label))) cuts.push({ start, end, kind: 'unused-definition' });
  }
  return cuts;
}

function cutUnused({ start, end }: Definition, { units }: Page): Edit {
  return { start, end: units[end - 1] === lineFeed ? end - 1 : end, kind: 'unused-definition' };
}

function cutTooltip({ title, destination }: Definition, page: Page): readonly Edit[] {
  const address = findAddressEdit(page, destination);
  const cuts: Edit[] = [];
  if (address !== null) cuts.push(address);
  if (title !== null) cuts.push({ ...title, kind: 'link-title' });
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

function readEntity(read: Content, start: number): number {
  const found = findInvisibleEntity(read, start);
  if (found === null) return start + 1;
  addCut(read, found, found.kind);
  return found.end;
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

/** To a browser, `<!`, `<?` and `</` begin comments before anything that is no name. */
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
