import type { en } from './texts.en.ts';

const subphases: Readonly<Record<Parameters<typeof en.subphase>[0], string>> = {
  understanding: '依頼内容を理解しています',
  collection_planning: '必要な情報を整理しています',
  collection: '情報を収集しています',
  assumption: '見つからなかった情報を推測しています',
  complete: '作業の準備ができました',
};

/** The same in Japanese. */
export const ja: typeof en = {
  title: '🤖 **コーディングエージェントの進捗**',
  now: (what) => `**現在:** ${what}`,
  subphase: (name) => subphases[name],
  of: (done, total) => ` (${done}/${total})`,
  working: '作業中です',
  understanding: '### 📋 依頼内容の理解',
  goal: (goal) => `- **主な目標:** ${goal}`,
  kind: (kind, percent) => `- **タスク種別:** ${kind} · **理解の確信度:** ${percent}%`,
  deliverables: '- **期待される成果物:**',
  inScope: (items) => `- **対象:** ${items}`,
  outOfScope: (items) => `- **対象外:** ${items}`,
  separator: '、',
  information: '### 📚 収集した情報',
  collected: (item) => `- ✅ ${item}`,
  assumed: (item, label) => `- ⚠️ ${item} (推測${label === '' ? '' : `、${label}`})`,
  missing: (item, reason) => `- ❌ ${item} (未取得${reason === '' ? '' : `、${reason}`})`,
  open: (item) => `- ⏳ ${item}`,
  skipped: (reason) => `収集は不要と判断しました（${reason}）`,
  cutShort: '*情報収集を途中で終え、ここまでに分かったことだけで作業を始めました。*',
  assumptions: '### ⚠️ 推測事項',
  assumption: (label, wanted, value) => `- **${label}** ${wanted}: ${value}`,
  because: (percent, reasoning) => ` (${reasoning === '' ? '' : `理由: ${reasoning}、`}確信度: ${percent}%)`,
  refutedBy: (text) => `  - 反証: ${text}`,
  rejected: (text) => `- 🚫 ${text}`,
  howToReject: (label) => `誤っている場合は \`/reject ${label} 理由\` のようにコメントしてください。`,
  cut: (count) => `*古い ${count} 項目を省略しました。*`,
};
