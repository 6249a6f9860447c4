import { cutSpacedAddress } from './bracket-reader.ts';
import type { Cut, Span } from './edits.ts';
import { type Blocks, findBlocks, type TextBlock } from './find-blocks.ts';
import { type Findings, normaliseLabel, type PlacedTag } from './findings.ts';
import { findHiddenElements } from './hidden-elements.ts';
import { type JoinedLines, joinLines } from './joined-lines.ts';
import { type Definition, readDefinition } from './link-grammar.ts';
import { scanHtml } from './scan-html.ts';
import { scanInline } from './scan-inline.ts';

export interface TextCuts {
  readonly cuts: readonly Cut[];
  /** What is shown as code, and stays as it is. */
  readonly code: readonly Span[];
}

interface ReadBlock {
  readonly block: TextBlock;
  readonly lines: JoinedLines;
  /** Those that a paragraph begins with, and where they end in its content. */
  readonly definitions: readonly (Definition & { readonly start: number })[];
  readonly textStart: number;
}

/** Finds everything in a Markdown text that a page would not show, and everything that it would show as code. */
export function findCuts(text: string): TextCuts {
  const blocks = findBlocks(text);
  const read = blocks.texts.map((block) => readBlock(text, block));
  const defined = new Set(
    read.flatMap(({ definitions }) => definitions.map(({ label }) => normaliseLabel(label))),
  );
  const cuts: Cut[] = blocks.fenceInfos.flatMap((info) => cutFenceInfo(text, info));
  const code: Span[] = [...blocks.code];
  const tags: PlacedTag[] = [];
  const references = new Set<string>();
  for (const one of read) {
    const findings = scanBlock(one, { defined, isReliable: blocks.isReliable });
    const { toSource, content } = one.lines;
    cuts.push(...findings.cuts.map((cut) => ({ ...cut, ...toSource(cut) })));
    code.push(...findings.code.map(toSource));
    const blockEnd = toSource({ start: 0, end: content.length }).end;
    tags.push(...findings.tags.map((tag) => ({ tag, place: toSource(tag), blockEnd })));
    for (const reference of findings.references) references.add(reference);
    if (findings.hiddenFrom !== null) {
      const { start } = toSource({ start: findings.hiddenFrom, end: findings.hiddenFrom + 1 });
      cuts.push({ start, end: text.length, kind: 'hidden-element' });
    }
  }
  cuts.push(...findHiddenElements(tags), ...cutFootnotes(blocks, references));
  for (const one of read) cuts.push(...cutDefinitions(one, references));
  return { cuts, code };
}

function readBlock(text: string, block: TextBlock): ReadBlock {
  const lines = joinLines(text, block.lines);
  const definitions: (Definition & { readonly start: number })[] = [];
  let textStart = 0;
  while (block.kind === 'paragraph') {
    const definition = readDefinition(lines.content, textStart);
    if (definition === null) break;
    definitions.push({ ...definition, start: textStart });
    const next = /[ \t]*/y;
    next.lastIndex = definition.end;
    next.test(lines.content);
    textStart = next.lastIndex;
  }
  return { block, lines, definitions, textStart };
}

function scanBlock(
  { block, lines, definitions, textStart }: ReadBlock,
  { defined, isReliable }: { readonly defined: ReadonlySet<string>; readonly isReliable: boolean },
): Findings {
  if (block.kind === 'html') return scanHtml(lines.content);
  const definitionText = lines.content.slice(0, textStart);
  return scanInline(lines.content, {
    from: textStart,
    isDefined: (label) => defined.has(label),
    trustsCode: isReliable && !(definitions.length > 0 && definitionText.includes('`')),
  });
}

/** Only the first word behind a fence is shown, as the language. */
function cutFenceInfo(text: string, { start, end }: Span): Cut[] {
  const [word = ''] = /^[ \t]*[^ \t]{0,64}/.exec(text.slice(start, end)) ?? [];
  const rest = text.slice(start + word.length, end);
  return rest.trim() === '' ? [] : [{ start: start + word.length, end, kind: 'hidden-attribute' }];
}

function cutFootnotes({ footnotes }: Blocks, references: ReadonlySet<string>): Cut[] {
  return footnotes
    .filter(({ label }) => !references.has(normaliseLabel(`^${label}`)))
    .map(({ start, end }) => ({ start, end, kind: 'unused-definition' }));
}

/** A definition that nothing refers to is the oldest way to write what nobody sees. */
function cutDefinitions({ lines, definitions }: ReadBlock, references: ReadonlySet<string>): Cut[] {
  const { content, toSource } = lines;
  return definitions.flatMap((definition): Cut[] => {
    const { label, start, end, title, destination } = definition;
    if (!references.has(normaliseLabel(label))) {
      const textEnd = content[end - 1] === '\n' ? end - 1 : end;
      return [{ ...toSource({ start, end: textEnd }), kind: 'unused-definition' }];
    }
    const spaced = cutSpacedAddress(content, destination);
    return [
      ...(title === null ? [] : [{ ...toSource(title), kind: 'link-title' } as const]),
      ...(spaced === null ? [] : [{ ...spaced, ...toSource(spaced) }]),
    ];
  });
}
