import type { AssumptionView, CommentPassage, CostPoint, PlanView, RunView } from '@agent/orchestrator/watch';
import { formatCount, formatMoney, formatPercent, moment } from '../html/figures.ts';
import { foreignBlock, foreignLink, foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from './visit.ts';

const MOST_COMMENTS = 20;

/** Lists the last 20 comments, each with its progress: posted, detected, delivered in a request, answered. */
export function commentList(comments: readonly CommentPassage[], visit: Visit): Markup | null {
  if (comments.length === 0) return null;
  const { texts } = visit;
  const hidden = Math.max(0, comments.length - MOST_COMMENTS);
  return markup`<section class="card" aria-labelledby="comments"><h2 id="comments">${texts.comments}</h2>
${hidden > 0 && markup`<p class="soft small">${texts.olderComments(hidden)}</p>`}
<ol class="list">${comments.slice(hidden).map((comment) => commentItem(comment, visit))}</ol></section>`;
}

function commentItem(comment: CommentPassage, { texts }: Visit): Markup {
  const { id, kind, author, url, body, request, command } = comment;
  const stations: readonly (readonly [string, number | null])[] = [
    [texts.passage.posted, comment.postedAt],
    [texts.passage.seen, comment.seenAt],
    ...(command === null
      ? ([
          [
            request === null ? texts.passage.notDelivered : texts.passage.delivered(String(request)),
            comment.deliveredAt,
          ],
          [texts.passage.answered, comment.answeredAt],
        ] as const)
      : ([[texts.current.commands[command.outcome](command.name), command.at]] as const)),
  ];
  return markup`<li id="comment-${id}"><div><strong>${foreignText(author ?? '?', { maxChars: 60 })}</strong> <span class="soft small">${texts.commentKinds[kind]} · ${foreignLink(url, foreignText(id, { maxChars: 40 }))}</span></div>
<ol class="track">${stations.map(([name, at]) =>
    at === null
      ? markup`<li>${name}<span class="none">${texts.notYet}</span></li>`
      : markup`<li class="done">${name}${moment(at)}</li>`,
  )}</ol>
${body !== null && body !== '' && foreignBlock(body, { maxChars: 400 })}</li>`;
}

const assumptionSigns = { open: 'open', confirmed: 'good', rejected: 'bad' } as const;

/** Lists the first 40 assumptions with their confidence and outcome. */
export function assumptionList(assumptions: readonly AssumptionView[], visit: Visit): Markup | null {
  if (assumptions.length === 0) return null;
  const { texts, locale } = visit;
  return markup`<section class="card" aria-labelledby="assumptions"><h2 id="assumptions">${texts.assumptions}</h2><ul class="list">${assumptions
    .slice(0, 40)
    .map(
      ({ id, text, confidence, outcome, reason }) =>
        markup`<li><strong>${foreignText(id, { maxChars: 20 })}</strong> ${foreignText(text, { maxChars: 400 })}<br><span class="state ${assumptionSigns[outcome]}"><span>${texts.outcomes[outcome]}</span></span> <span class="soft small">${
          confidence !== null && markup`${texts.confidence} ${formatPercent(confidence, locale)}`
        }${reason !== null && markup` · ${foreignText(reason)}`}</span></li>`,
    )}</ul></section>`;
}

const planSigns = {
  open: 'open',
  started: 'running',
  succeeded: 'good',
  failed: 'bad',
  dropped: 'off',
} as const;

/** Plan as it is now, with its revisions and verifications. */
export function planPart(plan: PlanView | null, visit: Visit): Markup | null {
  if (plan === null) return null;
  const { texts } = visit;
  return markup`<section class="card" aria-labelledby="plan"><h2 id="plan">${texts.plan}</h2>
<p>${foreignText(plan.goal, { maxChars: 500 })} <span class="soft small">${texts.phase} ${foreignText(plan.phase, { maxChars: 40 })}</span></p>
<ol class="list">${plan.actions
    .slice(0, 60)
    .map(
      ({ id, text, tool, state, detail }) =>
        markup`<li><span class="state ${planSigns[state]}"><span>${texts.planStates[state]}</span></span> <span class="soft small">${foreignText(id, { maxChars: 40 })}</span> ${foreignText(text, { maxChars: 300 })}${tool !== null && markup` <code>${foreignText(tool, { maxChars: 60 })}</code>`}${detail !== null && markup`<br><span class="soft small">${foreignText(detail)}</span>`}</li>`,
    )}</ol>
${plan.revisions.length > 0 && markup`<details><summary>${texts.revisions} (${plan.revisions.length})</summary><ol class="list">${plan.revisions.slice(-20).map(({ at, reason, changes }) => changeItem(at, foreignText(reason, { maxChars: 400 }), changes))}</ol></details>`}
${plan.verifications.length > 0 && markup`<details><summary>${texts.verifications} (${plan.verifications.length})</summary><ol class="list">${plan.verifications.slice(-20).map(({ at, passed, issues }) => changeItem(at, markup`${passed ? texts.passed : texts.notPassed}`, issues))}</ol></details>`}
</section>`;
}

function changeItem(at: number, words: Markup, changes: readonly string[]): Markup {
  return markup`<li>${moment(at)} ${words}${changes.length > 0 && markup`<ul>${changes.slice(0, 20).map((change) => markup`<li class="small">${foreignText(change, { maxChars: 300 })}</li>`)}</ul>`}</li>`;
}

const WIDTH = 640;
const HEIGHT = 160;
const MOST_POINTS = 120;

/** Chart of what a run has cost over time, with a table for whoever sees none; nothing before the second point. */
export function costChart({ costs, currency }: RunView, visit: Visit): Markup | null {
  const last = costs.at(-1);
  if (last === undefined) return null;
  const { texts, locale } = visit;
  const points = thinOut(costs, MOST_POINTS);
  const cost = formatMoney(last.costMicros, currency, locale);
  const summary = texts.costSummary(cost, formatCount(last.tokens, locale));
  return markup`<section class="card" aria-labelledby="cost"><h2 id="cost">${texts.costOverTime}</h2><p>${summary}</p>
${points.length > 1 && curve(points, { title: `${texts.costOverTime}: ${summary}`, highest: cost })}
<details><summary>${texts.asTable}</summary><div class="scroll" tabindex="0" role="group" aria-labelledby="cost"><table><thead><tr><th scope="col">${texts.time}</th><th scope="col" class="number">${texts.cost}</th><th scope="col" class="number">${texts.tokensHeading}</th></tr></thead><tbody>${thinOut(
    costs,
    20,
  ).map(
    ({ at, costMicros, tokens }) =>
      markup`<tr><td>${moment(at)}</td><td class="number">${formatMoney(costMicros, currency, locale)}</td><td class="number">${formatCount(tokens, locale)}</td></tr>`,
  )}</tbody></table></div></details></section>`;
}

function curve(
  points: readonly CostPoint[],
  { title, highest }: { readonly title: string; readonly highest: string },
): Markup {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const most = Math.max(1, ...points.map(({ costMicros }) => costMicros));
  const x = (at: number): number => Math.round(((at - first) / Math.max(1, last - first)) * WIDTH * 10) / 10;
  const y = (micros: number): number => Math.round((HEIGHT - 8 - (micros / most) * (HEIGHT - 40)) * 10) / 10;
  const steps = points.map(
    ({ at, costMicros }, index) => `${index === 0 ? `M${x(at)} ` : `H${x(at)}V`}${y(costMicros)}`,
  );
  const line = steps.join('');
  return markup`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}"><path class="area" d="${line}V${HEIGHT - 8}H0Z"/><path class="axis" d="M0 ${HEIGHT - 8}H${WIDTH}M0 ${y(most)}H${WIDTH}"/><path class="curve" d="${line}"/><text x="4" y="${y(most) - 8}">${highest}</text></svg>`;
}

/** At most so many points, always with the first and the last. */
function thinOut(points: readonly CostPoint[], most: number): readonly CostPoint[] {
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
}
