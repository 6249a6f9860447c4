import type { Locale } from '@agent/text';

/** The words of notices; those of seed 004 §8.2 to the letter in Japanese. */
export interface NoticeTexts {
  /** The status line of a live view while the request is analysed. */
  readonly analysing: string;
  readonly start: (time: string) => string;
  readonly understanding: (parts: UnderstandingParts) => string;
  readonly collectionStart: (items: string) => string;
  readonly assumption: (parts: AssumptionParts) => string;
  readonly collectionEnd: (parts: CollectionParts) => string;
  readonly collectedItem: (item: string) => string;
  readonly assumedItem: (item: string) => string;
  /** `reason`: why nothing stands in for it; empty where that is not known. */
  readonly failedItem: (item: string, reason: string) => string;
  readonly assumptionLine: (parts: AssumptionParts) => string;
  readonly skipped: (reason: string) => string;
  readonly notPlanned: (reason: string) => string;
  readonly none: string;
  readonly separator: string;
  readonly unknownKind: string;
}

export interface UnderstandingParts {
  readonly kind: string;
  readonly goal: string;
  readonly deliverables: string;
  readonly inScope: string;
  readonly outOfScope: string;
  readonly percent: number;
}

export interface AssumptionParts {
  readonly label: string;
  readonly wanted: string;
  readonly value: string;
  readonly reasoning: string;
  readonly percent: number;
  readonly refutedBy: string;
}

export interface CollectionParts {
  readonly collected: string;
  /** Null where nothing was assumed; `example` is the label of one that stands. */
  readonly assumed: { readonly lines: string; readonly example: string } | null;
  /** What follows. */
  readonly next: 'planning' | 'work';
  readonly time: string;
}

const ja: NoticeTexts = {
  analysing: 'タスク内容を分析中...',
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
};

const en: NoticeTexts = {
  analysing: 'Analysing the task...',
  start: (time) => `## 🔍 Task Analysis Started

Understanding the task and collecting what planning needs...

*Started: ${time}*`,
  understanding: ({ kind, goal, deliverables, inScope, outOfScope, percent }) =>
    `## 📋 Task Understood

**Kind of task**: ${kind}

**Primary goal**:
${goal}

**Expected deliverables**:
${deliverables}

**Scope**:
- In scope: ${inScope}
- Out of scope: ${outOfScope}

*Confidence: ${percent}%*`,
  collectionStart: (items) => `## 🗂️ Collecting Information

**To be collected**:
${items}`,
  assumption: ({ label, wanted, value, reasoning, percent, refutedBy }) => `## ⚠️ Information Assumed

- **${label}** ${wanted}: ${value} (reason: ${reasoning})${refutedBy === '' ? '' : `\n  - would be refuted by: ${refutedBy}`}

*Confidence: ${percent}%*

If this is wrong, comment \`/reject ${label} reason\`.`,
  collectionEnd: ({ collected, assumed, next, time }) =>
    `## 📚 Information Collected

**Collected**:
${collected}
${
  assumed === null
    ? ''
    : `
**Assumptions**:
The following could not be collected and was assumed:
${assumed.lines}

If one is wrong, comment for example \`/reject ${assumed.example} reason\`.
`
}
${next === 'planning' ? 'Going on to planning...' : 'Beginning the work...'}

*Finished: ${time}*`,
  collectedItem: (item) => `- ✅ ${item}`,
  assumedItem: (item) => `- ⚠️ ${item} (assumed)`,
  failedItem: (item, reason) => `- ❌ ${item} (not found${reason === '' ? '' : `; ${reason}`})`,
  assumptionLine: ({ label, wanted, value, reasoning, percent, refutedBy }) =>
    `- ${wanted}: ${value} (reason: ${reasoning})\n  - ${label}, confidence: ${percent}%${refutedBy === '' ? '' : `, would be refuted by: ${refutedBy}`}`,
  skipped: (reason) => `Collecting was not necessary (${reason})`,
  notPlanned: (reason) => `Nothing could be collected (${reason})`,
  none: 'none',
  separator: ', ',
  unknownKind: 'unknown',
};

export const noticeTexts: Readonly<Record<Locale, NoticeTexts>> = { ja, en };
