import type { en } from './texts.en.ts';

const subphases: Readonly<Record<Parameters<typeof en.subphase>[0], string>> = {
  understanding: '依頼内容を理解しています',
  collection_planning: '必要な情報を整理しています',
  collection: '情報を収集しています',
  assumption: '見つからなかった情報を推測しています',
  complete: '作業を始めています',
};

const phases: Readonly<Record<Parameters<typeof en.phase>[0], string>> = {
  planning: '計画を作成しています',
  execution: '計画を実行しています',
  reflection: '実行結果を振り返っています',
  revision: '計画を修正しています',
  verification: '結果を検証しています',
  report: '報告をまとめています',
};

const vitals: typeof en.vitals = {
  state: (state) => `**状態:** ${state}`,
  states: {
    running: '▶️ 実行中',
    queued: '⏳ 順番待ち',
    interrupted: '⏹️ 中断',
    paused: '⏸️ 一時停止中',
    needs_input: '💬 入力待ち',
    in_review: '👀 レビュー中',
  },
  use: ({ modelCalls, inputTokens, outputTokens, spent }) =>
    `**これまで:** モデル呼び出し ${modelCalls} 回 · 入力 ${inputTokens} / 出力 ${outputTokens} トークン${spent === null ? '' : ` · ${spent}`}`,
  waitsFor: (what) => `**待っているもの:** ${what}`,
  waits: {
    model: (since) => `モデルの応答（${since} から）`,
    agent: (since) => `エージェントの応答（${since} から）`,
    'model-away': (since) => `${since} から利用できないモデルの復旧`,
    operator: (cause, since) => `エージェントの運用者の対応（${since} から。${cause}）`,
    causes: {
      unauthorized: 'モデルのエンドポイントがAPIキーを拒否しています',
      'no-quota': 'モデルのエンドポイントのアカウントに利用枠が残っていません',
      'unknown-model': 'モデルのエンドポイントにモデルまたはアドレスが見つかりません',
      'no-tools': 'モデルがツールを呼び出せません',
    },
    otherCause: 'モデルを使用できません',
    tool: (tool, since) => `ツール ${tool} の終了（${since} から）`,
    answer: (who, until) => `${nameSteerers(who)}からの回答${until === null ? '' : `（${until} まで）`}`,
    approval: (who) => `${nameSteerers(who)}による計画の承認 (\`/approve\`)`,
    held: (count, who) => `保留中の変更 ${count} 件の push の許可 (\`/allow\`)（${nameSteerers(who)}）`,
    resume: (who) => `${nameSteerers(who)}、または運用者による再開 (\`/resume\`)`,
    reviews: (until) => `レビューとチェック${until === null ? '' : `（${until} まで）`}`,
    turn: '順番（自動的に続けます）',
    start: 'エージェントの次の起動（自動的に続けます）',
  },
  sign: (time, minutes) =>
    minutes === null
      ? `**確認時刻:** ${time}`
      : `**最終確認:** ${time}（少なくとも ${minutes} 分ごとに更新します。これより古い場合、エージェントは動いていません）`,
};

function nameSteerers(who: string | null): string {
  return who === null ? '書き込み権限のある人' : `${who} さんなど、書き込み権限のある人`;
}

/** The same in Japanese. */
export const ja: typeof en = {
  vitals,
  title: '🤖 **コーディングエージェントの進捗**',
  now: (what) => `**現在:** ${what}`,
  subphase: (name) => subphases[name],
  of: (done, total) => ` (${done}/${total})`,
  waitingTools: (names, others) =>
    `**まだ使えないツール:** ${names.join('、')}${others === 0 ? '' : ` ほか ${others} 件`}。MCP サーバーで変更または追加されました。運用者が \`agent-daemon accept\` で承認すると使えます。`,
  working: '作業中です',
  understanding: '### 📋 依頼内容の理解',
  notUnderstood: 'タスクを分析できなかったため、タイトルと説明に基づいて作業します。',
  goal: (goal) => `- **主な目標:** ${goal}`,
  kind: (kind, percent) => `- **タスク種別:** ${kind} · **理解の確信度:** ${percent}%`,
  deliverables: '- **期待される成果物:**',
  inScope: (items) => `- **対象:** ${items}`,
  outOfScope: (items) => `- **対象外:** ${items}`,
  separator: '、',
  information: '### 📚 収集した情報',
  planned: '### 🗂️ 収集予定の情報',
  collected: (item) => `- ✅ ${item}`,
  assumed: (item, label) => `- ⚠️ ${item} (推測${label === '' ? '' : `、${label}`})`,
  missing: (item, reason) => `- ➖ ${item} (未取得${reason === '' ? '' : `、${reason}`})`,
  open: (item) => `- ⏳ ${item}`,
  skipped: (reason) => `収集は不要と判断しました（${reason}）`,
  cutShort: '*情報収集を途中で終え、それまでに分かったことで作業を始めました。*',
  assumptions: '### ⚠️ 推測事項',
  assumption: (label, wanted, value) => `- **${label}** ${wanted}: ${value}`,
  because: (percent, reasoning) => ` (${reasoning === '' ? '' : `理由: ${reasoning}、`}確信度: ${percent}%)`,
  refutedBy: (text) => `  - 誤りとなる条件: ${text}`,
  rejected: (text) => `- 🚫 ${text}`,
  howToReject: (label) => `推測が誤っている場合は \`/reject ${label} 理由\` のようにコメントしてください。`,
  phase: (name) => phases[name],
  waitsForAnswer: (until) => `以下の質問への回答を待っています${until === null ? '' : ` (${until} まで)`}`,
  waitsForApproval: '計画の承認を待っています',
  setbacks: '## 🩹 うまくいかなかったこと',
  failedAction: (task, attempt, detail) =>
    `- **${task}** が失敗しました${attempt > 1 ? ` (${attempt} 回目)` : ''}${detail === '' ? '' : `: ${detail}`}`,
  droppedRevision: (reasons) => `⚠️ 計画の修正を見送りました: ${reasons}`,
  earlierRounds: 'これまでの検証',
  decisions: '計画についての判断',
  approved: ({ by, words, version }) =>
    `✅ 計画の第${version}版が承認されました（${by} さんの「${words}」）。`,
  cut: (count) => `*古い ${count} 項目を省略しました。*`,
};
