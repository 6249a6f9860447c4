import type { en } from './texts.en.ts';

/** The same in Japanese. */
export const ja: typeof en = {
  checklist: '## 📋 実行計画',
  revisedChecklist: (number) => `## 📋 実行計画（改訂 #${number}）`,
  revisionReason: (reason) => `**改訂の理由**: ${reason}`,
  previousProgress: ({ done, total }) => `**これまでの進捗**: ${done}/${total}`,
  newPlan: '### 新しい計画:',
  planHistory: '📜 以前の計画',
  originalChecklist: '### 元の計画',
  originalPlan: '最初の計画',
  revisedPlan: (number) => `改訂 #${number}`,
  verificationChecklist: '## 📋 実行計画（検証ラウンド）',
  completedPlan: '### 元の計画（完了）',
  additionalWork: '### 追加作業（検証による）',
  progress: ({ done, total, percent }) => `*進捗: ${done}/${total} (${percent}%) 完了*`,
  revisedProgress: ({ done, total, percent }, { number, at }) =>
    `*進捗: ${done}/${total} (${percent}%) 完了 | 改訂: #${number}${at === null ? '' : `（${at}）`}*`,
  verificationProgress: ({ done, total, percent }, items) =>
    `*進捗: ${done}/${total} (${percent}%) - 検証で ${items} 件の追加作業が見つかりました*`,
  failed: '❌ 失敗',
  invalidated: '🚫 無効',
  more: (count) => `- ほか ${count} 件`,
  others: (count) => `ほか${count}件のアクション（要約）`,
  none: 'なし',

  replan: '## 🔄 AIによる計画の見直し',
  phase: (phase) => `**フェーズ**: ${phase}`,
  confidence: (percent) => `**確信度**: ${percent}%`,
  reasoning: (text) => `**理由**: ${text}`,
  issuesFound: '**見つかった問題**:',
  recommendedActions: '**推奨アクション**:',
  unsure: '⚠️ この判断の確信度は高くありません。別の進め方がよい場合は、ここにコメントしてください。',

  question: '## ❓ 確認が必要です（AIによる判断）',
  questionIntroduction: '作業を進める前に、次の点を確認させてください。',
  questions: '**質問**:',
  context: (text) => `**背景**: ${text}`,
  ifNoResponse: (until) => `**${until === null ? '' : `${until} までに`}回答がない場合**:`,
  assumptions: '次の前提で作業を進めます:',
  ownAssumptions: '最も可能性の高い前提で作業を進め、その前提を明記します。',
  waits: '回答があるまで作業は待機します。',
  reply: 'このページにコメントして回答してください。',

  approval: '## 🔐 承認が必要です',
  goal: (objective) => `**目標**: ${objective}`,
  approvalIntroduction: 'この計画が承認されるまで、読み取り以外の作業は行いません。',
  approve: (hash, version) =>
    `この計画を承認するには \`/approve\` とコメントするか、このコメントに 👍 を付けてください。変更してほしい場合は、その内容をコメントしてください。計画または依頼が変わった場合は、あらためて確認します。（計画 \`${hash}\`、第${version}版）`,

  loopMode: '⚠️ 実行できる計画を作成できなかったため、計画なしで一歩ずつ作業を進めます。問題点:',

  verificationPassed: '## ✅ 検証合格',
  verificationFailed: '## ⚠️ 検証不合格',
  round: (round, last) => `**ラウンド**: ${round}${last === undefined ? '' : `/${last}`}`,
  placeholders: '**検出されたプレースホルダ**:',
  explained: (location, reason) => `- ${location}: 意図的に残しています（${reason}）`,
  partial: '部分的な完了です。上記の点が残っています。',

  actionsDone: ({ done, total }) => `完了アクション数: ${done}/${total}`,
  stopped: ({ done, total }, phase) => `**処理状況:** ${done}/${total} 完了\n**フェーズ:** ${phase}`,
};
