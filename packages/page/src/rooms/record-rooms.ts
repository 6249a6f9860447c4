import type { AuditEntry, RawLines } from '@agent/orchestrator/watch';
import { formatCount, moment } from '../html/figures.ts';
import { foreignBlock, foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { layout } from './layout.ts';
import { runAddress, type Visit } from './visit.ts';

const signs = { started: 'open', accepted: 'good', refused: 'off', failed: 'bad' } as const;

/** Acts that are asked for. */
export interface ShownAuditQuery {
  /** Null for all users, as the others. */
  readonly user: string | null;
  /** Part of the target, the action or the reason. */
  readonly text: string | null;
  /** Such as `2026-11-30`. */
  readonly day: string | null;
  /** Zone of the day: an IANA name. */
  readonly timeZone: string;
}

/** List of people's acts, the latest first, with a filter. */
export function auditRoom(entries: readonly AuditEntry[], query: ShownAuditQuery, visit: Visit): Markup {
  const { texts } = visit;
  const isFiltered = [query.user, query.text, query.day].some((one) => one !== null);
  const table = markup`<div class="scroll" tabindex="0" role="group" aria-label="${texts.audit}"><table><thead><tr><th scope="col">${texts.time}</th><th scope="col">${texts.who}</th><th scope="col">${texts.action}</th><th scope="col">${texts.target}</th><th scope="col">${texts.outcome}</th></tr></thead>
<tbody>${entries.map((entry) => auditLine(entry, visit))}</tbody></table></div>`;
  const content = markup`<h1>${texts.audit}</h1>
${auditFilter(query, { visit, isFiltered })}
<div class="card" id="audit" data-live>${entries.length === 0 ? markup`<p>${isFiltered ? texts.noAuditMatch : texts.noAudit}</p>` : table}</div>`;
  return layout(visit, { title: texts.audit, room: 'audit', content, isLive: true });
}

function auditFilter(
  { user, text, day, timeZone }: ShownAuditQuery,
  { visit: { texts, base }, isFiltered }: { readonly visit: Visit; readonly isFiltered: boolean },
): Markup {
  return markup`<form class="filter" role="search" method="get" action="${base}/audit" aria-label="${texts.filterAudit}">
<label>${texts.who}<input name="user" maxlength="100" value="${user ?? ''}"></label>
<label>${texts.dayIn(timeZone)}<input name="day" type="date" value="${day ?? ''}"></label>
<label class="grow">${texts.searchAudit}<input name="text" type="search" maxlength="200" value="${text ?? ''}"></label>
<button>${texts.apply}</button>${isFiltered && markup`<a href="${base}/audit">${texts.clear}</a>`}
</form>`;
}

function auditLine(entry: AuditEntry, visit: Visit): Markup {
  const { at, actor, via, action, target, run, outcome, reason } = entry;
  const { texts } = visit;
  const name = foreignText(target ?? run ?? '', { maxChars: 100 });
  return markup`<tr><td>${moment(at, { isWhole: true })}</td><td>${foreignText(actor, { maxChars: 80 })}<br><span class="soft small">${texts.auditSources[via]}</span></td><td>${actionName(action, texts)}</td>
<td>${run === null ? name : markup`<a href="${runAddress(visit, run.slice(0, 300))}">${name}</a>`}</td>
<td><span class="state ${signs[outcome]}"><span>${texts.auditOutcomes[outcome]}</span></span>${reason !== null && markup`<br>${foreignText(reason, { maxChars: 300 })}`}</td></tr>`;
}

function actionName(action: string, texts: Visit['texts']): Markup {
  const names: Readonly<Record<string, string>> = {
    ...texts.controls,
    ...texts.auditActions,
    login: texts.login,
    reload: texts.reload,
  };
  return markup`${Object.hasOwn(names, action) ? names[action] : foreignText(action, { maxChars: 60 })}`;
}

/** Most characters of one line; of a page, as many for all lines together as keep it light. */
const MOST_CHARS = 10_000;
const PAGE_CHARS = 60_000;

/** Options of `journalRoom`. */
export interface JournalRoomOptions {
  readonly visit: Visit;
  readonly uuid: string;
  /** Lines on a page. */
  readonly limit: number;
}

/** Lines of a run's record as they are written. */
export function journalRoom(
  { from, lines, total }: RawLines,
  { visit, uuid, limit }: JournalRoomOptions,
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
