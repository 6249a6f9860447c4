import type { BudgetView } from '@agent/orchestrator/watch';
import { formatCount, formatMoney, moment } from '../html/figures.ts';
import { foreignText, foreignWords } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from './visit.ts';

/** Lists the budgets (API requests, money of the day): what is spent, reserved and left, and when each is reset. At most 40. */
export function budgetList(budgets: readonly BudgetView[], visit: Visit): Markup {
  return markup`<ul class="budgets">${budgets.slice(0, 40).map((budget) => budgetItem(budget, visit))}</ul>`;
}

function budgetItem(budget: BudgetView, visit: Visit): Markup {
  const { kind, name, left, limit, resetsAt } = budget;
  const { texts } = visit;
  const words = describe(budget, visit);
  const title = kind === 'money' ? `${texts.today} (${name})` : name;
  return markup`<li><strong>${foreignText(title, { maxChars: 80 })}</strong> <span class="soft small">${texts.budgetKinds[kind]}</span>
${
  left !== null &&
  limit !== null &&
  limit > 0 &&
  markup`<meter min="0" max="${limit}" low="${limit * 0.15}" optimum="${limit}" value="${Math.max(0, left)}" aria-label="${foreignWords(title, { maxChars: 80 })}: ${words}"></meter>`
}
<div class="small">${words}${resetsAt !== null && markup` · ${texts.resets} ${moment(resetsAt, { isWhole: true })}`}</div></li>`;
}

function describe(
  { kind, spent, reserved, left, limit, currency }: BudgetView,
  { texts, locale }: Visit,
): string {
  const format = (value: number): string =>
    kind === 'money' ? formatMoney(value, null, locale) : formatCount(value, locale);
  const rest =
    left === null
      ? kind === 'money'
        ? texts.noLimit
        : texts.unknown
      : limit === null
        ? texts.leftOnly(format(left))
        : texts.left(format(left), format(limit));
  if (spent === null) return rest;
  const used = texts.spent(formatMoney(spent, currency, locale));
  return [used, ...(reserved ? [texts.reserved(format(reserved))] : []), rest].join(texts.comma);
}
