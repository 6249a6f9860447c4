import { formatCommand } from '../command-name.ts';
import type { ShowTexts } from './show-texts.en.ts';

/** Japanese texts. */
export const show: ShowTexts = {
  since: (time) => `(${time} から)`,
  failedStep: '失敗したステップ',
  answer: '回答:',
  held: '保留中の変更:',
  patches: 'パッチを表示するには --full を付けてください。',
  allow:
    '保留中の変更を反映するには、書き込み権限のあるユーザーが Issue やプルリクエストにコメントします。例: /allow H1',
  resume: (task) => `再開するには: ${formatCommand(`resume ${task}`)}、またはコメント /resume`,
  retry: (task) => `やり直すには: ${formatCommand(`retry ${task}`)}、またはコメント /retry`,
  times: (started, ended) => `開始 ${started}${ended === null ? '' : `、終了 ${ended}`}`,
  soFar: (tokens, cost, duration) =>
    `これまでに ${tokens} トークン、${duration}${cost === null ? '' : `、費用 ${cost}`}`,
  facts: {
    thread: 'スレッド',
    changeRequest: 'ドラフト',
    files: '変更したファイル',
    branch: 'ブランチ',
    commit: 'コミット',
    model: 'モデル',
    run: '実行',
    record: '記録',
  },
  folded: (chars) => `(ほか ${chars} 文字。--full で表示します)`,
  noErrors: '失敗したツール呼び出しはありません。',
  comments: '受け取ったコメント',
  plan: '計画',
};
