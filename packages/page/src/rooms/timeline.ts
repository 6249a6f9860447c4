import type { RunView, TimelineEntry, TimelineFilter } from '@agent/orchestrator/watch';
import { formatCount, formatDuration, formatMoney, moment } from '../html/figures.ts';
import { foreignBlock, foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { runAddress, type Visit } from './visit.ts';

/** Most characters of a page's entries together, and of one. */
const PAGE_CHARS = 24_000;
const MOST_CHARS = 2_000;
const FILE_CHARS = 20_000;
/** Longest text of a message that is not folded. */
const UNFOLDED_CHARS = 500;

/** Options of `timeline`. */
export interface TimelineOptions {
  readonly visit: Visit;
  /** Entries on a page. */
  readonly limit: number;
  /** True for a file that stands alone: no links to other rooms, and texts whole as far as the record's reader gave them. */
  readonly isFile?: boolean | undefined;
}

/** Steps of a run, a part at a time. */
export function timeline(run: RunView, { visit, limit, isFile = false }: TimelineOptions): Markup {
  const { row, timeline: entries, before, after, currency, failure, show } = run;
  const { texts } = visit;
  const room = runAddress(visit, row.uuid ?? '');
  const share = Math.ceil(PAGE_CHARS / Math.max(1, entries.length));
  const maxChars = isFile ? FILE_CHARS : Math.min(MOST_CHARS, share);
  const options = { visit, room, maxChars, currency, isFile };
  const items = entries.map((entry) =>
    timelineItem(entry, { ...options, isFailure: entry.seq === failure?.seq }),
  );
  const partAt = (from: number): string =>
    `${room}?${show === null ? '' : `show=${show}&`}from=${Math.max(0, from)}`;
  const newest =
    failure === null ? timelineAddress(room, show) : partAt(before + entries.length + after - limit);
  return markup`<section class="card" aria-labelledby="timeline"><h2 id="timeline">${texts.timeline}</h2>
${!isFile && filterLinks(run, visit)}
${before > 0 && !isFile && markup`<p><a href="${partAt(before - limit)}">${texts.earlier} (${formatCount(before, visit.locale)})</a></p>`}
${entries.length === 0 ? markup`<p class="soft">${texts.noTimeline}</p>` : markup`<ol class="timeline">${items}</ol>`}
${after > 0 && !isFile && markup`<p><a href="${partAt(before + entries.length)}">${texts.later} (${formatCount(after, visit.locale)})</a> · <a href="${newest}" aria-label="${texts.newest}">»</a></p>`}
</section>`;
}

/** Filters in the order in which they are shown. */
export const timelineFilters: readonly TimelineFilter[] = ['tools', 'errors', 'comments'];

function filterLinks({ row, show, filtered }: RunView, visit: Visit): Markup {
  const { texts, locale } = visit;
  const room = runAddress(visit, row.uuid ?? '');
  const links = [null, ...timelineFilters].map((filter) => {
    const name = filter === null ? texts.all : texts.timelineFilters[filter];
    const count = filter !== null && markup` (${formatCount(filtered[filter], locale)})`;
    return markup`<li><a href="${timelineAddress(room, filter)}"${filter === show && markup` aria-current="true"`}>${name}</a>${count}</li>`;
  });
  return markup`<nav aria-label="${texts.filterTimeline}"><ul class="filters">${links}</ul></nav>`;
}

function timelineAddress(room: string, filter: TimelineFilter | null): string {
  return filter === null ? room : `${room}?show=${filter}`;
}

/** Failed step with its output, and a link to its place in the timeline. */
export function failedStep({ failure, row, timeline: shown }: RunView, visit: Visit): Markup | null {
  if (failure === null) return null;
  const { texts } = visit;
  const { seq, kind, text, args, step } = failure;
  const isShown = shown.some((entry) => entry.seq === seq);
  const page = isShown ? '' : runAddress(visit, row.uuid ?? '');
  const isStep = kind === 'tool' || kind === 'plan';
  return markup`${
    isStep &&
    markup`<h3>${texts.failedStep}: ${step !== null && `${texts.stepOf(step, null)}, `}${entryName(failure, texts)}</h3>${args !== null && foreignBlock(args, { maxChars: 600 })}${text !== '' && foreignBlock(text, { maxChars: MOST_CHARS * 2 })}`
  }<p><a href="${page}#entry-${seq}">${texts.jumpToFailure}</a></p>`;
}

interface ItemOptions {
  readonly visit: Visit;
  readonly room: string;
  readonly maxChars: number;
  readonly currency: string | null;
  readonly isFile: boolean;
  readonly isFailure: boolean;
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

function content(entry: TimelineEntry, options: ItemOptions): Markup {
  const { text, cut, args } = entry;
  const { visit, isFailure } = options;
  const { texts, locale } = visit;
  const maxChars = isFailure ? Math.max(options.maxChars, MOST_CHARS * 2) : options.maxChars;
  const missing = cut + Math.max(0, text.length - maxChars);
  const rest = missing > 0 && markup`<p class="soft small">${texts.cutBy(formatCount(missing, locale))}</p>`;
  const body = text !== '' && markup`${foreignBlock(text, { maxChars })}${rest}`;
  if (entry.kind === 'tool')
    return markup`${args !== null && markup`<details><summary>${texts.args}</summary>${foreignBlock(args, { maxChars })}</details>`}${
      body &&
      markup`<details${isFailure && markup` open`}><summary>${texts.output}</summary>${body}</details>`
    }`;
  if (!isFolded(entry, options)) return markup`${body}`;
  return markup`<details><summary>${foreignText(text.slice(0, 300), { maxChars: 100 })}</summary>${body}</details>`;
}

/** Folds prompts, and on a page all long texts. */
function isFolded({ kind, name, text }: TimelineEntry, { isFile, isFailure }: ItemOptions): boolean {
  if (text === '' || isFailure) return false;
  const isPrompt = kind === 'message' && name !== 'assistant';
  return isPrompt || (!isFile && text.length > UNFOLDED_CHARS);
}
