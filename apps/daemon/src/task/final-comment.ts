import type { RunOutcome, RunStatistics } from '@agent/runner';
import type { Locale } from './locale.ts';
import type { RequestCount } from './request-meter.ts';

/** What a run left on the platform. */
export interface Delivery {
  readonly branch: string | null;
  readonly commit: string | null;
  readonly changeRequest: { readonly number: number; readonly url: string } | null;
  /** Paths that differ from the base branch. */
  readonly changedFiles: readonly string[];
}

export interface FinalReport {
  readonly status: RunOutcome['status'];
  readonly reason: string | null;
  readonly finalText: string | null;
  readonly statistics: RunStatistics;
  readonly requests: RequestCount;
  readonly delivery: Delivery;
  /** What was tried, for a run that failed: tool and how often. */
  readonly tried: readonly { readonly tool: string; readonly calls: number }[];
  readonly finishedAt: Date;
}

interface Words {
  readonly heading: Readonly<Record<RunOutcome['status'], string>>;
  readonly reason: string;
  readonly tried: string;
  readonly nothingTried: string;
  readonly retry: (label: string) => string;
  readonly draft: string;
  readonly files: (count: number) => string;
  readonly pushed: string;
  readonly unchanged: string;
  readonly endedAt: string;
  readonly statistics: string;
  readonly modelCalls: string;
  readonly toolCalls: string;
  readonly tokens: string;
  readonly duration: string;
  readonly requests: string;
}

/** @see docs/requirements.md RL-14: the block that every outcome ends with */
const words: Readonly<Record<Locale, Words>> = {
  ja: {
    heading: {
      completed: '## ✅ タスク完了',
      failed: '## ❌ タスク失敗',
      paused: '## ⏸️ タスク一時停止',
      stopped: '## ⏹️ タスク停止',
    },
    reason: '**理由:**',
    tried: '**試したこと:**',
    nothingTried: 'ツールは一度も実行されていません。',
    retry: (label) => `やり直すには、原因を取り除いてから \`${label}\` ラベルを付け直してください。`,
    draft: '**ドラフトのプルリクエスト:**',
    files: (count) => `変更したファイル ${count} 件`,
    pushed: '**プッシュしたブランチ:**',
    unchanged: 'ファイルの変更はありません。',
    endedAt: '終了時刻',
    statistics: '### 📊 実行統計',
    modelCalls: 'LLM呼び出し回数',
    toolCalls: 'ツール呼び出し回数',
    tokens: 'トークン (入力 / 出力)',
    duration: '所要時間',
    requests: 'プラットフォームへのリクエスト (うち変更なし)',
  },
  en: {
    heading: {
      completed: '## ✅ Task completed',
      failed: '## ❌ Task failed',
      paused: '## ⏸️ Task paused',
      stopped: '## ⏹️ Task stopped',
    },
    reason: '**Reason:**',
    tried: '**What was tried:**',
    nothingTried: 'No tool was run.',
    retry: (label) => `To try again, remove the cause and put the label \`${label}\` back.`,
    draft: '**Draft pull request:**',
    files: (count) => `${count} ${count === 1 ? 'file' : 'files'} changed`,
    pushed: '**Pushed to:**',
    unchanged: 'No files were changed.',
    endedAt: 'Ended at',
    statistics: '### 📊 Statistics',
    modelCalls: 'Model calls',
    toolCalls: 'Tool calls',
    tokens: 'Tokens (in / out)',
    duration: 'Duration',
    requests: 'Requests to the platform (unchanged)',
  },
};

/** The one comment that a run ends with. The same report always gives the same text, so that repeating it changes nothing. */
export function formatFinalComment(
  report: FinalReport,
  options: { readonly locale: Locale; readonly botLabel: string },
): string {
  const text = words[options.locale];
  const failed = report.status === 'failed';
  const paragraphs: readonly (string | null)[] = [
    text.heading[report.status],
    failed ? `${text.reason} ${report.reason ?? ''}` : report.reason,
    failed ? null : report.finalText,
    failed ? describeTried(report, text) : describeDelivery(report.delivery, text),
    failed ? text.retry(options.botLabel) : null,
    `*${text.endedAt}: ${formatLocalTime(report.finishedAt)}*`,
    describeStatistics(report, text),
  ];
  return paragraphs.filter((part) => part !== null && part.trim() !== '').join('\n\n');
}

function describeDelivery(delivery: Delivery, text: Words): string {
  const { changeRequest, commit, branch, changedFiles } = delivery;
  const files = text.files(changedFiles.length);
  if (changeRequest !== null)
    return `${text.draft} [#${changeRequest.number}](${changeRequest.url}), ${files}`;
  if (commit !== null) return `${text.pushed} \`${branch ?? ''}\` (${commit.slice(0, 10)}), ${files}`;
  return text.unchanged;
}

function describeTried(report: FinalReport, text: Words): string {
  if (report.tried.length === 0) return `${text.tried} ${text.nothingTried}`;
  const lines = report.tried.map(({ tool, calls }) => `- \`${tool}\` × ${calls}`);
  const said = report.finalText === null ? [] : ['', report.finalText];
  return [text.tried, '', ...lines, ...said].join('\n');
}

function describeStatistics(report: FinalReport, text: Words): string {
  const { statistics, requests } = report;
  return [
    text.statistics,
    '',
    `- ${text.modelCalls}: ${statistics.modelCalls}`,
    `- ${text.toolCalls}: ${statistics.toolCalls}`,
    `- ${text.tokens}: ${statistics.inputTokens} / ${statistics.outputTokens}`,
    `- ${text.duration}: ${formatDuration(statistics.durationMs)}`,
    `- ${text.requests}: ${requests.made} (${requests.unchanged})`,
  ].join('\n');
}

function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `YYYY-MM-DD HH:MM:SS` in the machine's own time zone. */
function formatLocalTime(date: Date): string {
  const part = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), part(date.getMonth() + 1), part(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(part).join(':')}`;
}
