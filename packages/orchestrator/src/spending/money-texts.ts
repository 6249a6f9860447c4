import type { Locale } from '@agent/text';

interface UsedUp {
  readonly amount: string;
  /** Login or repository. */
  readonly shown: string;
  /** Time of the reset; empty if there is none. */
  readonly at: string;
}

const en = {
  day: ({ amount, at }: UsedUp) =>
    `⏳ The daily budget of ${amount} for all tasks is used up, so this task is waiting. I'll continue automatically at ${at}. \`/budget\` can't change a daily limit. An operator can raise \`limits.max_cost.day\`.`,
  person: ({ amount, shown }: UsedUp) =>
    `⏳ The budget of ${amount} for tasks that ${shown} started is used up, so this task is waiting. This budget does not reset: I'll continue when an operator raises \`limits.max_cost.person\`. \`/budget\` only changes the limits of one issue and its runs.`,
  repository: ({ amount, shown }: UsedUp) =>
    `⏳ The budget of ${amount} for ${shown} is used up, so this task is waiting. This budget does not reset: I'll continue when an operator raises \`limits.max_cost.repository\`. \`/budget\` only changes the limits of one issue and its runs.`,
};

const ja: typeof en = {
  day: ({ amount, at }) =>
    `⏳ すべてのタスクの1日の予算（${amount}）を使い切ったため、このタスクは待機しています。${at} に自動的に続けます。1日の上限は \`/budget\` では変更できません。管理者が \`limits.max_cost.day\` を引き上げることができます。`,
  person: ({ amount, shown }) =>
    `⏳ ${shown} さんが開始したタスクの予算（${amount}）を使い切ったため、このタスクは待機しています。この予算は自動的にはリセットされません。管理者が \`limits.max_cost.person\` を引き上げると続けます。\`/budget\` で変更できるのは、1つの Issue とその実行の上限だけです。`,
  repository: ({ amount, shown }) =>
    `⏳ ${shown} の予算（${amount}）を使い切ったため、このタスクは待機しています。この予算は自動的にはリセットされません。管理者が \`limits.max_cost.repository\` を引き上げると続けます。\`/budget\` で変更できるのは、1つの Issue とその実行の上限だけです。`,
};

/** Comments on a thread whose run waits for a budget, by the scope of the budget. */
export const moneyTexts: Readonly<Record<Locale, typeof en>> = { en, ja };
