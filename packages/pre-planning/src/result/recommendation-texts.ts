import type { Locale } from '@agent/text';

/** What planning is advised, by rule. @see decision E20 */
export interface RecommendationTexts {
  readonly lowConfidence: (percent: number) => string;
  readonly planFailed: string;
  readonly omitted: (count: number) => string;
  readonly gap: (description: string, impact: string) => string;
  readonly assumption: (label: string, wanted: string, value: string) => string;
}

export const recommendationTexts: Readonly<Record<Locale, RecommendationTexts>> = {
  ja: {
    lowConfidence: (percent) =>
      `理解の確信度が低いため (${percent}%)、最初に依頼内容を確認する手順を計画に含めてください`,
    planFailed:
      '情報収集の計画を生成できなかったため、何も収集していません。最初に関連するコードと設定を調べる手順を計画に含めてください',
    omitted: (count) =>
      `計画に入らなかった${count}件の情報 (件数の上限超過、または読み取り不可) は収集していません。必要になったときに調べてください`,
    gap: (description, impact) =>
      `「${description}」は不明です${impact === '' ? '' : ` (影響: ${impact})`}。これに依存しない方法を検討してください`,
    assumption: (label, wanted, value) =>
      `${label}「${wanted}」の推測「${value}」を早い段階で確認してください`,
  },
  en: {
    lowConfidence: (percent) =>
      `The understanding is not sure (${percent}%): let the plan begin by checking what was asked`,
    planFailed:
      'Nothing was collected, because collecting could not be planned: let the plan begin by looking at the code and the configuration concerned',
    omitted: (count) =>
      `${count} more item(s) were over the limit or could not be read, and were not collected: look them up when needed`,
    gap: (description, impact) =>
      `"${description}" is unknown${impact === '' ? '' : ` (impact: ${impact})`}: consider an approach that does not rest on it`,
    assumption: (label, wanted, value) => `Check assumption ${label} ("${wanted}": "${value}") early`,
  },
};
