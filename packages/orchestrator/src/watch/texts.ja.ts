import type { en } from './texts.en.ts';

export const ja: typeof en = {
  waitsFor: {
    answer: '質問への回答を待っています',
    approval: '計画の承認を待っています',
    'follow-up': 'レビューとチェックを待っています',
    held: '保留中の変更の許可を待っています',
  },
  heldChanges: (count) => `保留中の変更 ${count} 件の許可を待っています`,
  until: (what, time) => `${what} (${time} まで)`,
  paused: '再開されるまで一時停止しています',
  pausedBy: (name) => `${name} が一時停止しました。再開されるまで待ちます`,
  acted: {
    resume: (name) => `▶️ ${name} がウェブ UI からこのタスクを再開しました。`,
    retry: (name) => `🔁 ${name} がウェブ UI からこのタスクの再試行を指示しました。`,
    settle: (name) => `${name} がウェブ UI から、このタスクの未反映の更新を破棄しました。`,
    budget: (name) => `💰 ${name} がウェブ UI からこのタスクの予算を設定しました。`,
  },
  refused: {
    unknown: 'この実行は存在しません。',
    ended: 'この実行はすでに終了しています。',
    running: 'この実行はまだ実行中です。',
    paused: 'この実行はすでに一時停止中です。',
    queued: 'この実行はすでにキューで待機しています。',
    notFailed: '再試行できるのは、Issue やプルリクエストの最新の実行が失敗した場合だけです。',
    settled: '未反映の更新はありません。',
    noAmount: '金額として読み取れません。',
    noMoney: 'モデルの価格が設定されていないため、費用は集計されません。',
    byThread: '計画の承認は、Issue やプルリクエストで /approve とコメントして行います。',
  },
};
