import type { RunView, TimelineEntry } from '@agent/orchestrator/watch';
import { formatCount, formatDuration, formatMoney, moment } from '../html/figures.ts';
import { foreignBlock, foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { runAddress, type Visit } from './visit.ts';

/** Most characters of a page's entries together, and of one. */
const PAGE_CHARS = 24_000;
const MOST_CHARS = 2_000;
const FILE_CHARS = 20_000;

/** Options of `timeline`. */
export interface TimelineOptions {
  readonly visit: Visit;
  /** Entries on a page. */
  readonly limit: number;
  /** True for a file that stands alone: no links to other rooms, and texts whole as far as the record's reader gave them. */
  readonly isFile?: boolean | undefined;
}

/** Steps of a run, a part at a time. */
export function timeline(
  { row, timeline: entries, before, after, currency }: RunView,
  { visit, limit, isFile = false }: TimelineOptions,
): Markup {
  const { texts } = visit;
  const room = runAddress(visit, row.uuid ?? '');
  const share = Math.ceil(PAGE_CHARS / Math.max(1, entries.length));
  const maxChars = isFile ? FILE_CHARS : Math.min(MOST_CHARS, share);
  const items = entries.map((entry) => timelineItem(entry, { visit, room, maxChars, currency, isFile }));
  return markup`<section class="card" aria-labelledby="timeline"><h2 id="timeline">${texts.timeline}</h2>
${before > 0 && !isFile && markup`<p><a href="${room}?from=${Math.max(0, before - limit)}">${texts.earlier} (${formatCount(before, visit.locale)})</a></p>`}
${entries.length === 0 ? markup`<p class="soft">${texts.noTimeline}</p>` : markup`<ol class="timeline">${items}</ol>`}
${after > 0 && !isFile && markup`<p><a href="${room}?from=${before + entries.length}">${texts.later} (${formatCount(after, visit.locale)})</a> · <a href="${room}">»</a></p>`}
</section>`;
}

interface ItemOptions {
  readonly visit: Visit;
  readonly room: string;
  readonly maxChars: number;
  readonly currency: string | null;
  readonly isFile: boolean;
}

function timelineItem(entry: TimelineEntry, options: ItemOptions): Markup {
  const { visit, room, isFile } = options;
  const { texts } = visit;
  const { seq, at, kind, status } = entry;
  return markup`<li id="entry-${seq}" class="kind-${kind}${status === 'error' && ' failed'}"><div class="head"><strong>${texts.entryKinds[kind]}</strong> ${entryName(entry, texts)} ${status !== null && markup`<span class="soft">${texts.entryStatuses[status]}</span>`} <span class="soft small">${moment(at)}${figures(entry, options)} · ${
    isFile
      ? `#${seq}`
      : markup`<a href="${room}/journal?from=${seq}#line-${seq}" data-item aria-label="${texts.rawLine} ${seq}">#${seq}</a>`
  }</span></div>${content(entry, options)}</li>`;
}

function entryName({ kind, name }: TimelineEntry, texts: Visit['texts']): Markup {
  if (kind === 'tool') return markup`<code>${foreignText(name, { maxChars: 80 })}</code>`;
  const known = kind !== 'message' && Object.hasOwn(texts.entryNames, name);
  return known ? markup`${texts.entryNames[name]}` : foreignText(name, { maxChars: 80 });
}

function figures(
  { durationMs, tokens, costMicros }: TimelineEntry,
  { visit, currency }: ItemOptions,
): readonly string[] {
  const { texts, locale } = visit;
  return [
    durationMs === null ? '' : ` · ${formatDuration(durationMs)}`,
    tokens === null ? '' : ` · ${formatCount(tokens, locale)} ${texts.tokens}`,
    costMicros === null ? '' : ` · ${formatMoney(costMicros, currency, locale)}`,
  ];
}

function content({ kind, text, cut, args }: TimelineEntry, { visit, maxChars }: ItemOptions): Markup {
  const { texts, locale } = visit;
  const missing = cut + Math.max(0, text.length - maxChars);
  const rest = missing > 0 && markup`<p class="soft small">${texts.cutBy(formatCount(missing, locale))}</p>`;
  if (kind !== 'tool') return text === '' ? markup`` : markup`${foreignBlock(text, { maxChars })}${rest}`;
  return markup`${args !== null && markup`<details><summary>${texts.args}</summary>${foreignBlock(args, { maxChars })}</details>`}${
    text !== '' &&
    markup`<details><summary>${texts.output}</summary>${foreignBlock(text, { maxChars })}${rest}</details>`
  }`;
}
