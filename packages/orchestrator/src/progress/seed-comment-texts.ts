import type { Locale } from '@agent/text';

interface Progress {
  readonly done: number;
  readonly total: number;
}

const ja = {
  title: '# 🤖 タスク実行進捗',
  state: '## 📊 実行状態',
  phase: (name: string) => `**現在フェーズ:** ${name}`,
  way: (way: string) => `**フェーズ進捗:** ${way}`,
  status: (status: string) => `**ステータス:** ${status}`,
  running: '実行中',
  ended: '終了',
  comment: (comment: string) => `**最新コメント:** ${comment}`,
  progress: ({ done, total }: Progress) => `**進捗:** ${done}/${total} アクション完了`,
  modelCalls: (count: number) => `**LLM呼び出し回数:** ${count}`,
  startedAt: (time: string) => `**開始時刻:** ${time}`,
  updatedAt: (time: string) => `**最終更新:** ${time}`,
  goal: (goal: string) => `**依頼内容理解:** ${goal}`,
  verified: (isPassed: boolean) => `**最新検証結果:** ${isPassed ? '✅ 合格' : '❌ 不合格'}`,
  phases: {
    pre_planning: '計画前情報収集',
    planning: '計画',
    execution: '実行',
    reflection: 'リフレクション',
    verification: '検証',
    complete: '完了',
  },
  checklist: '## 🎯 チェックリスト',
  history: '## 📝 実行履歴',
  open: 'ここをクリックして詳細を表示',
  begun: (phase: string) => `▶️ フェーズ開始: ${phase}`,
  planned: (actions: number) => `📋 計画作成 (${actions} アクション)`,
  revised: (number: number, reason: string) => `🔄 計画修正 #${number}: ${reason}`,
  actions: {
    succeeded: (task: string) => `✅ アクション完了 - ${task}`,
    failed: (task: string) => `❌ アクション失敗 - ${task}`,
    invalidated: (task: string) => `🚫 アクション無効 - ${task}`,
  },
  round: (round: number, isPassed: boolean) => `🔍 検証 #${round} (${isPassed ? '合格' : '不合格'})`,
  footer: (begun: string, updated: string) => `*タスク開始: ${begun} | 最終更新: ${updated}*`,
};

const en: typeof ja = {
  title: '# 🤖 Task progress',
  state: '## 📊 State',
  phase: (name) => `**Phase:** ${name}`,
  way: (way) => `**Phases:** ${way}`,
  status: (status) => `**Status:** ${status}`,
  running: 'running',
  ended: 'finished',
  comment: (comment) => `**Latest comment:** ${comment}`,
  progress: ({ done, total }) => `**Progress:** ${done}/${total} actions completed`,
  modelCalls: (count) => `**Model calls:** ${count}`,
  startedAt: (time) => `**Started:** ${time}`,
  updatedAt: (time) => `**Updated:** ${time}`,
  goal: (goal) => `**Request as understood:** ${goal}`,
  verified: (isPassed) => `**Latest verification:** ${isPassed ? '✅ passed' : '❌ failed'}`,
  phases: {
    pre_planning: 'pre-planning',
    planning: 'planning',
    execution: 'execution',
    reflection: 'reflection',
    verification: 'verification',
    complete: 'complete',
  },
  checklist: '## 🎯 Checklist',
  history: '## 📝 History',
  open: 'Click here for details',
  begun: (phase) => `▶️ Phase started: ${phase}`,
  planned: (actions) => `📋 Plan created (${actions} ${actions === 1 ? 'action' : 'actions'})`,
  revised: (number, reason) => `🔄 Plan revision #${number}: ${reason}`,
  actions: {
    succeeded: (task) => `✅ Action completed - ${task}`,
    failed: (task) => `❌ Action failed - ${task}`,
    invalidated: (task) => `🚫 Action no longer valid - ${task}`,
  },
  round: (round, isPassed) => `🔍 Verification #${round} (${isPassed ? 'passed' : 'failed'})`,
  footer: (begun, updated) => `*Task started: ${begun} | Updated: ${updated}*`,
};

/** Texts of the single progress comment. The Japanese is fixed by its specification; the English says the same. */
export const progressCommentTexts: Readonly<Record<Locale, typeof ja>> = { ja, en };
