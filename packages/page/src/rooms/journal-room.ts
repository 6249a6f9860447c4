import { formatCount } from '../html/figures.ts';
import { foreignBlock } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { runAddress, type Visit } from '../server/visit.ts';
import type { RawLines } from '../views.ts';
import { layout } from './layout.ts';

/** Most characters of one line; of a page, as many for all lines together as keep it light. */
const MOST_CHARS = 10_000;
const PAGE_CHARS = 60_000;

/** Lines of a run's record as they are written. */
export function journalRoom(
  { from, lines, total }: RawLines,
  { visit, uuid, limit }: { readonly visit: Visit; readonly uuid: string; readonly limit: number },
): Markup {
  const { texts, locale } = visit;
  const room = runAddress(visit, uuid);
  const last = from + lines.length - 1;
  const maxChars = Math.min(MOST_CHARS, Math.ceil(PAGE_CHARS / Math.max(1, lines.length)));
  const links = markup`${
    from > 1
      ? markup`<a href="${room}/journal?from=${Math.max(1, from - limit)}" rel="prev">${texts.previous}</a>`
      : markup`<span></span>`
  }${last < total && markup`<a href="${room}/journal?from=${last + 1}" rel="next">${texts.next}</a>`}`;
  const content = markup`<p><a href="${room}">${texts.run}</a></p><h1>${texts.journal}</h1>
<p class="soft">${texts.lines(formatCount(from, locale), formatCount(Math.max(0, last), locale), formatCount(total, locale))}</p>
<nav class="pages" aria-label="${texts.journal}">${links}</nav><ol class="journal card">${lines.map(
    (line, index) =>
      markup`<li id="line-${from + index}"><a href="#line-${from + index}" data-item aria-label="${texts.rawLine} ${from + index}">${from + index}</a>${foreignBlock(line, { maxChars })}</li>`,
  )}</ol>${lines.length > 5 && markup`<div class="pages">${links}</div>`}`;
  return layout(visit, { title: texts.journal, room: null, content });
}
