import type { en } from './texts.en.ts';

export const ja: typeof en = {
  waitsFor: {
    answer: 'Issue またはプルリクエストでの回答を待っています',
    approval: '計画の承認を待っています',
    'follow-up': 'プルリクエストを見守っています',
  },
  until: (time) => `${time} まで`,
  paused: '一時停止中（再開されると続けます）',
  queued: '順番待ち',
  held: (reason) => `待機中: ${reason}`,
  acted: {
    resume: (name) => `▶️ ${name} がエージェントの Web UI でこのタスクを再開しました。`,
    retry: (name) => `🔁 ${name} がエージェントの Web UI でこのタスクの再試行を指示しました。`,
    settle: (name) => `🗑️ ${name} がエージェントの Web UI でこのタスクの未反映の更新を破棄しました。`,
    budget: (name) => `💰 ${name} がエージェントの Web UI でこのタスクの予算を設定しました。`,
  },
  refused: {
    unknown: 'そのような実行はありません。',
    ended: 'すでに終了しています。',
    running: 'すでに実行中です。',
    paused: 'すでに一時停止中です。',
    notFailed: '再試行できるのは、Issue やプルリクエストの最後の実行が失敗した場合だけです。',
    settled: '未反映の更新はありません。',
    noAmount: '金額が正しくありません。',
    noMoney: '価格が設定されていないため、費用は数えられていません。',
    byThread: '計画を承認するには、Issue またはプルリクエストで /approve とコメントしてください。',
  },
};
