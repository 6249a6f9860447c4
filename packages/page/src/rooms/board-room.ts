import type { BoardQuery, BoardRow, BoardView, RunState } from '@agent/orchestrator/watch';
import { formatCount, formatMoney, moment } from '../html/figures.ts';
import { foreignText, foreignWords } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Outcome } from '../ports.ts';
import { budgetList } from './budgets.ts';
import { layout } from './layout.ts';
import { activity, stateSign, stateSigns } from './state-sign.ts';
import { runAddress, threadAddress, type Visit } from './visit.ts';

/** States in the order of the board. */
export const runStates: readonly RunState[] = [
  ...(['running', 'delivering', 'queued', 'needs_input', 'paused', 'in_review', 'ended'] as const),
];

/** Outcomes that a filter offers. */
export const outcomes: readonly Outcome[] = [
  ...(['failed', 'partial', 'stopped', 'completed', 'answered', 'nothing_to_change'] as const),
];

/** Ages in hours that a filter offers. */
export const filterHours = [1, 24, 168, 720] as const;

/** Query of a board, with the age in hours that it was made of. */
export interface ShownQuery extends BoardQuery {
  readonly hours: number | null;
}

/** States that are shown only while runs are in them. */
const rareStates: ReadonlySet<RunState> = new Set(['delivering', 'paused']);

/** Renders the board for a logged-in user: counts, why no task starts, budgets, a filter, rows. */
export function boardRoom(view: BoardView, query: ShownQuery, visit: Visit): Markup {
  const { texts } = visit;
  const content = markup`<h1 class="unseen">${texts.board}</h1>
<div id="board-head" data-live>${counts(view, { visit, query })}
${
  view.budgets.length > 0 &&
  markup`<section class="card" aria-labelledby="budgets"><h2 id="budgets">${texts.budgets}</h2>${budgetList(view.budgets, visit)}</section>`
}</div>
${filterForm(view, query, visit)}
<section aria-labelledby="tasks"><h2 id="tasks">${texts.tasks}</h2>
<div class="rows" id="windows">${rowWindow(view, query, visit)}</div>
<p id="more"${view.next === null && markup` hidden`}><a href="${addressOf(visit, { ...query, after: view.next })}">${texts.more}</a></p>
</section>`;
  return layout(visit, { title: texts.board, room: 'board', content, isLive: true });
}

/** Renders the board for an anonymous visitor on this machine: the number of tasks in each state and nothing else. */
export function countsRoom(view: BoardView, visit: Visit): Markup {
  const { texts, base } = visit;
  const content = markup`<h1>${texts.board}</h1>
<div id="board-head" data-live>${counts(view, { visit, query: null })}</div>
<p>${texts.countsOnly} <a href="${base}/login">${texts.countsOnlyHow}</a></p>`;
  return layout(visit, { title: texts.board, room: 'board', content, isLive: true });
}

function counts(
  view: BoardView,
  { visit, query }: { readonly visit: Visit; readonly query: ShownQuery | null },
): Markup {
  const { texts, locale } = visit;
  const shown = runStates.filter((state) => !rareStates.has(state) || view.counts[state] > 0);
  const items = shown.map((state) => {
    const inside = markup`<strong>${formatCount(view.counts[state], locale)}</strong> <span class="state ${stateSigns[state]}"><span>${texts.states[state]}</span></span>`;
    if (query === null)
      return markup`<li><span class="count">${inside}</span>${state === 'ended' && failedCount(view, { visit, query })}</li>`;
    const here = query.state === state;
    const target = addressOf(visit, { ...query, state: here ? null : state, outcome: null, after: null });
    return markup`<li><a href="${target}"${here && markup` aria-current="true"`}>${inside}</a>${state === 'ended' && failedCount(view, { visit, query })}</li>`;
  });
  return markup`<ul class="counts" id="summary">${items}</ul>`;
}

/** Number of the runs that failed, below those that ended: an outcome is no further state. */
function failedCount(
  { failed: count }: BoardView,
  { visit, query }: { readonly visit: Visit; readonly query: ShownQuery | null },
): Markup {
  const { texts, locale } = visit;
  const failed = markup`<span class="small">${texts.byOutcome}</span> <strong>${formatCount(count, locale)}</strong> <span class="state bad"><span>${texts.runOutcomes.failed}</span></span>`;
  const isFailed = query?.outcome === 'failed';
  const target =
    query && addressOf(visit, { ...query, state: null, outcome: isFailed ? null : 'failed', after: null });
  if (target === null) return markup`<span class="count">${failed}</span>`;
  return markup`<a href="${target}"${isFailed && markup` aria-current="true"`}>${failed}</a>`;
}

function filterForm(view: BoardView, query: ShownQuery, { texts, base }: Visit): Markup {
  const option = (value: string, name: string, chosen: string | null): Markup =>
    markup`<option value="${value}"${value === (chosen ?? '') && markup` selected`}>${name}</option>`;
  const isFiltered = isFilter(query);
  const chosen = query.outcome ?? query.state;
  return markup`<form class="filter" role="search" method="get" action="${base}/" aria-label="${texts.filter}">
<label>${texts.state}<select name="state">${option('', texts.all, chosen)}${runStates.map((state) => option(state, texts.states[state], chosen))}${outcomes.map((outcome) => option(outcome, texts.runOutcomes[outcome], chosen))}</select></label>
<label>${texts.age}<select name="hours">${option('', texts.all, query.hours === null ? null : String(query.hours))}${filterHours.map((hours) => option(String(hours), texts.lastHours(hours), query.hours === null ? null : String(query.hours)))}</select></label>
<label>${texts.repository}<select name="repository">${option('', texts.all, query.repository)}${view.repositories
    .slice(0, 100)
    .map(({ name, count }) =>
      option(name, `${foreignWords(name, { maxChars: 100 })} (${count})`, query.repository),
    )}</select></label>
<label class="grow">${texts.search}<input id="text" name="text" type="search" maxlength="200" value="${query.text ?? ''}"></label>
<button>${texts.apply}</button>${isFiltered && markup`<a href="${base}/">${texts.clear}</a>`}
</form>`;
}

function rowWindow(view: BoardView, query: ShownQuery, visit: Visit): Markup {
  const { texts } = visit;
  const next = view.next === null ? '' : addressOf(visit, { ...query, after: view.next });
  const empty = !isFilter(query);
  const rows =
    view.rows.length === 0
      ? markup`<li class="row"><p class="soft">${empty ? texts.noTasks : texts.noMatch}</p></li>`
      : view.rows.map((row) => boardRow(row, { visit, currency: view.currency }));
  return markup`<ol data-window="${addressOf(visit, query)}" data-next="${next}" id="window-0">${rows}</ol>`;
}

function boardRow(
  row: BoardRow,
  { visit, currency }: { readonly visit: Visit; readonly currency: string | null },
): Markup {
  const { texts } = visit;
  const room = row.uuid === null ? threadAddress(visit, row.threadKey) : runAddress(visit, row.uuid);
  return markup`<li class="row" id="row-${row.id}" data-row="${row.id}">
<div>${stateSign(row, visit)}</div>
<div><a class="name" href="${room}">${foreignText(row.name, { maxChars: 100 })}${row.title !== null && markup` <span class="title">${foreignText(row.title, { maxChars: 160 })}</span>`}</a>
${row.user !== null && markup` <span class="soft small">${foreignText(row.user, { maxChars: 40 })}</span>`}${row.reason !== null && markup`<p class="soft small">${foreignText(row.reason, { maxChars: 300 })}</p>`}${progressLine(row, visit)}</div>
<div class="numbers">${row.since !== null && markup`<span>${texts.since} ${moment(row.since)}</span><br>`}${numbers(row, { visit, currency })}</div>
</li>`;
}

function progressLine(row: BoardRow, visit: Visit): Markup | null {
  const { progress, step } = row;
  const { texts } = visit;
  const parts = [
    progress === null
      ? null
      : markup`${foreignText(progress.phase, { maxChars: 40 })} ${progress.done}/${progress.total}`,
    step === null ? null : markup`${texts.step} ${step}`,
    activity(row, visit),
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return markup`<p class="soft small">${parts.map((part, index) => markup`${index > 0 && ' · '}${part}`)}</p>`;
}

const isFilter = ({ state, outcome, hours, repository, text }: ShownQuery): boolean =>
  [state, outcome, hours, repository, text].some((one) => one != null);

function numbers(
  { tokens, costMicros }: BoardRow,
  { visit: { texts, locale }, currency }: { readonly visit: Visit; readonly currency: string | null },
): string {
  const parts = [
    tokens === null ? null : `${formatCount(tokens, locale)} ${texts.tokens}`,
    costMicros === null ? null : `${texts.cost} ${formatMoney(costMicros, currency, locale)}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

function addressOf({ base }: Visit, query: ShownQuery): string {
  const { hours, repository, text, after } = query;
  const state = query.outcome ?? query.state;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ state, hours, repository, text, after }))
    if (value !== null) parameters.set(name, String(value));
  return parameters.size === 0 ? `${base}/` : `${base}/?${parameters.toString()}`;
}
