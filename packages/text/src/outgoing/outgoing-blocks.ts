import type { Span } from '../clean/edits.ts';
import { type Blocks, type Fence, findBlocks, type TextBlock } from '../clean/find-blocks.ts';
import { type Page, toPage, toText } from '../clean/page.ts';
import { findBareLinks, findProseEdits } from './outgoing-prose.ts';
import type { IsOwnAddress } from './own-address.ts';
import { applyTextEdits, type TextEdit } from './text-edits.ts';

/** Markdown whose blocks every reader finds in the same places. */
export interface SettledText {
  readonly text: string;
  readonly blocks: Blocks;
  /** The text with markers of quotes between the lines of a block as spaces; of the same length. */
  readonly read: string;
  /** HTML that stays: sections that fold. */
  readonly folds: readonly TextBlock[];
}

/** Maximum of rounds in which HTML inside of HTML is found; usual texts need two or three. */
const maxRounds = 20;

/**
 * Takes away what makes blocks differ between readers, or live: HTML, link definitions, GitLab's `>>>` and front matter,
 * diagrams with addresses. Null for a text that does not settle.
 */
export function settleBlocks(text: string, isOwn: IsOwnAddress): SettledText | null {
  let current = removeFrontMatter(text);
  for (let round = 0; round < maxRounds; round += 1) {
    const page = toPage(current);
    const blocks = findBlocks(page, { keepsPlain: true });
    if (blocks.isTooDeep) return null;
    const folds = listFolds(blocks.texts, current);
    const edits = listBlockEdits(page, { blocks, folds, isOwn });
    if (edits.length === 0) {
      const read = blocks.isBlanked ? toText(page.units) : current;
      return { text: current, blocks, read, folds };
    }
    current = applyTextEdits(current, edits);
  }
  return null;
}

/**
 * Matches the line that opens data in GitLab, at the beginning of a text or behind a line that names an encoding. More
 * indented, it is code.
 *
 * @see https://docs.gitlab.com/user/markdown/#front-matter
 */
const frontMatter = /^(?:(?=[^\n]*coding:)[^\n]*\n)?(?:[^\S\n]*\n)*\ufeff? {0,3}(?:-{3}|\+{3}|;{3})/;

function removeFrontMatter(text: string): string {
  return text.replace(frontMatter, (mark) => {
    const before = mark.slice(0, -3);
    return mark.endsWith('-') ? `${before}***` : `${before}\\${mark.slice(-3)}`;
  });
}

interface Found {
  readonly blocks: Blocks;
  readonly folds: readonly TextBlock[];
  readonly isOwn: IsOwnAddress;
}

function listBlockEdits({ text }: Page, { blocks, folds, isOwn }: Found): readonly TextEdit[] {
  const kept = new Set(folds);
  return [
    ...blocks.texts
      .filter((block) => block.kind === 'html' && !kept.has(block))
      .flatMap((block) => escapeHtmlLines(text, block)),
    ...blocks.texts.flatMap((block) => escapeDefinitions(text, { block, isOwn })),
    ...escapeQuoteFences(text, blocks.code),
    ...blocks.fences.flatMap((fence) => [...keepFromDrawing(text, fence), ...indentCommands(text, fence)]),
  ];
}

/** A block of HTML opens with a `<` at the beginning of a line; other `<` are escaped with the text of their line. */
function escapeHtmlLines(text: string, { start, end }: Span): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const { index, 0: before } of text.slice(start, end).matchAll(/^[ \t>]*<(?=[a-z/!?])/gim)) {
    const at = start + index + before.length - 1;
    edits.push({ start: at, end: at + 1, text: '&lt;' });
  }
  return edits;
}

/** Definitions of addresses that stay as they are have nothing but the address behind their name. */
function escapeDefinitions(
  text: string,
  { block, isOwn }: { readonly block: TextBlock; readonly isOwn: IsOwnAddress },
): readonly TextEdit[] {
  return block.definitions
    .filter(
      ({ destination, title }) => title !== null || !isOwn(text.slice(destination.start, destination.end)),
    )
    .map(({ start }) => ({ start, end: start, text: '\\' }));
}

/** @see https://docs.gitlab.com/user/markdown/#multiline-blockquote */
function escapeQuoteFences(text: string, code: readonly Span[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let next = 0;
  for (const { index } of text.matchAll(/>{3}(?=[ \t]*(?:\[!|$))/gm)) {
    const at = index + 3;
    if (!/^[ \t>*+\d.)-]*$/.test(text.slice(text.lastIndexOf('\n', index) + 1, index))) continue;
    while ((code[next]?.end ?? Number.POSITIVE_INFINITY) < at) next += 1;
    if ((code[next]?.start ?? Number.POSITIVE_INFINITY) > at)
      edits.push({ start: at - 1, end: at, text: '\\>' });
  }
  return edits;
}

/** Languages whose fences a page draws. */
const drawn =
  /^(?:mermaid|math|geojson|topojson|stl|(?:plant|c4plant)uml|d2|dot|graphviz|kroki|blockdiag|seqdiag|actdiag|nwdiag|packetdiag|rackdiag|bpmn|bytefield|dbml|diagramsnet|ditaa|erd|excalidraw|nomnoml|pikchr|structurizr|svgbob|symbolator|tikz|umlet|vega|vegalite|wavedrom|wireviz)$/;
/** Characters that are written by a number, a name or a backslash. */
const escaped = /&#?\w{1,32};|\\[!-/:-@[-`{-~]/;
/** Signs of a formula that links to something or fetches it. */
const linking = /\/\/|\\(?:href|url|includegraphics|html|csname|require)/i;
/**
 * Signs of another drawing that fetches something, links to it, reads Markdown or shows a picture; and characters that are
 * written by their numbers, which can be any of these signs.
 */
const reaching =
  /<|"markdown"|\[\[|^[ \t]*!|\b(?:click|href|img|image|url|include|import|link)\b|\\(?:x[\da-f]|u[\da-f{]|U[\da-f]|[0-7])|[&#]\w{1,32};/im;

/** A drawing that may reach something is shown as its text. */
function keepFromDrawing(text: string, { info, lines }: Fence): readonly TextEdit[] {
  if (!isDrawn(text.slice(info.start, info.end))) return [];
  const isPlain = lines.every(({ start, end }) => {
    const line = text.slice(start, end);
    return !reaching.test(line) && !isLinking(line);
  });
  return isPlain ? [] : [{ ...info, text: 'text' }];
}

/** Tells whether a page may draw a fence by the text behind its opening. GitLab draws tables from JSON. */
function isDrawn(info: string): boolean {
  const [language = '', ...parameters] = info.toLowerCase().match(/[a-z\d]+/g) ?? [];
  return escaped.test(info) || drawn.test(language) || (language === 'json' && parameters.includes('table'));
}

/** Tells whether a formula links to something or fetches it. */
export function isLinking(formula: string): boolean {
  return linking.test(formula);
}

/**
 * Bots and GitLab read lines such as `/merge` without knowing of every form of code. Where code at the left margin holds one,
 * its line is indented by a space, and the block with it: that space is no part of the code.
 *
 * @see https://docs.gitlab.com/user/project/quick_actions/
 */
function indentCommands(text: string, { info, lines }: Fence): readonly TextEdit[] {
  const commands = lines.filter(
    ({ start }) => text[start - 1] === '\n' && /^\/[a-z]/i.test(text.slice(start, start + 2)),
  );
  if (commands.length === 0) return [];
  const opening = text.lastIndexOf('\n', info.start - 1) + 1;
  const moved = text[opening] === ' ' ? commands : [{ start: opening }, ...lines];
  return moved.map(({ start }) => ({ start, end: start, text: ' ' }));
}

const fold = /^(?:<details>)?(?:<summary>[\p{L}\p{N}\p{P}\p{Zs}]{0,300}<\/summary>)?$|^<\/details>$/u;
/** Signs that mean something in the line of a fold. */
const meaning = /[@#!&\\`*_[\]$%~^]|:\/\//;

/** Lists blocks of nothing but folding sections, each of which is closed. */
function listFolds(texts: readonly TextBlock[], text: string): readonly TextBlock[] {
  const blocks = texts.filter((block) => block.kind === 'html' && isFold(text.slice(block.start, block.end)));
  const kept = new Set<TextBlock>();
  const open: TextBlock[] = [];
  for (const block of blocks) {
    const isClosing = text.startsWith('</', block.start);
    if (!isClosing) open.push(block);
    const opening = isClosing ? open.pop() : undefined;
    if (opening !== undefined) for (const one of [opening, block]) kept.add(one);
  }
  return blocks.filter((block) => kept.has(block));
}

function isFold(lines: string): boolean {
  const all = lines
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const count = all.filter((line) => /^<\/?details>/.test(line)).length;
  return count === 1 && all.every((line) => fold.test(line) && !meaning.test(line) && isDead(line));
}

/** Tells whether a page makes nothing of the text of a fold: no link, reference or command, and no word that closes. */
function isDead(line: string): boolean {
  const words = line.replace(/<[^<>]*>/g, '');
  const { edits } = findBareLinks(words, () => false);
  return edits.length === 0 && findProseEdits({ prose: words, whole: words, linked: [] }).length === 0;
}
