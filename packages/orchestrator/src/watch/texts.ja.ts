import type { en } from './texts.en.ts';

export const ja: typeof en = {
  waitsFor: {
    answer: 'スレッドでの回答を待っています。',
    approval: '計画の承認を待っています。',
    'follow-up': '変更リクエストを見守っています。',
  },
  until: (time) => `${time} まで`,
  paused: '一時停止中です。再開されると続行します。',
  queued: '順番を待っています。',
  held: (reason) => `待機中: ${reason}`,
  acted: {
    resume: (name) => `▶️ ${name} がエージェントのページからこのタスクを再開しました。`,
    retry: (name) => `🔁 ${name} がエージェントのページからこのタスクの再試行を指示しました。`,
    settle: (name) => `${name} がエージェントのページから、このタスクの未完了の後処理を打ち切りました。`,
    budget: (name) => `💰 ${name} がエージェントのページからこのタスクの予算を設定しました。`,
  },
  refused: {
    unknown: 'そのような実行はありません。',
    ended: 'すでに終了しています。',
    running: 'すでに実行中です。',
    paused: 'すでに一時停止中です。',
    notFailed: '再試行できるのは、スレッドの最後の実行が失敗した場合だけです。',
    settled: '未完了の後処理はありません。',
    noAmount: '金額として読み取れません。',
    noMoney: '価格が設定されていないため、費用は数えられていません。',
    byThread: '計画の承認は、スレッドで /approve とコメントして行います。',
  },
};
