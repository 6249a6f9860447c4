import type { ChangeRequestKind } from '../run/run-facts.ts';
import type { en } from './texts.en.ts';

const nameKind = (kind: ChangeRequestKind) =>
  kind === 'merge request' ? 'マージリクエスト' : 'プルリクエスト';

/** Texts of runs that watch their pull or merge request, in Japanese. */
export const ja: typeof en = {
  watching: (kind, until) =>
    `👀 ${until} までこの${nameKind(kind)}を見守り、レビューに回答し、失敗したチェックを修正します。終了するには \`/unwatch\` とコメントしてください。`,
  ends: {
    green: () => 'すべてのチェックに合格し、未対応のレビューコメントはありません。',
    merged: (kind) => `${nameKind(kind)}がマージされました。`,
    closed: (kind) => `${nameKind(kind)}はマージされずにクローズされました。`,
    deadline: (kind) => `${nameKind(kind)}を見守る期間が終了しました。`,
    rounds: (kind) =>
      `この${nameKind(kind)}での修正回数が上限に達しましたが、まだ対応が必要です。ご確認をお願いします。`,
    conflict: (kind) =>
      `この${nameKind(kind)}はベースブランチと競合しており、マージできませんでした。競合の解決をお願いします。`,
    queued: (kind) => `${nameKind(kind)}がマージ待ちになったため、見守りを終了しました。`,
    asked: (kind) => `指示により、${nameKind(kind)}の見守りを終了しました。`,
  },
  commentRoundsUsed: (rounds, again) =>
    `コメントから開始できる作業の回数の上限（${rounds}回）に達したため、作業を続けません。${again}上限は設定 \`follow_up.comment_rounds\` で変更できます。`,
  answer: (commit) => (commit === null ? '変更はしていません。' : `${commit} で対応しました。`),
  pushed: (commit) => `（${commit} でプッシュしました）`,
};
