import type { Locale } from '@agent/text';
import type { ChangeRequestKind } from './change-request-words.ts';

/** The words of the comment that a run ends with, and of the one that says it goes on. */
export interface FinalCommentTexts {
  readonly completed: string;
  readonly failed: string;
  readonly reason: string;
  readonly tried: string;
  readonly nothingTried: string;
  readonly moreTools: (count: number) => string;
  /** Added where people can say so on the thread. */
  readonly goOn: string;
  readonly draft: (kind: ChangeRequestKind) => string;
  /** Before one that an earlier run opened; people may have made it ready since. */
  readonly open: (kind: ChangeRequestKind) => string;
  /** Said where people took our part out of the description. */
  readonly descriptionLeft: string;
  readonly files: (count: number) => string;
  readonly pushed: string;
  /** Before the branch of a run that failed. */
  readonly pushedUnfinished: string;
  readonly notPushed: (problem: string) => string;
  /** The problem with a branch that people work on. */
  readonly branchOfPeople: string;
  readonly unchanged: string;
  readonly endedAt: string;
  readonly paused: string;
  readonly resumed: string;
  readonly unrestorable: string;
  /** Why a run is given up whose process died again and again. */
  readonly crashed: (times: number) => string;
  readonly stopped: (facts: StopFacts) => string;
  readonly statistics: string;
  readonly modelCalls: string;
  readonly toolCalls: string;
  readonly tokens: string;
  readonly duration: string;
  readonly durationOf: (time: { readonly minutes: number; readonly seconds: number }) => string;
  readonly requests: string;
  readonly detection: string;
}

export interface StopFacts {
  /** True where somebody took the assignment away; else the run was told to stop. */
  readonly unassigned: boolean;
  /** Login of who told it to stop by a comment; null where that is not known. */
  readonly stoppedBy: string | null;
  /** With its time zone. */
  readonly stoppedAt: string;
  readonly modelCalls: number;
  /** Instruction to begin again. */
  readonly beginAgain: string;
}

const ja: FinalCommentTexts = {
  completed: '## ✅ タスク完了',
  failed: '## ❌ タスク失敗',
  reason: '**理由:**',
  tried: '**試したこと:**',
  nothingTried: 'ツールは一度も実行されていません。',
  moreTools: (count) => `- ほか ${count} 件`,
  goOn: '失敗したところから続けるには、原因を取り除いてから `/retry` とコメントしてください（7日以内）。',
  draft: (kind) => `**ドラフトの${kind === 'merge request' ? 'マージリクエスト' : 'プルリクエスト'}:**`,
  open: (kind) => `**オープン中の${kind === 'merge request' ? 'マージリクエスト' : 'プルリクエスト'}:**`,
  descriptionLeft:
    '（説明文は書き換えられていたため、そのまま残しました。今回の内容はこのコメントをご覧ください。）',
  files: (count) => `変更したファイル ${count} 件`,
  pushed: '**プッシュしたブランチ:**',
  pushedUnfinished: '**途中までの変更をプッシュしたブランチ:**',
  notPushed: (problem) =>
    `途中までの変更はプッシュできず、エージェントのマシン上に残っています。理由: ${problem}`,
  branchOfPeople:
    'このブランチは人のものであり、途中の変更は載せません。`/retry` でその変更から続けられます。',
  unchanged: 'ファイルの変更はありません。',
  endedAt: '終了時刻',
  paused: 'タスクを一時停止しました。後で再開されます。',
  resumed: '一時停止されたタスクを再開します。',
  unrestorable: '一時停止されたタスクの状態を復元できなかったため、新しいタスクとしてやり直します。',
  crashed: (times) =>
    `このタスクの実行中に、1ステップも完了しないままプロセスが${times}回続けて異常終了しました。ログを確認してください。`,
  stopped: ({ unassigned, stoppedBy, stoppedAt, modelCalls, beginAgain }) =>
    [
      '## ⛔ タスク停止',
      '',
      unassigned
        ? 'コーディングエージェントのアサインが解除されたため、タスクを停止しました。'
        : `${stoppedBy === null ? '' : `\`@${stoppedBy}\` から`}停止の指示を受けたため、タスクを停止しました。`,
      '',
      `**停止時刻:** ${stoppedAt}`,
      `**LLM対話回数:** ${modelCalls}`,
      '',
      beginAgain,
    ].join('\n'),
  statistics: '### 📊 実行統計',
  modelCalls: 'LLM呼び出し回数',
  toolCalls: 'ツール呼び出し回数',
  tokens: 'トークン (入力 / 出力)',
  duration: '所要時間',
  durationOf: ({ minutes, seconds }) => (minutes === 0 ? `${seconds}秒` : `${minutes}分${seconds}秒`),
  requests: 'プラットフォームへのリクエスト (うち変更なし)',
  detection: 'コメント検出 (イベント / 検出 / コンテキストへの追加 / エラー)',
};

const en: FinalCommentTexts = {
  completed: '## ✅ Task completed',
  failed: '## ❌ Task failed',
  reason: '**Reason:**',
  tried: '**What was tried:**',
  nothingTried: 'No tool was run.',
  moreTools: (count) => `- and ${count} more`,
  goOn: 'To go on from where it failed, remove the cause and comment `/retry` (within 7 days).',
  draft: (kind) => `**Draft ${kind}:**`,
  open: (kind) => `**Open ${kind}:**`,
  descriptionLeft:
    '(Its description was left as people changed it: what this run did stands in this comment.)',
  files: (count) => `${count} ${count === 1 ? 'file' : 'files'} changed`,
  pushed: '**Pushed to:**',
  pushedUnfinished: '**What was done so far is pushed to:**',
  notPushed: (problem) =>
    `What was done so far could not be pushed and lies on the agent's machine, because: ${problem}`,
  branchOfPeople:
    'this branch is for people to push to, and unfinished changes are kept off it. `/retry` goes on with them.',
  unchanged: 'No files were changed.',
  endedAt: 'Ended at',
  paused: 'The task was paused. It will be resumed later.',
  resumed: 'The paused task is being resumed.',
  unrestorable: 'The state of the paused task could not be restored, so it begins anew as a new task.',
  crashed: (times) =>
    `The process died ${times} times in a row while it worked on this task, without completing a step. Its log says more.`,
  stopped: ({ unassigned, stoppedBy, stoppedAt, modelCalls, beginAgain }) =>
    [
      '## ⛔ Task stopped',
      '',
      unassigned
        ? 'The coding agent is no longer assigned, so the task was stopped.'
        : `The task was stopped because ${stoppedBy === null ? 'somebody' : `\`@${stoppedBy}\``} asked for it.`,
      '',
      `**Stopped at:** ${stoppedAt}`,
      `**Model calls:** ${modelCalls}`,
      '',
      beginAgain,
    ].join('\n'),
  statistics: '### 📊 Statistics',
  modelCalls: 'Model calls',
  toolCalls: 'Tool calls',
  tokens: 'Tokens (in / out)',
  duration: 'Duration',
  durationOf: ({ minutes, seconds }) => (minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`),
  requests: 'Requests to the platform (unchanged)',
  detection: 'Comment detection (events / detected / added to the context / errors)',
};

/** @see docs/requirements.md RL-4, RL-5, RL-7, RL-14 */
export const finalCommentTexts: Readonly<Record<Locale, FinalCommentTexts>> = { ja, en };
