import type { CliTexts } from './texts.ts';

/** Japanese. */
export const textsJa: CliTexts = {
  pausedAll: (file) =>
    `次のファイルがある間、すべてのタスクは次のステップで一時停止し、新しいタスクも始まりません:\n  ${file}\n再開するには: agent-daemon resume`,
  resumedAll: (file) =>
    `${file} を削除しました。タスクは再開されます。個別に一時停止したタスクは「agent-daemon resume タスク」で再開してください。`,
  nothingToResume: (file) =>
    `${file} はありません。個別のタスクは「agent-daemon resume タスク」で再開できます。`,
  asked: {
    pause: (task) => `${task} は次のステップで一時停止します。再開するには: agent-daemon resume ${task}`,
    resume: (task) => `${task} を再開します。`,
    retry: (task) => `${task} を失敗したところから再開します。`,
    stop: (task) =>
      `${task} は次のステップで停止します。停止したタスクは再開できません。ラベルを付け直すと新しいタスクになります。`,
  },
  owned: ({ pid, host }) => `デーモンが動作中です（${host} のプロセス ${pid}）。`,
  notOwned: 'デーモンは動作していません。指示は次の起動時に反映されます。',
  pauseIsOff: '一時停止は無効です。設定の pause_resume.enabled を true にしてください。',
  taskOrAll: 'タスクか --all のどちらか一方だけを指定してください。',
  taskNeeded: '停止するタスクか --all を指定してください。',
  nothingRuns: '停止するタスクはありません。',
  unknownTask: (given) => `タスク ${given} はありません。`,
  ambiguousTask: (given) => `${given} に当てはまるタスクが複数あります。もっと長く指定してください。`,
  candidates: '候補:',
  noCandidates: 'タスクは一つもありません。',
  cannotBeRetried: (task, status) =>
    `${task} は続きから再開できません（${status}）。最後の実行が失敗したタスクだけが対象です。`,
  hasEnded: (task, status) => `${task} はすでに終了しています（${status}）。`,
  isRunning: (task) => `${task} は一時停止中ではありません（実行中）。`,
  isPaused: (task) => `${task} はすでに一時停止中です。`,
  signalled: (file) => `${file} があるため、すべて一時停止中です。「agent-daemon resume」で削除できます。`,
  headings: ['タスク', '状態', '時刻', 'ID', 'タイトル'],
  states: {
    running: '実行中',
    waiting: '次の起動待ち',
    paused: '一時停止',
    completed: '完了',
    failed: '失敗',
    stopped: '停止',
    ended: '終了',
  },
  step: (step) => `ステップ ${step}`,
  queued: (count, hold) =>
    `順番待ち: ${count}件${hold === null ? '' : `（${hold.reason} により少なくとも ${hold.duration} 保留）`}`,
  notAsked: (reason) => `ステップと順番待ちは取得できません: ${reason}`,
  noneMatch: '該当するタスクはありません。',
  noRuns: 'タスクはまだありません。',
  damaged: (name, reason) => `読み取れません: ${name}: ${reason}`,
  notWell: (part, { reason, since }) => `正常に動作していません: ${part}（${since}から）: ${reason}`,
  since: (duration) => `${duration} 前`,
  summaryOf: (from, to) => `メッセージ ${from}〜${to} の要約`,
  delivered: (count) => `コメント ${count} 件を含む`,
  tokens: (input, output) => `入力 ${input}・出力 ${output} トークン`,
  toolStarted: '開始',
  prepared: (calls) => (calls === 0 ? '準備・呼び出しなし' : `準備${calls === 1 ? '' : `・${calls} 回`}`),
  notEnded: 'この実行はまだ終わっていません。',
  outcome: '結果',
  statistics: ({ modelCalls, toolCalls, tokens, duration }) =>
    `モデル呼び出し ${modelCalls} 回、ツール呼び出し ${toolCalls} 回、${tokens} トークン、${duration}`,
};
