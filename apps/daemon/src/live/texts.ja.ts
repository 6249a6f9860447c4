import type { LiveTexts } from './texts.en.ts';

const phases = {
  planning: '計画',
  execution: '実行',
  reflection: '振り返り',
  revision: '計画の見直し',
  verification: '検証',
  report: '報告',
} as const;

/** Texts of the live view in Japanese. */
export const ja: LiveTexts = {
  step: (step: number) => `ステップ ${step}`,
  preparing: '準備中',
  model: 'モデル呼び出し',
  agent: 'エージェントのターン',
  working: '処理中',
  tokens: 'トークン',
  understanding: 'タスク内容を分析中...',
  collection_planning: '情報収集を計画中...',
  collection: '情報を収集中...',
  assumption: '不足している情報を推測中...',
  plan: ({ phase, done, total }) => `${phases[phase]} ${done}/${total}`,
  more: (count: number) => `… ほか ${count} 件`,
};
