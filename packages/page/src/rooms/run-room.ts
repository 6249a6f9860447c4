import type { RunControl, RunView } from '@agent/orchestrator/watch';
import { formatDuration, formatMoney, moment } from '../html/figures.ts';
import { foreignBlock, foreignLink, foreignText, foreignWords } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { layout } from './layout.ts';
import { heldList, nextStep } from './next-step.ts';
import { runActions, runControls } from './run-actions.ts';
import { assumptionList, commentList, costChart, planPart } from './run-parts.ts';
import { activity, stateSign } from './state-sign.ts';
import { failedStep, timeline } from './timeline.ts';
import { runAddress, threadAddress, threadKindOf, type Visit } from './visit.ts';

/** Options of `runRoom`. */
export interface RunRoomOptions {
  readonly visit: Visit;
  /** True where the last part of the timeline is shown, which grows. */
  readonly isTail: boolean;
  /** Control that was accepted just now, as the address says it. */
  readonly done: string | null;
  /** Entries on a page. */
  readonly limit: number;
}

/** One run with all that its record says. */
export function runRoom(run: RunView, { visit, isTail, done, limit }: RunRoomOptions): Markup {
  const { texts } = visit;
  const { row } = run;
  const accepted = runControls.find((control: RunControl) => control === done);
  const room = runAddress(visit, row.uuid ?? '');
  const kind = threadKindOf(row.threadKey);
  const content = markup`${runTitle(run)}
${accepted !== undefined && markup`<p class="notice" role="status">${texts.done(texts.controls[accepted])}</p>`}
<p class="small"><a href="${threadAddress(visit, row.threadKey)}">${texts.runsOfThread[kind]}</a> · <a href="${room}/journal">${texts.openJournal}</a>${row.url !== null && markup` · ${foreignLink(row.url, texts.openThread[kind])}`}</p>
<div id="run" data-live>${runHead(run, visit)}${heldList(run, visit)}${runActions(run, visit)}
<div class="split"><div>${timeline(run, { visit, limit })}</div><div>${runSide(run, visit)}</div></div></div>`;
  const follows = { uuid: row.uuid, threadKey: row.threadKey };
  return layout(visit, {
    title: foreignWords(row.name, { maxChars: 100 }),
    room: null,
    content,
    follows,
    isLive: isTail,
  });
}

/** Name and title of a run. */
export function runTitle({ row }: RunView): Markup {
  return markup`<h1>${foreignText(row.name, { maxChars: 120 })}${row.title !== null && markup` ${foreignText(row.title, { maxChars: 300 })}`}</h1>`;
}

/** Comments, plan, assumptions and cost of a run. */
export function runSide(run: RunView, visit: Visit): Markup {
  return markup`${commentList(run.comments, visit)}${planPart(run.plan, visit)}${assumptionList(run.assumptions, visit)}${costChart(run, visit)}`;
}

/** State, outcome and facts of a run. */
export function runHead(run: RunView, visit: Visit): Markup {
  const { row, startedAt, endedAt, facts, outcome, pause } = run;
  // The summary has the reason of a run that ended.
  const reason = outcome === null || outcome.reason === row.reason ? null : outcome.reason;
  const { texts } = visit;
  return markup`<section class="card" aria-label="${texts.state}"><p id="summary">${stateSign(row, visit)}${row.reason !== null && markup` – ${foreignText(row.reason, { maxChars: 500 })}`}</p>${progressLine(run, visit)}${nextStep(run, visit)}</section>
${
  outcome !== null &&
  markup`<section class="card" aria-labelledby="outcome"><h2 id="outcome">${texts.outcome}</h2>${reason !== null && markup`<p>${foreignText(reason, { maxChars: 500 })}</p>`}${outcome.text !== null && foreignBlock(outcome.text, { maxChars: 4000 })}${failedStep(run, visit)}</section>`
}
<section class="card" aria-label="${texts.facts}"><dl class="facts"><div><dt>${texts.started}</dt><dd>${moment(startedAt)}</dd></div>${endedAt !== null && markup`<div><dt>${texts.endedAt}</dt><dd>${moment(endedAt)}</dd></div>`}${pause !== null && markup`<div><dt>${pause.waitsFor === null ? texts.current.pausedAt : texts.current.waitsSince}</dt><dd>${moment(pause.at)}</dd></div>`}${facts
    .slice(0, 40)
    .map(
      ({ name, value, url }) =>
        markup`<div><dt>${texts.factNames[name] ?? foreignText(name, { maxChars: 60 })}</dt><dd>${foreignLink(url, foreignText(value, { maxChars: 200 }))}</dd></div>`,
    )}</dl></section>`;
}

/** Phase, step, tool, elapsed time and cost. */
function progressLine(run: RunView, visit: Visit): Markup {
  const { row, elapsedMs, maxSteps, currency } = run;
  const { texts, locale } = visit;
  const { step, costMicros } = row;
  const limit = step !== null && maxSteps !== null && step <= maxSteps ? maxSteps : null;
  const parts: readonly (Markup | null)[] = [
    phaseOf(run, visit),
    step === null ? null : markup`${texts.stepOf(step, limit)}`,
    activity(row, visit),
    markup`${texts.elapsed} ${formatDuration(elapsedMs)}`,
    costMicros === null ? null : markup`${texts.cost} ${formatMoney(costMicros, currency, locale)}`,
  ];
  const shown = parts.filter((part) => part !== null);
  return markup`<p class="soft small">${shown.map((part, index) => markup`${index > 0 && ' · '}${part}`)}</p>`;
}

/** Phase of the plan or of pre-planning; of a run without them, whether its first step has begun. */
function phaseOf({ row, plan, endedAt }: RunView, { texts }: Visit): Markup | null {
  const { progress, step } = row;
  const phase = progress?.phase ?? plan?.phase;
  const done = progress !== null && progress.total > 0 && markup` ${progress.done}/${progress.total}`;
  if (phase !== undefined) return markup`${texts.phase} ${foreignText(phase, { maxChars: 40 })}${done}`;
  if (endedAt !== null || row.uuid === null) return null;
  return markup`${texts.phase} ${step === null || step === 0 ? texts.current.preparing : texts.current.working}`;
}
