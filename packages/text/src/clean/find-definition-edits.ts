import { findAddressEdit } from './bracket-reader.ts';
import type { Edit } from './edits.ts';
import type { Blocks } from './find-blocks.ts';
import type { Findings } from './findings.ts';
import { type Definition, normalizeLabel } from './link-grammar.ts';
import type { Page } from './page.ts';

/** Null where nothing is defined, so that nobody need look at labels. */
export function findDefinedLabels(
  { texts, footnotes }: Blocks,
  page: Page,
): ((label: string) => boolean) | null {
  const defined = new Set<string>();
  for (const { definitions } of texts) for (const one of definitions) defined.add(labelOf(one, page));
  return defined.size + footnotes.length === 0 ? null : (label) => defined.has(normalizeLabel(label));
}

function labelOf({ label: { start, end } }: Definition, { text }: Page): string {
  return normalizeLabel(text.slice(start, end));
}

const lineFeed = 0x0a;

interface References {
  readonly page: Page;
  /** Labels that something refers to. */
  readonly references: readonly string[];
}

/** A definition that nothing refers to is the oldest way to write what nobody sees. */
export function cutDefinitions({ texts, footnotes }: Blocks, { page, references }: References): Edit[] {
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

/** Labels that say no more than a number does. */
const plain = /^\^?[A-Za-z]{0,8}[-_.]?\d{0,4}$/;

interface LabelPlace {
  readonly page: Page;
  readonly found: Pick<Findings, 'references' | 'hiddenLabels'>;
}

/** Short labels in the place of those that are shown nowhere, in the definition and wherever something refers to it. */
export function findLabelEdits({ texts, footnotes }: Blocks, { page, found }: LabelPlace): Edit[] {
  const names = nameLabels(found);
  if (names.size === 0) return [];
  const edits: Edit[] = [];
  const rename = ({
    label,
    start,
    end,
  }: {
    readonly label: string;
    readonly start: number;
    readonly end: number;
  }) => {
    const replacement = names.get(normalizeLabel(label));
    if (replacement !== undefined) edits.push({ start, end, kind: 'hidden-label', replacement });
  };
  for (const one of found.hiddenLabels) rename(one);
  for (const { definitions } of texts) {
    for (const { label } of definitions) rename({ ...label, label: page.text.slice(label.start, label.end) });
  }
  for (const { label, start } of footnotes)
    rename({ label, start: start + 2, end: start + 1 + label.length });
  return edits;
}

function nameLabels({ references, hiddenLabels }: LabelPlace['found']): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (hiddenLabels.every(({ label }) => plain.test(label))) return names;
  const shown = countLabels(references);
  for (const [label, count] of countLabels(hiddenLabels.map(({ label }) => label)))
    shown.set(label, (shown.get(label) ?? 0) - count);
  let number = 1;
  for (const [label, count] of shown) {
    if (count > 0 || plain.test(label)) continue;
    while (shown.has(`R${number}`) || shown.has(`^R${number}`)) number += 1;
    names.set(label, `r${number}`);
    number += 1;
  }
  return names;
}

function countLabels(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels.map(normalizeLabel)) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}
