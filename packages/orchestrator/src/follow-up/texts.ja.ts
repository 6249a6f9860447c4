import type { en } from './texts.en.ts';

/** Texts of runs that stay with their change request, in Japanese. */
export const ja: typeof en = {
  watching: (until) =>
    `👀 ${until} までこの変更を見守り、レビューに回答し、失敗したチェックを修正します。\`/unwatch\` で終了します。`,
  ends: {
    green: 'すべてのチェックに合格し、未回答の指摘もありません。',
    merged: '変更がマージされました。',
    closed: '変更はマージされずにクローズされました。',
    deadline: 'この変更を見守る期間が終了しました。',
    rounds: '修正の回数が上限に達しましたが、まだ対応が必要です。どなたかご確認ください。',
    conflict:
      'この変更はベースブランチと競合しており、マージできませんでした。どなたか競合を解決してください。',
    asked: 'この変更の見守りを終えるよう指示されました。',
  },
  answer: (commit) => (commit === null ? '変更はしていません。' : `${commit} で対応しました。`),
  pushed: (commit) => `（${commit} でプッシュしました）`,
};
