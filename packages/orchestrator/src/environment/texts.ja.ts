import type { en } from './texts.en.ts';

export const ja: typeof en = {
  heading: '### 🧰 セットアップ',
  step: ({ command, seconds }) => `- ${command}: ${seconds} 秒`,
  restored:
    '- 同じロックファイルで以前に行ったセットアップの結果を復元しました。コマンドは実行していません。',
  failedStep: ({ command, failure }) => `- ${command}: **失敗**（${failure}）`,
  problem: (problem) => `- リポジトリの設定ファイルは、誤りがあるため無視しました: ${problem}`,
  ignored: '- サンドボックスがないため、リポジトリが指定したコマンドは実行していません。',
  missing: ({ path, why }) => `- サブモジュール ${path} はありません: ${why}。`,
  pointers: (paths) =>
    `- 次の Git LFS ファイルは、サーバーから取得できなかったか大きすぎるため、ダウンロードしていません: ${paths}。`,
  why: {
    address: '取得できる形式のアドレスではありません',
    'not-allowed': '別のサーバーにあり、設定で許可されていません',
    unnamed: 'ベースブランチの .gitmodules に記載がありません',
    unavailable: 'サーバーから取得できなかったか、大きすぎます',
    'too-large': 'ファイルの合計が許可された大きさを超えています',
    'too-deep': '入れ子が深すぎるか、数が多すぎます',
  },
  outputHeading: '出力の末尾:',
  failed: ({ command, failure }) =>
    `⚠️ **このリポジトリのセットアップに失敗しました**: ${command}（${failure}）。このまま作業を続けますが、テストを実行できない可能性があります。`,
  ended: ({ command, failure }) => `このリポジトリのセットアップに失敗しました: ${command}（${failure}）。`,
};
