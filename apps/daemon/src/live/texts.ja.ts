import type { LiveTexts } from './texts.en.ts';

/** Words of the live view, in Japanese. */
export const ja: LiveTexts = {
  step: (step: number) => `ステップ ${step}`,
  preparing: '準備中',
  model: 'モデルに質問中',
  working: '処理中',
  tokens: 'トークン',
  understanding: 'タスク内容を分析中...',
  collection_planning: '情報収集を計画中...',
  collection: '情報を収集中...',
  assumption: '不足している情報を推測中...',
  more: (count: number) => `… ほか ${count} 件`,
};
