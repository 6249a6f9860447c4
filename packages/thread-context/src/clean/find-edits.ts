import { findSpacedAddress } from './bracket-reader.ts';
import { type Edit, mergeSpans, type Span } from './edits.ts';
import { type Blocks, findBlocks } from './find-blocks.ts';
import { findCharacterEdits } from './find-character-edits.ts';
import { emptyFindings, type Findings } from './findings.ts';
import { findHiddenElements, findUnknownTags } from './hidden-elements.ts';
import { type Definition, normaliseLabel } from './link-grammar.ts';
import { scanHtml } from './scan-html.ts';
import { scanParagraph } from './scan-paragraph.ts';
import type { TextBlock } from './text-block.ts';

/** Everything in a Markdown text that a page would not show; null for a text too deep to be read. */
export function findEdits(text: string): readonly Edit[] | null {
  const blocks = findBlocks(text);
  if (blocks.isTooDeep) return null;
  const found = emptyFindings();
  for (const one of blocks.code) found.code.push(one);
  const isDefined = findDefinedLabels(blocks);
  for (const block of blocks.texts) scanBlock(block, { isDefined, textEnd: text.length, into: found });
  return [
    ...found.cuts,
    ...blocks.fenceInfos.flatMap((info) => cutFenceInfo(text, info)),
    ...findHiddenElements(found.tags),
    ...findUnknownTags(found.tags),
    ...cutDefinitions(blocks, found.references),
    ...findCharacterEdits(text, mergeSpans(found.code)),
  ];
}

/** Null where nothing is defined, so that nobody need look at labels. */
function findDefinedLabels({ texts, footnotes }: Blocks): ((label: string) => boolean) | null {
  const defined = new Set<string>();
  for (const { definitions } of texts) for (const { label } of definitions) defined.add(label);
  return defined.size + footnotes.length === 0 ? null : (label) => defined.has(normaliseLabel(label));
}

interface BlockOptions {
  readonly isDefined: ((label: string) => boolean) | null;
  readonly textEnd: number;
  readonly into: Findings;
}

function scanBlock(
  { kind, content, lineCount, start, textStart }: TextBlock,
  { isDefined, textEnd, into }: BlockOptions,
): void {
  if (kind === 'html') {
    scanHtml(content, { base: start, into, textEnd });
    return;
  }
  // Backticks in a definition are code for whoever takes it for text.
  const trustsCode = textStart === 0 || !content.slice(0, textStart).includes('`');
  scanParagraph(content, { base: start, into, from: textStart, isDefined, trustsCode, lineCount });
}

/** Only the first word behind a fence is shown, as the language. */
function cutFenceInfo(text: string, { start, end }: Span): readonly Edit[] {
  if (start === end) return [];
  const [word = ''] = /^[ \t]*[^ \t]{0,32}/.exec(text.slice(start, end)) ?? [];
  const rest = text.slice(start + word.length, end);
  return rest.trim() === '' ? [] : [{ start: start + word.length, end, kind: 'hidden-attribute' }];
}

/** A definition that nothing refers to is the oldest way to write what nobody sees. */
function cutDefinitions({ texts, footnotes }: Blocks, references: readonly string[]): readonly Edit[] {
  const wanted = new Set(references.map(normaliseLabel));
  // The first definition of a label counts; further ones are not shown.
  const isUsed = (label: string) => wanted.delete(label);
  const cuts: Edit[] = [];
  for (const { content, start, definitions } of texts) {
    for (const definition of definitions) {
      if (isUsed(definition.label)) cuts.push(...cutTooltip(content, { definition, base: start }));
      else cuts.push(cutUnused(content, { definition, base: start }));
    }
  }
  for (const { label, start, end } of footnotes) {
    if (!isUsed(normaliseLabel(label))) cuts.push({ start, end, kind: 'unused-definition' });
  }
  return cuts;
}

interface PlacedDefinition {
  readonly definition: Definition;
  readonly base: number;
}

function cutUnused(content: string, { definition: { start, end }, base }: PlacedDefinition): Edit {
  const textEnd = content[end - 1] === '\n' ? end - 1 : end;
  return { start: base + start, end: base + textEnd, kind: 'unused-definition' };
}

function cutTooltip(
  content: string,
  { definition: { title, destination }, base }: PlacedDefinition,
): readonly Edit[] {
  const address = findSpacedAddress(content, destination);
  const cuts: Edit[] = [];
  if (address !== null)
    cuts.push({ start: base + address.start, end: base + address.end, kind: 'hidden-attribute' });
  if (title !== null) cuts.push({ start: base + title.start, end: base + title.end, kind: 'link-title' });
  return cuts;
}
