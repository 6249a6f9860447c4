import { formatCount, formatMoney, moment } from '../html/figures.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from '../server/visit.ts';
import type { CostPoint, RunView } from '../views.ts';

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
<details><summary>${texts.asTable}</summary><div class="scroll" tabindex="0" role="region" aria-labelledby="cost"><table><thead><tr><th scope="col">${texts.time}</th><th scope="col" class="number">${texts.cost}</th><th scope="col" class="number">${texts.tokens}</th></tr></thead><tbody>${thinOut(
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
