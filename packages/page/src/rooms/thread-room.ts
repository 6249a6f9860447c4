import type { LineageEntry, ThreadView } from '@agent/orchestrator/watch';
import { moment } from '../html/figures.ts';
import { foreignBlock, foreignLink, foreignText, foreignWords } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { layout } from './layout.ts';
import { stateSign } from './state-sign.ts';
import { runAddress, threadKindOf, type Visit } from './visit.ts';

/** Most runs on a page: the latest ones. */
const MOST_RUNS = 40;

/** Renders the run history of a thread: what each run inherited, its summary, and which of its decisions are in effect. */
export function threadRoom(view: ThreadView, visit: Visit): Markup {
  const { texts } = visit;
  const first = Math.max(0, view.runs.length - MOST_RUNS);
  const numbers = new Map(view.runs.map(({ row }, index) => [row.uuid ?? row.id, index + 1]));
  const content = markup`<h1>${foreignText(view.name, { maxChars: 120 })}${view.title !== null && markup` ${foreignText(view.title, { maxChars: 300 })}`}</h1>
${view.url !== null && markup`<p>${foreignLink(view.url, texts.openThread[threadKindOf(view.key)])}</p>`}
${view.queued !== null && markup`<p id="queued" data-live>${stateSign(view.queued, visit)} ${view.queued.since !== null && markup`<span class="soft small">${texts.since} ${moment(view.queued.since)}</span>`}${view.queued.reason !== null && markup` <span class="soft small">${foreignText(view.queued.reason, { maxChars: 300 })}</span>`}</p>`}
<section class="card" aria-labelledby="lineage"><h2 id="lineage">${texts.lineage}</h2>
<ol class="lineage" id="lineage-list" data-live start="${first + 1}">${view.runs
    .slice(first)
    .map((entry) => lineageItem(entry, { visit, numbers }))}</ol></section>`;
  const follows = { uuid: null, threadKey: view.key };
  return layout(visit, {
    title: foreignWords(view.name, { maxChars: 100 }),
    room: null,
    content,
    follows,
    isLive: true,
  });
}

interface ItemOptions {
  readonly visit: Visit;
  /** Number of each run of the thread, from 1. */
  readonly numbers: ReadonlyMap<string, number>;
}

function lineageItem({ row, inheritedFrom, summary, decisions }: LineageEntry, options: ItemOptions): Markup {
  const { visit, numbers } = options;
  const { texts } = visit;
  const id = row.uuid ?? row.id;
  const name = markup`${texts.run} ${numbers.get(id)}`;
  return markup`<li id="run-${id}"><p><strong>${
    row.uuid === null ? name : markup`<a href="${runAddress(visit, row.uuid)}" data-item>${name}</a>`
  }</strong> ${stateSign(row, visit)} <span class="soft small">${moment(row.since)}</span></p>
${row.reason !== null && markup`<p class="soft small">${foreignText(row.reason)}</p>`}
<p class="small">${
    inheritedFrom.length === 0
      ? markup`<span class="soft">${texts.inheritsNothing}</span>`
      : markup`<span class="soft">${texts.inheritedFrom}</span> ${inheritedFrom.slice(0, 20).map((uuid) => ancestor(uuid, options))}`
  }</p>
${summary !== null && markup`<details><summary>${texts.leftSummary}</summary>${foreignBlock(summary, { maxChars: 2000 })}</details>`}
${decisions.length > 0 && markup`<h3>${texts.decisions}</h3><ul class="list">${decisions.slice(0, 30).map((decision) => decisionItem(decision, visit))}</ul>`}
</li>`;
}

function ancestor(uuid: string, { visit, numbers }: ItemOptions): Markup {
  const number = numbers.get(uuid);
  return number === undefined
    ? markup`<a href="${runAddress(visit, uuid)}">${foreignText(uuid, { maxChars: 40 })}</a> `
    : markup`<a href="#run-${uuid}">${visit.texts.run} ${number}</a> `;
}

const standingSigns = { stands: 'good', information: 'open', unknown: 'open' } as const;

function decisionItem(
  { text, source, commentId, url, standing, detail }: LineageEntry['decisions'][number],
  { texts }: Visit,
): Markup {
  const sign = standing in standingSigns ? standingSigns[standing as keyof typeof standingSigns] : 'bad';
  const name = [texts.decisionSources[source], commentId ?? ''].join(' ').trim();
  return markup`<li>${foreignText(text, { maxChars: 500 })}<br><span class="state ${sign}"><span>${texts.standings[standing]}</span></span>${
    detail !== null && markup` <span class="soft small">${foreignText(detail, { maxChars: 200 })}</span>`
  } <span class="soft small">${
    url === null ? foreignText(name, { maxChars: 80 }) : foreignLink(url, foreignText(name, { maxChars: 80 }))
  }</span></li>`;
}
