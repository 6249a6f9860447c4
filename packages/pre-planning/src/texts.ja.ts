import type { ForbiddenCategory } from './assumption/forbidden/forbidden-words.ts';
import type { en } from './texts.en.ts';

const categories: Readonly<Record<ForbiddenCategory, string>> = {
  security: 'セキュリティに関わる設定',
  credentials: '認証情報',
  database: 'データベース接続',
  environment: '環境固有の設定',
  'personal-data': '個人を特定できる情報',
};

/** The same in Japanese: those of seed 004 §8.2 to the letter. */
export const ja: typeof en = {
  assumption: {
    forbidden: (category) => `推測不可: ${categories[category]}`,
    notAssumable: '推測不可',
    lowConfidence: (percent) => `推測の確信度が不足しています (${percent}%)`,
    noAnswer: '推測できませんでした',
    withheld: '推測不可の項目に触れているため省略',
    disabled: '推測は無効です',
    notCollected: '情報収集は無効です',
    withheldTool: '準備中は読み取り専用のツールだけを実行します',
    separator: '。',
    rejected: (reason) => `推測は却下されました${reason === '' ? '' : `: ${reason}`}`,
    rejectedConstraint: ({ label, value, wanted, reason }) =>
      `推測 ${label} は却下されました（${wanted}: ${value}）。${reason === '' ? '' : `理由: ${reason}`}`,
  },
  notice: {
    analyzing: 'タスク内容を分析中...',
    start: (time) => `## 🔍 タスク分析を開始します

タスク内容を理解し、計画に必要な情報を収集しています...

*開始時刻: ${time}*`,
    understanding: ({ kind, goal, deliverables, inScope, outOfScope, percent }) =>
      `## 📋 タスク内容の理解が完了しました

**タスク種別**: ${kind}

**主な目標**:
${goal}

**期待される成果物**:
${deliverables}

**スコープ**:
- 対象: ${inScope}
- 対象外: ${outOfScope}

*理解の確信度: ${percent}%*`,
    collectionStart: (items) => `## 🗂️ 情報収集を開始します

**収集予定の情報**:
${items}`,
    assumption: ({ label, wanted, value, reasoning, percent, refutedBy }) => `## ⚠️ 情報を推測しました

- **${label}** ${wanted}: ${value} (理由: ${reasoning})${refutedBy === '' ? '' : `\n  - 反証: ${refutedBy}`}

*推測の確信度: ${percent}%*

誤っている場合は \`/reject ${label} 理由\` とコメントしてください。`,
    collectionEnd: ({ collected, assumed, next, time }) =>
      `## 📚 情報収集が完了しました

**収集した情報**:
${collected}
${
  assumed === null
    ? ''
    : `
**推測事項**:
以下の情報は収集できなかったため、推測で補完しました：
${assumed.lines}

誤っている場合は \`/reject ${assumed.example} 理由\` のようにコメントしてください。
`
}
${next === 'planning' ? '計画フェーズに移行します...' : '作業を開始します...'}

*完了時刻: ${time}*`,
    collectedItem: (item) => `- ✅ ${item}`,
    assumedItem: (item) => `- ⚠️ ${item} (推測)`,
    failedItem: (item, reason) => `- ❌ ${item} (未取得${reason === '' ? '' : `、${reason}`})`,
    assumptionLine: ({ label, wanted, value, reasoning, percent, refutedBy }) =>
      `- ${wanted}: ${value} (理由: ${reasoning})\n  - ${label}、確信度: ${percent}%${refutedBy === '' ? '' : `、反証: ${refutedBy}`}`,
    skipped: (reason) => `収集は不要と判断しました（${reason}）`,
    notPlanned: (reason) => `情報を収集できませんでした（${reason}）`,
    none: 'なし',
    separator: '、',
    unknownKind: '不明',
  },
  recommendation: {
    lowConfidence: (percent) =>
      `理解の確信度が低いため (${percent}%)、最初に依頼内容を確認する手順を計画に含めてください`,
    planFailed:
      '情報収集の計画を生成できなかったため、何も収集していません。最初に関連するコードと設定を調べる手順を計画に含めてください',
    omitted: (count) =>
      `計画に入らなかった${count}件の情報 (件数の上限超過、または読み取り不可) は収集していません。必要になったときに調べてください`,
    gap: (description, impact) =>
      `「${description}」は不明です${impact === '' ? '' : ` (影響: ${impact})`}。これに依存しない方法を検討してください`,
    assumption: (label, wanted, value) =>
      `${label}「${wanted}」の推測「${value}」を早い段階で確認してください`,
  },
  plan: {
    failed: '計画生成失敗',
    noNeeds: '追加で必要な情報はありません',
  },
};
