import type { Locale } from '@agent/text';
import type { InheritedKind, LastAction } from './model.ts';

/** The words of the prompt block, the notice and the history. */
export interface PromptTexts {
  readonly title: string;
  readonly introduction: string;
  readonly countHeading: string;
  readonly count: (count: number) => string;
  readonly timeHeading: string;
  readonly summaryHeading: string;
  readonly decisionsHeading: string;
  readonly resultHeading: string;
  readonly closing: string;
  readonly none: string;
  readonly leftOut: string;
  /** Of what lies on the disk and could not be read, which is not the same as nothing. */
  readonly unread: string;
  readonly toolsCut: string;
  readonly cut: string;
  readonly plansHeading: string;
  readonly planLine: (subtasks: number, percent: number) => string;
  readonly toolStatus: Readonly<Record<LastAction['status'], string>>;
  readonly toolsHeading: string;
  readonly toolLine: (use: { tool: string; calls: number; failed: number; kinds: string }) => string;
  /** Of a failure, as `parseToolHistory` names it. */
  readonly failureKind: (kind: string) => string;
  readonly model: (metadata: { model: string; provider: string | null }) => string;
  readonly notice: (values: { uuid: string; time: string; kinds: string }) => string;
  readonly kinds: Readonly<Record<InheritedKind, string>>;
  readonly kindSeparator: string;
}

const japaneseFailures: Readonly<Record<string, string>> = {
  timeout: '時間切れ',
  'not found': '見つからない',
  refused: '拒否',
  'invalid input': '引数の誤り',
  interrupted: '中断',
  error: 'エラー',
};

/** @see seed 002 §4.3.1, §6.2, decisions C10, C11, C13 */
export const promptTexts: Readonly<Record<Locale, PromptTexts>> = {
  ja: {
    title: '## 過去の処理コンテキスト',
    introduction: 'このIssue/MR/PRは以前にも処理されています。以下は過去の処理内容の要約です。',
    countHeading: '### 過去の処理回数',
    count: (count) => `${count}回`,
    timeHeading: '### 最新の処理日時',
    summaryHeading: '### 過去の処理要約',
    decisionsHeading: '### 主要な決定事項',
    resultHeading: '### 前回の処理結果',
    closing: '上記の過去のコンテキストを考慮して、現在の要求に対応してください。',
    none: 'なし',
    leftOut: '(省略されました)',
    unread: '(読み取れませんでした)',
    toolsCut: '(これより前の、またはほかの呼び出しは含まれていません)',
    cut: '... (要約が長いため一部省略されました)',
    plansHeading: '計画履歴:',
    planLine: (subtasks, percent) => `サブタスク${subtasks}件、完了率${percent}%`,
    toolStatus: { success: '成功', error: '失敗', unknown: '結果不明' },
    toolsHeading: 'ツール実行履歴:',
    toolLine: ({ tool, calls, failed, kinds }) =>
      `${tool}: ${calls}回${failed === 0 ? '' : `、失敗${failed}回 (${kinds})`}`,
    failureKind: (kind) => japaneseFailures[kind] ?? kind.replace(/^exit code (?=\d)/, '終了コード'),
    model: ({ model, provider }) => `モデル: ${model}${provider === null ? '' : ` (${provider})`}`,
    notice: ({ uuid, time, kinds }) =>
      [
        '📋 **過去のコンテキストを引き継ぎました**',
        '',
        `- 引き継ぎ元: #${uuid}`,
        `- 前回処理日時: ${time}`,
        `- 引き継ぎ内容: ${kinds}`,
        '',
        '過去の処理内容を考慮して、現在の要求に対応します。',
      ].join('\n'),
    kinds: { summary: '要約', plans: '計画履歴', tools: 'ツール実行履歴' },
    kindSeparator: '、',
  },
  en: {
    title: '## Previous Processing Context',
    introduction: 'This Issue/MR/PR has been processed before. Below is a summary of what was done.',
    countHeading: '### Previous Processing Count',
    count: (count) => `${count} time(s)`,
    timeHeading: '### Latest Processing Time',
    summaryHeading: '### Summary of Previous Processing',
    decisionsHeading: '### Key Decisions',
    resultHeading: '### Result of the Last Processing',
    closing: 'Consider the above context when responding to the current request.',
    none: 'None',
    leftOut: '(left out)',
    unread: '(could not be read)',
    toolsCut: '(earlier or further calls are not counted here)',
    cut: '... (the summary is long; the rest is left out)',
    plansHeading: 'Plans:',
    planLine: (subtasks, percent) => `${subtasks} subtask(s), ${percent}% complete`,
    toolStatus: { success: 'success', error: 'failed', unknown: 'result unknown' },
    toolsHeading: 'Tools:',
    toolLine: ({ tool, calls, failed, kinds }) =>
      `${tool}: ${calls} call(s)${failed === 0 ? '' : `, ${failed} failed (${kinds})`}`,
    failureKind: (kind) => kind,
    model: ({ model, provider }) => `Model: ${model}${provider === null ? '' : ` (${provider})`}`,
    notice: ({ uuid, time, kinds }) =>
      [
        '📋 **Took over the context of earlier runs**',
        '',
        `- From: #${uuid}`,
        `- Last processed: ${time}`,
        `- Taken over: ${kinds}`,
        '',
        'What was done before is taken into account for the current request.',
      ].join('\n'),
    kinds: { summary: 'summary', plans: 'plan history', tools: 'tool history' },
    kindSeparator: ', ',
  },
};
