import type { en } from './texts.en.ts';

export const ja: typeof en = {
  heading: '### 🧰 セットアップ',
  step: ({ command, seconds }) => `- ${command}: ${seconds} 秒`,
  restored:
    '- 同じロックファイルで以前に行ったセットアップの結果を復元しました。コマンドは実行していません。',
  failedStep: ({ command, failure }) => `- ${command}: **失敗**（${failure}）`,
  problem: (problem) => `- リポジトリの設定ファイルは、誤りがあるため使用していません: ${problem}`,
  ignored: '- リポジトリが指定したコマンドは実行していません。閉じ込めるサンドボックスがないためです。',
  outputHeading: '出力の末尾:',
  failed: ({ command, failure }) =>
    `⚠️ **このリポジトリのセットアップに失敗しました**: ${command}（${failure}）。エージェントはこのまま作業を続けますが、テストを実行できない可能性があります。`,
  ended: ({ command, failure }) => `このリポジトリのセットアップに失敗しました: ${command}（${failure}）。`,
};
