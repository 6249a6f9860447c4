import { formatCommand } from '../command-name.ts';
import { help } from './help.ja.ts';
import { show } from './show-texts.ja.ts';
import type { CliTexts } from './texts.en.ts';

/** Texts of the command line in Japanese. */
export const ja: CliTexts = {
  pausedAll: (place) =>
    `すべてのタスクが一時停止し、新しいタスクも始まりません。\n一時停止シグナル: ${place}\n再開するには: ${formatCommand('resume')}`,
  resumedAll: (place) =>
    `一時停止シグナルを削除しました: ${place}\nタスクは再開されます。個別に一時停止したタスクは「${formatCommand('resume タスク')}」で再開してください。`,
  nothingToResume: (place) =>
    `一時停止シグナルはありません（${place}）。個別のタスクは「${formatCommand('resume タスク')}」で再開できます。`,
  asked: {
    pause: (task) => `${task} を一時停止します。再開するには: ${formatCommand(`resume ${task}`)}`,
    resume: (task) => `${task} を再開します。`,
    retry: (task) => `${task} を失敗したところから再開します。`,
    settle: (task) => `${task} の未反映の更新を破棄します。元に戻せません。`,
    stop: (task) =>
      `${task} を停止します。停止したタスクは再開できません。やり直すには、もう一度エージェントに頼んでください。`,
  },
  owned: ({ pid, host, version = null, leads = false }) => {
    const facts = [
      `${host} のプロセス ${pid}`,
      ...(version === null ? [] : [`バージョン ${version}`]),
      ...(leads ? ['タスクの検出を担当'] : []),
    ];
    return `デーモンが動作中です（${facts.join('、')}）。`;
  },
  notOwned: 'デーモンは動作していません。指示は次の起動時に反映されます。',
  notStarted: `デーモンは動作していません。起動するには: ${formatCommand('run')}`,
  activity: ({ running, waiting, paused, inReview, needsInput, delivering, ...more }) => {
    const { queued, failed } = more;
    const counts = [
      ...(running > 0 ? [`実行中 ${running} 件`] : []),
      ...(waiting > 0 ? [`デーモンの起動待ち ${waiting} 件`] : []),
      ...(queued > 0 ? [`順番待ち ${queued} 件`] : []),
      ...(delivering > 0 ? [`更新の反映待ち ${delivering} 件`] : []),
      ...(needsInput > 0 ? [`入力待ち ${needsInput} 件`] : []),
      ...(paused > 0 ? [`一時停止 ${paused} 件`] : []),
      ...(inReview > 0 ? [`レビュー中 ${inReview} 件`] : []),
      ...(failed > 0 ? [`過去 24 時間の失敗 ${failed} 件`] : []),
    ];
    return `タスク: ${counts.length === 0 ? '実行中・一時停止中のものはありません' : counts.join('、')}。`;
  },
  ignoredMistakes: (problem) =>
    `警告: ${problem}\nこのコマンドの実行には影響しません。修正するまで、デーモンは起動も再読み込みもできません。`,
  usedPlace: (place) => `このコマンドは ${place} の実行を使います。`,
  pauseIsOff: '一時停止は無効です。設定の pause_resume.enabled を true にしてください。',
  taskOrAll: 'タスクか --all のどちらか一方だけを指定してください。',
  taskNeeded: '停止するタスクか --all を指定してください。',
  auditFailed: (reason) => `監査ログに書き込めませんでした: ${reason}`,
  nothingRuns: '停止するタスクはありません。',
  exported: (path) => `書き出しました: ${path}`,
  fileIsThere: (path) => `${path} はすでにあります。--output で別のファイルを指定してください。`,
  token: {
    none: 'アクセストークンはありません。',
    noName: `ログインする人の名前（100文字以内）を指定してください: ${formatCommand('token alice')}`,
    noDays: '--days には1から3650までの整数を指定してください。',
    made: (name, days) => `${name} のアクセストークン（${days}日間有効）です。表示されるのは今だけです。`,
    replaced: (name) => `${name} の以前のトークンを無効にし、そのログインを終了しました。`,
    revoked: (name) => `${name} のトークンを無効にし、そのログインを終了しました。`,
    unknown: (name) => `${name} のトークンはありません。`,
  },
  unknownTask: (given) => `タスク ${given} はありません。`,
  hasNoRun: (task) =>
    `${task} は待ち行列にあり、まだ実行がないため、このコマンドでは何も変わりません。取り下げるには、プラットフォームでエージェントに渡したラベルを外すか、閉じてください。すべてのタスクの開始を止めるには pause --all を使います。`,
  ambiguousTask: (given) => `${given} に当てはまるタスクが複数あります。もっと長く指定してください。`,
  idle: {
    closed: (thread) => `${thread} は閉じています。何も実行しませんでした。`,
    'not-given': (thread, { stateLabel, waitingLabel }) => {
      const shown = stateLabel === null ? '' : `ラベル「${stateLabel}」が付いています。`;
      const give =
        waitingLabel === null
          ? '設定に応じて、アサインまたはメンションでエージェントに任せてください。'
          : `エージェントに任せるには、ラベル「${waitingLabel}」を付けてください。`;
      return `${thread} はエージェントを待っていません。${shown}何も実行しませんでした。${give}`;
    },
    observed: (thread, { waitingLabel, directory }) => {
      const repeat =
        waitingLabel === null
          ? 'もう一度エージェントに任せるか'
          : `ラベル「${waitingLabel}」を外してもう一度付けるか`;
      return `${thread} はすでに観察済みです。何も実行しませんでした。${repeat}、${directory} を削除してください。`;
    },
    paused: (thread) =>
      `${thread} の実行は一時停止中で、ユーザーの操作を待っています。何も実行しませんでした。`,
    'all-paused': (thread) =>
      `すべてのタスクが一時停止中のため、${thread} では何も実行しませんでした。先に「${formatCommand('resume')}」を実行してください。`,
    refused: (thread) =>
      `${thread} の作業を始めませんでした。タスクが拒否されたか、別の実行が担当しています。理由はログにあります。`,
  },
  threadHasNoRole: '--thread では一つのプロセスがポーリングも作業も行います。--role を指定しないでください。',
  candidates: 'タスク:',
  noCandidates: 'タスクはまだありません。',
  cannotBeRetried: (task, status) =>
    `${task} は再試行できません（${status}）。最後の実行が失敗したタスクだけが対象です。`,
  hasEnded: (task, status) => `${task} はすでに終了しています（${status}）。`,
  isRunning: (task) => `${task} は一時停止中ではありません（実行中）。`,
  isResumed: (task, reason) =>
    `${task} はすでに再開の指示を受けています。${reason === null ? 'デーモンを待っています' : `順番待ち: ${reason}`}。`,
  heldStill: (task, names) =>
    `${task} を再開しますが、保留中の変更はまだ許可されていません。許可するには、書き込み権限のあるユーザーが Issue やプルリクエストに次のコメントをします: /allow ${names.join(' ')}`,
  isPaused: (task) => `${task} はすでに一時停止中です。`,
  headings: ['タスク', '状態', '時刻', 'ID', 'タイトル'],
  states: {
    running: '実行中',
    waiting: 'デーモンの起動待ち',
    paused: '一時停止',
    in_review: 'レビュー中',
    delivering: '更新の反映待ち',
    queued: '順番待ち',
    completed: '完了',
    answered: '回答済み',
    nothing_to_change: '変更不要',
    partial: '一部完了',
    needs_input: '入力待ち',
    stopped: '停止',
    failed: '失敗',
    ended: '終了',
  },
  waitsFor: {
    answer: '回答待ち',
    approval: '承認待ち',
    'follow-up': 'チェックとレビュー待ち',
    held: '保留中の変更の許可待ち',
  },
  pausedBy: (name) => `一時停止中（${name} による）`,
  allowHeld: (names) =>
    `許可するには、書き込み権限のあるユーザーが Issue またはプルリクエストにコメントします: /allow ${names.join(' ')}`,
  heldChanges: (count) => `保留中の変更 ${count} 件の許可待ち`,
  step: (step) => `ステップ ${step}`,
  asking: { model: 'モデル呼び出し', agent: 'エージェントのターン' },
  attempt: (attempt) => `${attempt} 回目`,
  lastSearch: ({ age, repository, others }) =>
    others === 0
      ? `最後に成功したタスク検索: ${age}前（${repository}）`
      : `最後に成功したタスク検索: ${others + 1} 個のリポジトリで ${age}以内（最も古いもの: ${repository}）`,
  position: (position) => `${position} 番目`,
  queuedSince: ({ since, position, reason }) =>
    `${since.slice(0, 16).replace('T', ' ')} UTC から順番待ち（${position} 番目）。${reason}。まだ実行はありません。`,
  notAsked: (reason) => `ステップと順番待ちは取得できません: ${reason}`,
  notListening: 'ステップと順番待ちをここに表示するには、設定の http.port を指定してください。',
  requestsLeft: ({ platform, left, limit, reset }) =>
    `${platform} へのリクエスト: 残り ${left ?? '不明'}${limit === null ? '' : `（上限 ${limit}）`}${reset === null ? '' : `、${reset} にリセット`}`,
  noneMatch: '該当するタスクはありません。',
  noRuns: 'タスクはまだありません。',
  moreRuns: 'ほかにもあります。--limit で件数を増やすか、--state、--since、--text で絞り込んでください。',
  damaged: (name, reason) => `読み取れません: ${name}: ${reason}`,
  problem: ({ what, facts, reason }) =>
    `問題: ${what}${facts.length === 0 ? '' : `（${facts.join('、')}）`}${reason === null ? '' : `: ${reason}`}`,
  notices: (shown, others) =>
    `お知らせ: ${shown.join('、')}${others === 0 ? '' : `、ほか ${others} 件（--json で表示）`}`,
  process: ({ pid, host }) => `${host} のプロセス ${pid}`,
  lasting: (duration) => `${duration} 前から`,
  expected: (duration) => `残り約 ${duration}`,
  changedTool: (tool) =>
    `${tool} は MCP サーバーで変更または追加されたため、使えません。認めるには: agent-daemon accept ${tool}`,
  patternFinds: (pattern, count, duration) =>
    `${pattern} に一致するリポジトリ: ${count} 件（${duration} 前に確認）`,
  since: (duration) => `${duration} 前`,
  summaryOf: (from, to) => `メッセージ ${from}〜${to} の要約`,
  delivered: (count) => `コメント ${count} 件を含む`,
  tokens: (input, output) => `入力 ${input}・出力 ${output} トークン`,
  toolStarted: '開始',
  agentSession: (agent) => `エージェント${agent === null ? '' : ` ${agent} `}のセッション`,
  agentPlan: 'エージェントの計画',
  inheritedDecisions: '引き継いだ決定事項',
  prepared: (calls) => (calls === 0 ? '準備・呼び出しなし' : `準備${calls === 1 ? '' : `・${calls} 回`}`),
  show,
  statistics: ({ modelCalls, toolCalls, tokens, cachedInputTokens = 0, cost, duration }) =>
    `モデル呼び出し ${modelCalls} 回、ツール呼び出し ${toolCalls} 回、${tokens} トークン${cachedInputTokens > 0 ? ` (キャッシュ ${cachedInputTokens})` : ''}、${duration}${cost === null ? '' : `、費用 ${cost}`}`,
  help,
  accept: {
    accepted: (repository) => `${repository} を認めました。待っているタスクは次の試行で始まります。`,
    notRefused: (repository, refused) =>
      `${repository} という名前で確認を待っているリポジトリはありません。${refused.length === 0 ? '' : `待っているもの: ${refused.join('、')}`}`,
    acceptedTool: (tool) =>
      `${tool} を、MCP サーバーの最新の説明のまま認めました。呼び出しは再びできます。ツールが渡されていなかったときは、デーモンを再起動してください。`,
    toolNotRefused: (tool, refused) =>
      `${tool} という名前で確認を待っている MCP ツールはありません。${refused.length === 0 ? '' : `待っているもの: ${refused.join('、')}`}`,
  },
  budget: {
    noPrices: '費用は集計されていません。先に llm.prices に料金を設定してください。',
    taskNeeded: '--set または --clear で上限を変えるタスクを指定してください。',
    scopes: {
      day: (day) => `今日 (${day})`,
      person: (person) => `${person} が開始したタスク（全期間）`,
      repository: (repository) => `${repository} のタスク（全期間）`,
    },
    sharedSpent: (amount, presumed) =>
      `${amount} 使用${presumed === null ? '' : `（うち ${presumed} は途中で切れた呼び出しの推定額）`}`,
    sharedReserved: (amount) => `実行中の呼び出しに ${amount} 確保`,
    sharedLeft: (left, limit) => `残り ${left}（上限 ${limit}）`,
    noLimit: '上限なし',
    resets: (at) => `${at} にリセット`,
    neverResets: 'リセットなし',
    setOrClear: '--set と --clear は、どちらか一方を指定してください。',
    noAmount: (given) => `${given} は金額ではありません。5、0.50、"5 USD" のように書いてください。`,
    spent: (task, amount) => `${task} にかかった費用は、すべての実行を合わせて ${amount} です。`,
    presumed: (amount) => `うち ${amount} は、途中で切れた呼び出しの推定額です。`,
    reserved: (amount) => `実行中の呼び出しのために確保している額: ${amount}`,
    configured: {
      run: (amount) => `実行 1 回の上限: ${amount} (limits.max_cost.run)`,
      thread: (amount) => `このタスクの上限: ${amount} (limits.max_cost.thread)`,
    },
    allowed: (amount) =>
      `このタスクの上限: ${amount}（ここまたは /budget で設定）。人・リポジトリ・日ごとの上限も有効です。`,
    unlimited: 'このタスクに上限はありません。人・リポジトリ・日ごとの上限は有効です。',
    reached: '上限に達しているため、これ以上モデルを呼び出しません。',
    retryHint: (task) => `上限で終わった実行を再開するには: ${formatCommand(`retry ${task}`)}`,
  },
  audit: {
    headings: ['時刻', 'ユーザー', '経路', '操作', 'タスクまたは対象', '結果', '理由'],
    sources: { web: 'Web UI', cli: 'コマンドライン', comment: 'コメント' },
    outcomes: { started: '結果なし', accepted: '受け付け', refused: '拒否', failed: '失敗' },
    none: '操作はまだありません。',
    noneMatch: '該当する操作はありません。',
    more: 'ほかにもあります。--limit で件数を増やすか、--user、--task、--since で絞り込んでください。',
  },
  storage: {
    usage: `次のように指定してください: ${formatCommand('storage check')}、または ${formatCommand('storage migrate --from files --to postgres')}（逆向きも可）`,
    places: { running: '実行中', paused: '一時停止中', completed: '終了' },
    beside: '実行以外',
    checked: ({ checked, damaged }, place) =>
      `${place} の記録 ${checked} 件を検証しました。${damaged === 0 ? '破損はありません。' : `破損: ${damaged} 件。`}`,
    noDatabase: '設定にデータベースがありません。先に storage: { postgres: {} } を追加してください。',
    copied: ({ copied, there, left, notes, accounts }, place) =>
      `${place} へ実行 ${copied} 件・メモ ${notes} 件・支出の口座 ${accounts} 件をコピーしました（コピー済み ${there} 件、対象外 ${left} 件）。\nデーモンが使う場所は設定で決まります。`,
    withoutSnapshot: (runs) =>
      `未完了の実行 ${runs} 件は、コミットしていない変更がデータベースにだけあります。作業ツリーのあるマシンか、プッシュ済みの内容から再開します。`,
  },
  labels: {
    none: '設定にリポジトリがありません。',
    exist: (repository) => `${repository}: ラベルはすべてあります`,
    created: (repository, labels) => `${repository}: ${labels} を作成しました`,
    missing: (repository, labels) => `${repository}: ${labels} がありません`,
    fixAccess: 'トークンにこのリポジトリへのアクセスを許可するか、ラベルを自分で作成してください。',
    unused: (platform, trigger) => `${platform}: ラベルは不要です（trigger: ${trigger}）`,
    unsupported: (platform) => `${platform}: アダプターでは作成できません。ラベルを自分で作成してください`,
  },
  /** Texts of `history`, `purge` and `migrate`. */
  past: {
    headings: ['終了', '状態', 'ID', '深さ', '引き継ぎ', '要約'],
    none: (task) => `${task} の実行の記録はありません。`,
    unfinished: '未終了',
    noSummary: '（要約なし）',
    refused: (command) => `なし（/${command}）`,
    tokens: (count) => `${count} トークン`,
    mustEnd: (task) =>
      `${task} の実行が終わっていません。先に停止してください: ${formatCommand(`stop ${task}`)}`,
    nothingKept: (task) => `${task} の記録はありません。`,
    confirm: (task, runs) => `${task} の記録（${runs} 件）をすべて削除しますか? 元に戻せません。 [y/N]`,
    yesNeeded: 'ここでは確認できません。確認なしで削除するには --yes を付けてください。',
    notPurged: '何も削除しませんでした。',
    purged: (task, runs) => `${task} の実行 ${runs} 件を削除しました。`,
    rows: { planned: '移行予定', migrated: '移行済み', current: '最新', left: '対象外' },
    inferred: '状態は要約から推定',
    counts: ({ migrated, current, left }, { applied }) =>
      `${applied ? '移行済み' : '移行予定'} ${migrated} 件、最新 ${current} 件、対象外 ${left} 件。`,
    noDirectory: (path) => `ディレクトリ "${path}" がありません。`,
    expired: (runs, days) =>
      `うち ${runs} 件は終了から ${days} 日を過ぎているため、引き継がれず、デーモンの起動時に削除されます。残すには、先に context_inheritance.context_expiry_days を大きくしてください。`,
    applyHint: `何も変更していません。移行するには: ${formatCommand('migrate --apply')}`,
    indexed: (runs) => `索引には ${runs} 件の実行があります。`,
  },
};
