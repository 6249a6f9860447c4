import type { ObserveTexts } from './observe-texts.en.ts';

/** Texts about writes that were not made, in Japanese. */
export const ja: ObserveTexts = {
  comment: (where, topic) => `${where} にコメントする内容 (${topic}):`,
  internalNote: (where, topic) => `${where} に内部メモを書く内容 (${topic}):`,
  edit: (where, topic) => `${where} の自分のコメントを編集する内容 (${topic}):`,
  removal: (where, commentId) => `${where} の自分のコメント ${commentId} を削除するはずでした`,
  reaction: (where, { meaning, commentId }) =>
    `${where} のコメント ${commentId} にリアクションするはずでした: ${meaning}`,
  label: {
    add: (where, label) => `${where} にラベル「${label}」を付けるはずでした`,
    remove: (where, label) => `${where} からラベル「${label}」を外すはずでした`,
  },
  assignment: {
    add: (where, login) => `${where} に ${login} をアサインするはずでした`,
    remove: (where, login) => `${where} から ${login} のアサインを外すはずでした`,
  },
  draft: (where, branches) => `${where} のドラフトを作る内容、${branches}:`,
  draftBody: (where, url, branches) => `${where} のための ${url} の本文を変更する内容、${branches}:`,
  title: (title) => `タイトル: ${title}`,
  reviewRequest: (where, login) => `${where} のレビューを ${login} に依頼するはずでした`,
  reviewAnswer: (where, reviewThread) => `${where} のレビュースレッド ${reviewThread} に返信する内容:`,
  reviewResolution: (where, reviewThread) =>
    `${where} のレビュースレッド ${reviewThread} を解決済みにするはずでした`,
  checkRerun: (where, check) => `${where} のチェック ${check} を再実行するはずでした`,
  repositoryLabel: (where, label) => `${where} にラベル「${label}」を作るはずでした`,
  push: (where, branch) => `${where} のブランチ ${branch} にプッシュする内容:`,
  changes: { added: '追加', modified: '変更', deleted: '削除' },
};
