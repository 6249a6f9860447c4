import { findAddressEdit } from './bracket-reader.ts';
import { type Edit, mergeSpans } from './edits.ts';
import { findBlankEdits } from './find-blank-edits.ts';
import { type Blocks, findBlocks } from './find-blocks.ts';
import { findCharacterEdits } from './find-character-edits.ts';
import { findDiagramEdits } from './find-diagram-edits.ts';
import { findFormulaEdits } from './find-formula-edits.ts';
import { findLabelEdits } from './find-label-edits.ts';
import { findNext, findUnit, skipBlanks, toUnitSet } from './find-next.ts';
import { findSurplusCells } from './find-surplus-cells.ts';
import { emptyFindings } from './findings.ts';
import { findHiddenElements, findTinyText, findUnknownTags } from './hidden-elements.ts';
import { type Definition, isEmptyStretch, mayBeDefinition, normalizeLabel } from './link-grammar.ts';
import { type Page, toText } from './page.ts';
import { scanHtml } from './scan-html.ts';
import { scanParagraph } from './scan-paragraph.ts';
import type { TextBlock } from './text-block.ts';

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
