import type { ComparisonTexts } from './texts.en.ts';

/** Texts of `rehearse --compare` in Japanese. */
export const ja: ComparisonTexts = {
  unreadable: (file, reason) =>
    `${file} を読めません（${reason}）。rehearse が書き出した rehearsal.json を指定してください。`,
  invalid: (file, place) =>
    `${file} は、このプログラムが読める版の rehearse の記録ではありません（${place}）。`,
  compared: ({ compared }) =>
    `${compared} 種類のリクエストを、シミュレーターおよびモデルの適合表と比較しました。`,
  failedChecks: (names) => `✗ このリハーサルで失敗した確認: ${names}`,
  none: '違いはありません。',
  summary: (count) =>
    `違い: ${count} 件。リポジトリでエージェントがうまく動かないときは、このファイルをイシューに添付してください。本文、名前、アドレス、ID、トークンは含まれていません。`,
  noStatus: '応答なし',
  findings: {
    'unknown-route': 'シミュレーターにないアドレスです。',
    'no-answer': (failure) => `応答がありませんでした（${failure}）。`,
    status: (expected) => `基準の応答は ${expected} です。`,
    'missing-field': (path) => `${path} がありません。`,
    'sometimes-missing-field': (path) => `${path} のない応答があります。`,
    'other-type': (path, { found, expected }) => `${path} は ${found} です（期待: ${expected}）。`,
    'added-fields': (count, paths) => `基準にない項目が ${count} 件あります（影響はありません）: ${paths}`,
    'missing-header': (header, count) => `ヘッダー ${header} がない応答があります（${count}）。`,
    'other-header': (header, { found, expected }) =>
      `ヘッダー ${header} は ${found} です（期待: ${expected}）。`,
    'no-link': (count) =>
      `満杯のページ ${count} 件に Link ヘッダーがありません。続きの項目があっても取得できません。`,
    'no-tool-calls':
      'モデルはツールを受け取りましたが、一度も呼び出しませんでした。ツール呼び出しに対応したモデルを選んでください。',
  },
};
