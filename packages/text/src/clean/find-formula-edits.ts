import type { Edit, Span } from './edits.ts';
import { findUnit, skipRun } from './find-next.ts';
import type { Page } from './page.ts';
import type { TextBlock } from './text-block.ts';

const signs = { dollar: 0x24, backtick: 0x60, backslash: 0x5c, opening: 0x7b, closing: 0x7d, lineFeed: 0x0a };
/** Commands whose content is set in no ink, or is no text at all, with how many groups belong to them. */
const hiding: ReadonlyMap<string, number> = new Map([
  ...[
    'phantom',
    'hphantom',
    'vphantom',
    'label',
    'class',
    'cssId',
    'style',
    'href',
    'data',
    'require',
    'unicode',
  ].map((name) => [name, 1] as const),
  ...['def', 'gdef', 'edef', 'xdef', 'let', 'newcommand', 'renewcommand', 'providecommand'].map(
    (name) => [name, 2] as const,
  ),
]);
const unseenInk = /^\{\s{0,9}(?:white|transparent|#fff(?:fff)?)\s{0,9}\}$/i;

/** What formulas between dollars hold and never show. Code between dollars is a formula too; other code is none. */
export function findFormulaEdits(
  blocks: readonly TextBlock[],
  { page, code }: { readonly page: Page; readonly code: readonly Span[] },
): Edit[] {
  const edits: Edit[] = [];
  const { units } = page;
  let next = 0;
  for (const { start, end, kind } of blocks) {
    if (kind === 'html') continue;
    let opened: Span | null = null;
    for (let index = findUnit(signs.dollar, { units, start, end }); index !== null; ) {
      while ((code[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next += 1;
      const span = code[next];
      const signsEnd = skipRun(signs.dollar, { units, start: index, end });
      if (span !== undefined && span.start <= index)
        index = findUnit(signs.dollar, { units, start: span.end, end });
      else {
        const width = signsEnd - index;
        if (opened === null || opened.end - opened.start !== width) opened = { start: index, end: signsEnd };
        else {
          const hasComments = width > 1;
          for (const cut of findFormulaCuts(page, { start: opened.end, end: index, hasComments }))
            edits.push(cut);
          opened = null;
        }
        index = findUnit(signs.dollar, { units, start: signsEnd, end });
      }
    }
  }
  return edits;
}

interface Formula extends Span {
  /** `%` begins a comment: where a formula is one line, that would hide its end. */
  readonly hasComments: boolean;
}

/** What a formula holds and never shows. */
export function findFormulaCuts({ text, units }: Page, { start, end, hasComments }: Formula): Edit[] {
  const cuts: Edit[] = [];
  const cut = (from: number, to: number) => cuts.push({ start: from, end: to, kind: 'unseen-formula' });
  for (let index = start; index < end; index += 1) {
    if (hasComments && text.charAt(index) === '%') {
      const lineEnd = findUnit(signs.lineFeed, { units, start: index, end }) ?? end;
      cut(index, lineEnd);
      index = lineEnd;
    } else if (units[index] === signs.backslash) {
      const name = /^[A-Za-z]{0,32}/.exec(text.slice(index + 1, Math.min(end, index + 33)))?.[0] ?? '';
      const nameEnd = index + 1 + Math.max(1, name.length);
      const hiddenEnd = findHiddenEnd({ text, units }, { name, start: nameEnd, end });
      if (hiddenEnd !== null) cut(index, hiddenEnd);
      index = (hiddenEnd ?? nameEnd) - 1;
    }
  }
  return cuts;
}

/** Where that ends which a command hides; null for a command that hides nothing. */
function findHiddenEnd(
  { text, units }: Pick<Page, 'text' | 'units'>,
  { name, start, end }: Span & { readonly name: string },
): number | null {
  if (name === 'color' || name === 'textcolor') {
    const inkEnd = passGroup({ text, units }, { start, end });
    if (!unseenInk.test(text.slice(start, Math.min(inkEnd, start + 40)))) return null;
    return passGroup({ text, units }, { start: inkEnd, end });
  }
  const groups = hiding.get(name);
  if (groups === undefined) return null;
  let hiddenEnd = start;
  for (let count = 0; count < groups; count += 1)
    hiddenEnd = passGroup({ text, units }, { start: hiddenEnd, end });
  return hiddenEnd;
}

/** Behind the group, or the command with its group, that stands there; a group that nothing ends goes on to the end. */
function passGroup({ text, units }: Pick<Page, 'text' | 'units'>, { start, end }: Span): number {
  const lead = /^\s{0,9}(?:\\[A-Za-z]{1,32}|\[[^\]]{0,9}\]){0,3}\s{0,9}/.exec(
    text.slice(start, Math.min(end, start + 160)),
  );
  const begin = start + (lead?.[0].length ?? 0);
  if (units[begin] !== signs.opening) return begin;
  let depth = 0;
  for (let index = begin; index < end; index += 1) {
    if (units[index] === signs.backslash) index += 1;
    else if (units[index] === signs.opening) depth += 1;
    else if (units[index] === signs.closing) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return end;
}
