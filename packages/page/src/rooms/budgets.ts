import type { BudgetView } from '@agent/orchestrator/watch';
import { formatCount, formatMoney, moment } from '../html/figures.ts';
import { foreignText, foreignWords } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from './visit.ts';

/** Lists the budgets (API requests, money) with the rest of each. At most 40. */
export function budgetList(budgets: readonly BudgetView[], visit: Visit): Markup {
  return markup`<ul class="budgets">${budgets.slice(0, 40).map((budget) => budgetItem(budget, visit))}</ul>`;
}

function budgetItem({ kind, name, left, limit, resetsAt, currency }: BudgetView, visit: Visit): Markup {
  const { texts, locale } = visit;
  const format = (value: number): string =>
    kind === 'money' ? formatMoney(value, currency, locale) : formatCount(value, locale);
  const words =
    left === null
      ? texts.unknown
      : limit === null
        ? texts.leftOnly(format(left))
        : texts.left(format(left), format(limit));
  return markup`<li><strong>${foreignText(name, { maxChars: 80 })}</strong> <span class="soft small">${texts.budgetKinds[kind]}</span>
${
  left !== null &&
  limit !== null &&
  limit > 0 &&
  markup`<meter min="0" max="${limit}" low="${limit * 0.15}" optimum="${limit}" value="${Math.max(0, left)}" aria-label="${foreignWords(name, { maxChars: 80 })}: ${words}"></meter>`
}
<div class="small">${words}${resetsAt !== null && markup` · ${texts.resets} ${moment(resetsAt)}`}</div></li>`;
}
