import { type Expectation, expected, expectList } from '../check-options.ts';
import type { Span } from '../clean/edits.ts';
import type { TextBlock } from '../clean/find-blocks.ts';
import { toPage } from '../clean/page.ts';
import { toCodeBlock } from '../code-fence.ts';
import { splitLines } from '../commands/pick-prose.ts';
import { findCodeSpans } from './inline-code.ts';
import { isLinking, type SettledText, settleBlocks } from './outgoing-blocks.ts';
import { type LinkEdits, readLinks } from './outgoing-links.ts';
import { findBareLinks, findProseEdits } from './outgoing-prose.ts';
import { createOwnAddress, type IsOwnAddress } from './own-address.ts';
import { applyTextEdits, maskOthers, maskSpans, type TextEdit } from './text-edits.ts';

/** Parts of a text that stay live. */
export interface OutgoingMarkdownOptions {
  /** Hosts to which links may lead, with the port where it is not the usual one. Default none. */
  readonly linkHosts?: readonly string[] | undefined;
}

/** Conditions of `OutgoingMarkdownOptions`. */
export const outgoingMarkdownExpectations = {
  linkHosts: expectList(expected.text),
} as const satisfies Record<keyof OutgoingMarkdownOptions, Expectation>;

/**
 * Rewrites Markdown so that it can only be read: it sends no notification, and nothing is closed, referenced or commanded,
 * nothing is fetched, and links lead to known hosts only. HTML is shown as text; any other link, and each image, becomes its
 * text with the address as code. Code stays as it is. The text has no sign that masks code. Takes linear time.
 *
 * @example
 * escapeOutgoingMarkdown('@octocat, see ![x](https://a.example/?d=1)'); // '@\u200boctocat, see x (`https://a.example/?d=1`)'
 */
export function escapeOutgoingMarkdown(
  text: string,
  { linkHosts = [] }: OutgoingMarkdownOptions = {},
): string {
  const isOwn = createOwnAddress(linkHosts);
  const settled = settleBlocks(text, isOwn);
  const written = settled && writeInline(settled, isOwn);
  const again = written === null ? null : settleBlocks(written, isOwn);
  if (written !== null && again?.text === written) return written;
  // Blocks that are nested too deeply to be read are shown as code.
  const block = toCodeBlock(text, 'text');
  return settleBlocks(block, isOwn)?.text ?? block;
}

function writeInline({ text, read, blocks }: SettledText, isOwn: IsOwnAddress): string {
  const stretches = blocks.texts
    .filter(({ kind }) => kind !== 'html')
    .flatMap((block) => splitTable(read, block));
  const code = stretches.flatMap((stretch) => [...findCodeSpans(read, stretch)]);
  const whole = maskOthers(read, stretches);
  const shown = maskSpans(whole, code);
  const links: LinkEdits = { edits: [], addresses: [], linked: [] };
  const reader = { text: shown, units: toPage(shown).units, original: read, isOwn };
  for (const stretch of stretches) readLinks(reader, stretch, links);
  const unlinked = maskSpans(shown, links.addresses);
  const bare = findBareLinks(unlinked, isOwn);
  const prose = maskSpans(unlinked, [...bare.kept, ...bare.edits]);
  const formulas = code.filter(
    ({ start, end }) => read[start - 1] === '$' && read[end] === '$' && !isLinking(read.slice(start, end)),
  );
  const marks = new Set(formulas.flatMap(({ start, end }) => [start - 1, end]));
  return applyTextEdits(text, [
    ...links.edits,
    ...bare.edits,
    ...findProseEdits({ prose, whole, linked: links.linked }),
    ...escapeTags(prose),
    ...escapeBackticks(prose),
    ...stretches.flatMap((stretch) => escapeFormulas({ prose, marks }, stretch)),
    ...joinLines(read, code),
  ]);
}

function escapeTags(text: string): readonly TextEdit[] {
  return [...text.matchAll(/\\[^\n]|<(?![\s=-]|$)/g)]
    .filter(({ 0: found }) => found === '<')
    .map(({ index }) => ({ start: index, end: index + 1, text: '&lt;' }));
}

/** A backtick that belongs to no code would open some with what is added behind it. */
function escapeBackticks(text: string): readonly TextEdit[] {
  return [...text.matchAll(/\\[^\n]|`/g)]
    .filter(({ 0: found }) => found === '`')
    .map(({ index }) => ({ start: index, end: index, text: '\\' }));
}

const formula =
  /(?<![\\$\w])\$(?=[^\s$])[^$\ue000\n]{0,500}[^\s$\\\ue000]\$(?![\d$])|(?<![\\$\w])\$\$(?=[^\s$])[^$\ue000\n]{0,500}[^\s$\\\ue000]\$\$(?![\d$])/g;

/**
 * Formulas of GitLab hide backticks, with which code would begin elsewhere. A dollar stays that opens or closes a formula
 * within a line, or around code, unless the formula links to something.
 *
 * @see https://docs.gitlab.com/user/markdown/#math
 */
function escapeFormulas(
  { prose, marks }: { readonly prose: string; readonly marks: ReadonlySet<number> },
  { start, end }: Span,
): readonly TextEdit[] {
  const stretch = prose.slice(start, end);
  if (!stretch.includes('$')) return [];
  const formulas = [...stretch.matchAll(formula)]
    .filter(({ 0: found }) => !isLinking(found))
    .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
  return [...maskSpans(stretch, formulas).matchAll(/\\[^\n]|\$/g)]
    .map(({ index, 0: found }) => ({ at: start + index, found }))
    .filter(({ at, found }) => found === '$' && !marks.has(at))
    .map(({ at }) => ({ start: at, end: at, text: '\\' }));
}

/** Lines that begin with a command or a description, in code between backticks: a page shows the end of a line there as a space. */
function joinLines(text: string, code: readonly Span[]): readonly TextEdit[] {
  return code.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(/\n[ \t]*(?=\/[a-z]|[:~][ \t])/gi)].map(({ index, 0: found }) => ({
      ...{ start: start + index, end: start + index + found.length },
      text: ' ',
    })),
  );
}

/**
 * Splits a paragraph into what is read on its own: the cells of a table, and the lines before it.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
function splitTable(text: string, { textStart, end, kind }: TextBlock): readonly Span[] {
  const whole = [{ start: textStart, end }];
  if (kind !== 'paragraph') return whole;
  const lines = splitLines(text.slice(textStart, end)).map((line) => ({
    start: textStart + line.start,
    end: textStart + line.end,
  }));
  const rule = lines.findIndex(
    (line, index) =>
      index > 0 &&
      isRule(text.slice(line.start, line.end), text.slice(lines[index - 1]?.start, lines[index - 1]?.end)),
  );
  if (rule === -1) return whole;
  const head = lines[rule - 1]?.start ?? end;
  const before = head > textStart ? [{ start: textStart, end: head - 1 }] : [];
  return [...before, ...lines.slice(rule - 1).flatMap((line) => splitCells(text, line))];
}

function isRule(line: string, head: string): boolean {
  if (!/[|:]/.test(line)) return false;
  const cells = readCells(line);
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim())) && cells.length === readCells(head).length;
}

/** Cells of a line; signs behind a backslash are left out. */
function readCells(line: string): readonly string[] {
  const cells = line.replace(/\\[^\n]/g, '').trim();
  return cells.replace(/^\|/, '').replace(/\|$/, '').split('|');
}

function splitCells(text: string, { start, end }: Span): readonly Span[] {
  const cells: Span[] = [];
  let from = start;
  for (const { index, 0: sign } of text.slice(start, end).matchAll(/\\[^\n]|\|/g)) {
    if (sign !== '|') continue;
    cells.push({ start: from, end: start + index });
    from = start + index + 1;
  }
  cells.push({ start: from, end });
  return cells;
}
