import type { Condition, HealthView } from '@agent/orchestrator/watch';
import { formatCount, formatDuration, moment } from '../html/figures.ts';
import { foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { budgetList } from './budgets.ts';
import { layout } from './layout.ts';
import { problemList } from './problems.ts';
import type { Visit } from './visit.ts';

const healthSigns = {
  ready: 'good',
  degraded: 'waiting',
  'not-ready': 'bad',
  ending: 'off',
  stopped: 'off',
} as const;
const conditionSigns = { ok: 'good', waiting: 'waiting', failed: 'bad' } as const;

/** Options of `healthRoom`. */
export interface HealthRoomOptions {
  readonly visit: Visit;
  /** True where settings can be read again. */
  readonly canReload: boolean;
  /** True where that was done just now, as the address says it. */
  readonly isReloaded: boolean;
}

/** Renders the health page for a logged-in user: components, budgets, model, queue, processes. */
export function healthRoom(view: HealthView, { visit, canReload, isReloaded }: HealthRoomOptions): Markup {
  const { texts, locale } = visit;
  const content = markup`<h1>${texts.health}</h1>
${isReloaded && markup`<p class="notice" role="status">${texts.reloaded}</p>`}
<div id="health" data-live>${healthHead(view, visit)}
<section class="card" aria-labelledby="problems"><h2 id="problems">${texts.problemsHeading}</h2>${problemList(view.problems, visit)}</section>
${noticeList(view.notices, visit)}
<section class="card" aria-labelledby="processes"><h2 id="processes">${texts.owners}</h2>${processTable(view.processes, visit)}</section>
<section class="card" aria-labelledby="parts"><h2 id="parts">${texts.conditions}</h2>${conditionTable(view.conditions, visit)}</section>
<div class="split"><div>
${view.budgets.length > 0 && markup`<section class="card" aria-labelledby="budgets"><h2 id="budgets">${texts.budgets}</h2>${budgetList(view.budgets, visit)}</section>`}</div>
<section class="card" aria-labelledby="rest"><h2 id="rest">${texts.overview}</h2><dl class="facts">
<div><dt>${texts.queue}</dt><dd>${texts.waitingTasks(formatCount(view.waiting, locale))}</dd></div>
<div><dt>${texts.model}</dt><dd>${view.model === null ? markup`<span class="none">–</span>` : foreignText(view.model)}</dd></div></dl></section></div></div>${canReload && reloadForm(visit)}`;
  return layout(visit, { title: texts.health, room: 'health', content, isLive: true });
}

/** Renders the health page for an anonymous visitor on this machine: states and counts. */
export function healthCountsRoom(view: HealthView, visit: Visit): Markup {
  const { texts, locale, base } = visit;
  const count = (state: Condition['state']): string =>
    formatCount(view.conditions.filter((condition) => condition.state === state).length, locale);
  const content = markup`<h1>${texts.health}</h1>
<div id="health" data-live>${healthHead(view, visit)}
<div class="card"><h2>${texts.conditions}</h2><ul class="list">${(['ok', 'waiting', 'failed'] as const).map(
    (state) => markup`<li>${conditionSign(state, texts)} ${count(state)}</li>`,
  )}</ul></div>
<div class="card"><h2>${texts.queue}</h2><p>${texts.waitingTasks(formatCount(view.waiting, locale))}</p></div></div>
<p>${texts.countsOnly} <a href="${base}/login">${texts.countsOnlyHow}</a></p>`;
  return layout(visit, { title: texts.health, room: 'health', content, isLive: true });
}

function reloadForm({ texts, base, csrf, createNonce }: Visit): Markup {
  return markup`<section class="card" aria-labelledby="settings"><h2 id="settings">${texts.settings}</h2><p>${texts.reloadHow}</p>
<div class="actions"><form method="post" action="${base}/reload"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="nonce" value="${createNonce()}"><button>${texts.reload}</button></form></div></section>`;
}

function healthHead({ status }: HealthView, { texts }: Visit): Markup {
  return markup`<p id="summary"><span class="state ${healthSigns[status]}"><span>${texts.healthStatuses[status]}</span></span></p>`;
}

/** Renders facts that are no problems; nothing without one. */
function noticeList(notices: HealthView['notices'], { texts }: Visit): Markup | false {
  if (notices.length === 0) return false;
  return markup`<section class="card" aria-labelledby="notices"><h2 id="notices">${texts.noticesHeading}</h2><ul class="list">${notices.map(
    ({ what, remedy }) =>
      markup`<li>${foreignText(what, { maxChars: 300 })}<br><span class="soft">${foreignText(remedy, { maxChars: 500 })}</span></li>`,
  )}</ul></section>`;
}

function processTable(processes: HealthView['processes'], visit: Visit): Markup {
  const { texts } = visit;
  const heading = (name: string): Markup => markup`<th scope="col">${name}</th>`;
  return markup`<div class="scroll" tabindex="0" role="group" aria-labelledby="processes"><table><thead><tr>${[
    texts.process,
    texts.role,
    texts.load,
    texts.lastSign,
    texts.started,
    texts.version,
  ].map(heading)}</tr></thead><tbody>${processes
    .slice(0, 50)
    .map((process) => processRow(process, visit))}</tbody></table></div>`;
}

function processRow(process: HealthView['processes'][number], { texts }: Visit): Markup {
  const { number, host, pid, isThis, role, leads, running, concurrency, silentMs, startedAt, version } =
    process;
  const none = markup`<span class="none">–</span>`;
  return markup`<tr><td>#${number} ${foreignText(host, { maxChars: 80 })} <span class="soft">pid ${pid}${isThis && ` · ${texts.thisProcess}`}</span></td><td>${
    role === null ? none : texts.roles[role]
  }${leads && ` · ${texts.leads}`}</td><td>${running === null ? none : `${running} / ${concurrency}`}</td><td>${texts.ago(formatDuration(silentMs))}</td><td>${moment(startedAt)}</td><td>${
    version === null ? none : foreignText(version)
  }</td></tr>`;
}

/** Names a component such as `model` or `platform:github`; unknown components as they are. */
function partName(part: string, texts: Visit['texts']): Markup {
  const [, kind = part, rest = ''] = /^(\w+):(.*)$/s.exec(part) ?? [];
  const name = Object.hasOwn(texts.parts, kind) ? texts.parts[kind] : undefined;
  if (name === undefined) return foreignText(part, { maxChars: 80 });
  return markup`${name}${rest !== '' && markup` ${foreignText(rest, { maxChars: 80 })}`}`;
}

function conditionTable(conditions: readonly Condition[], visit: Visit): Markup {
  const { texts } = visit;
  return markup`<div class="scroll" tabindex="0" role="group" aria-labelledby="parts"><table><thead><tr><th scope="col">${texts.part}</th><th scope="col">${texts.state}</th><th scope="col">${texts.sinceHeading}</th><th scope="col">${texts.reason}</th></tr></thead><tbody>${conditions
    .slice(0, 200)
    .map(
      ({ part, state, since, reason }) =>
        markup`<tr><td>${partName(part, texts)}</td><td>${conditionSign(state, texts)}</td><td>${moment(since)}</td><td>${reason !== null && foreignText(reason, { maxChars: 300 })}</td></tr>`,
    )}</tbody></table></div>`;
}

function conditionSign(state: Condition['state'], texts: Visit['texts']): Markup {
  return markup`<span class="state ${conditionSigns[state]}"><span>${texts.conditionStates[state]}</span></span>`;
}
