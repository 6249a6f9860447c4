import { findSpacedAddress } from './bracket-reader.ts';
import { type Edit, mergeSpans } from './edits.ts';
import { type Blocks, findBlocks } from './find-blocks.ts';
import { findCharacterEdits } from './find-character-edits.ts';
import { findNext, findUnit, skipBlanks, toUnitSet } from './find-next.ts';
import { emptyFindings } from './findings.ts';
import { findHiddenElements, findUnknownTags } from './hidden-elements.ts';
import { type Definition, isEmptyStretch, mayBeDefinition, normaliseLabel } from './link-grammar.ts';
import { type Page, toText } from './page.ts';
import { scanHtml } from './scan-html.ts';
import { scanParagraph } from './scan-paragraph.ts';
import type { TextBlock } from './text-block.ts';

const lineFeed = 0x0a;
const backtick = 0x60;
const blanks = toUnitSet(' \t');
const maxLanguageLength = 32;

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
  return found.cuts.concat(
    cutFenceInfos(blocks, page),
    findHiddenElements(found.tags, page),
    findUnknownTags(found.tags),
    cutDefinitions(blocks, { page, references: found.references }),
    findCharacterEdits(units, mergeSpans(found.code)),
  );
}

/** Null where nothing is defined, so that nobody need look at labels. */
function findDefinedLabels({ texts, footnotes }: Blocks, page: Page): ((label: string) => boolean) | null {
  const defined = new Set<string>();
  for (const { definitions } of texts) for (const one of definitions) defined.add(labelOf(one, page));
  return defined.size + footnotes.length === 0 ? null : (label) => defined.has(normaliseLabel(label));
}

function labelOf({ label: { start, end } }: Definition, { text }: Page): string {
  return normaliseLabel(text.slice(start, end));
}

/** Backticks in a definition are code for whoever takes it for text. */
function trustsCode({ start, textStart }: TextBlock, { units }: Page): boolean {
  return findUnit(backtick, { units, start, end: textStart }) === null;
}

/** Whether a cut has left open what its paragraph begins with, and that may have been a definition. */
function isTornDefinition({ textStart, end }: TextBlock, { text, units, isCut }: Page): boolean {
  return isCut && end === text.length && mayBeDefinition({ units, start: textStart, end });
}

function cutRest({ textStart, end }: TextBlock): Edit {
  return { start: textStart, end, kind: 'unused-definition' };
}

/** Only the first word behind a fence is shown, as the language. */
function cutFenceInfos({ fenceInfos }: Blocks, { units }: Page): Edit[] {
  const cuts: Edit[] = [];
  for (const { start, end } of fenceInfos) {
    const wordStart = skipBlanks({ units, start, end });
    const word = { units, start: wordStart, end: Math.min(end, wordStart + maxLanguageLength) };
    const wordEnd = findNext(blanks, word);
    const isMore = !isEmptyStretch({ units, start: wordEnd, end });
    if (isMore) cuts.push({ start: wordEnd, end, kind: 'hidden-attribute' });
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
  const wanted = new Set(references.map(normaliseLabel));
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
    if (!isUsed(normaliseLabel(label))) cuts.push({ start, end, kind: 'unused-definition' });
  }
  return cuts;
}

function cutUnused({ start, end }: Definition, { units }: Page): Edit {
  return { start, end: units[end - 1] === lineFeed ? end - 1 : end, kind: 'unused-definition' };
}

function cutTooltip({ title, destination }: Definition, page: Page): readonly Edit[] {
  const address = findSpacedAddress(page, destination);
  const cuts: Edit[] = [];
  if (address !== null) cuts.push({ ...address, kind: 'hidden-attribute' });
  if (title !== null) cuts.push({ ...title, kind: 'link-title' });
  return cuts;
}
