import type { CliTexts } from './texts.en.ts';

/** Texts of the command line in Japanese. */
export const ja: CliTexts = {
  pausedAll: (place) =>
    `一時停止シグナルがある間、すべてのタスクは次のステップで一時停止し、新しいタスクも始まりません:\n  ${place}\n再開するには: agent-daemon resume`,
  resumedAll: (place) =>
    `一時停止シグナルを削除しました: ${place}\nタスクは再開されます。個別に一時停止したタスクは「agent-daemon resume タスク」で再開してください。`,
  nothingToResume: (place) =>
    `一時停止シグナルはありません（${place}）。個別のタスクは「agent-daemon resume タスク」で再開できます。`,
  asked: {
    pause: (task) => `${task} は次のステップで一時停止します。再開するには: agent-daemon resume ${task}`,
    resume: (task) => `${task} を再開します。`,
    retry: (task) => `${task} を失敗したところから再開します。`,
    settle: (task) => `${task} がプラットフォームに反映できなかったことを、すべて断念します。`,
    stop: (task) =>
      `${task} は次のステップで停止します。停止したタスクは再開できません。ラベルを付け直すと新しいタスクになります。`,
  },
  owned: ({ pid, host }, leads) =>
    `デーモンが動作中です（${host} のプロセス ${pid}${leads ? '、タスクの検出を担当' : ''}）。`,
  notOwned: 'デーモンは動作していません。指示は次の起動時に反映されます。',
  pauseIsOff: '一時停止は無効です。設定の pause_resume.enabled を true にしてください。',
  taskOrAll: 'タスクか --all のどちらか一方だけを指定してください。',
  taskNeeded: '停止するタスクか --all を指定してください。',
  nothingRuns: '停止するタスクはありません。',
  exported: (path) => `書き出しました: ${path}`,
  fileIsThere: (path) => `${path} はすでにあります。--output で別のファイルを指定してください。`,
  token: {
    none: 'トークンはありません。',
    noName: '使う人の名前（100文字以内）を指定してください: agent-daemon token alice',
    noDays: '--days には1から3650までの整数を指定してください。',
    made: (name, days) =>
      `${name} がページにログインするためのトークン（${days}日間有効）です。表示されるのは今だけです。同じ名前の以前のトークンは無効になりました。`,
    revoked: (name) => `${name} のトークンを無効にしました。これによるログインも終わります。`,
    unknown: (name) => `${name} のトークンはありません。`,
  },
  unknownTask: (given) => `タスク ${given} はありません。`,
  ambiguousTask: (given) => `${given} に当てはまるタスクが複数あります。もっと長く指定してください。`,
  candidates: '候補:',
  noCandidates: 'タスクは一つもありません。',
  cannotBeRetried: (task, status) =>
    `${task} は続きから再開できません（${status}）。最後の実行が失敗したタスクだけが対象です。`,
  hasEnded: (task, status) => `${task} はすでに終了しています（${status}）。`,
  isRunning: (task) => `${task} は一時停止中ではありません（実行中）。`,
  isPaused: (task) => `${task} はすでに一時停止中です。`,
  signaled: (place) =>
    `一時停止シグナルがあるため、すべて一時停止中です（${place}）。「agent-daemon resume」で削除できます。`,
  headings: ['タスク', '状態', '時刻', 'ID', 'タイトル'],
  states: {
    running: '実行中',
    waiting: '次の起動待ち',
    paused: '一時停止',
    completed: '完了',
    partial: '一部完了',
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
  agentSession: (agent) => `エージェント${agent === null ? '' : ` ${agent} `}のセッション`,
  agentPlan: 'エージェントの計画',
  prepared: (calls) => (calls === 0 ? '準備・呼び出しなし' : `準備${calls === 1 ? '' : `・${calls} 回`}`),
  notEnded: 'この実行はまだ終わっていません。',
  outcome: '結果',
  statistics: ({ modelCalls, toolCalls, tokens, cachedInputTokens = 0, costMicros = 0, duration }) =>
    `モデル呼び出し ${modelCalls} 回、ツール呼び出し ${toolCalls} 回、${tokens} トークン${cachedInputTokens > 0 ? ` (キャッシュ ${cachedInputTokens})` : ''}、${duration}${costMicros > 0 ? `、費用 ${costMicros / 1_000_000}` : ''}`,
  /** Texts of `--help`. */
  help: {
    titles: {
      'Usage:': '使い方:',
      'Arguments:': '引数:',
      'Options:': 'オプション:',
      'Commands:': 'コマンド:',
    },
    program: 'ラベルの付いた Issue とプルリクエストを見つけ、モデルとツールで作業し、結果を報告します。',
    afterError: (command) => `（${command} --help で使い方を表示）`,
    version: 'バージョンを表示',
    help: 'このヘルプを表示',
    helpCommand: 'コマンドのヘルプを表示',
    examples: `
例:
  agent-daemon init                         質問に答えて設定ファイルを作る
  agent-daemon doctor                       直すべきところを調べる
  agent-daemon run                          poll_interval_seconds ごとにタスクを探して実行する
  agent-daemon run --once                   待っているタスクだけ実行して終わる
  agent-daemon status                       実行中・一時停止中・終了したタスク
  LLM_MODEL=qwen3 agent-daemon run          設定とは別のモデルを使う

秘密の値は環境変数（GITHUB_TOKEN、OPENAI_API_KEY など）か、設定ファイルと同じ場所の .env からだけ読みます。
Ctrl-C を 1 回: 実行中のステップを終えて保存します。2 回: すぐに終わり、次の起動時に記録から続けます。

終了コード: 0 成功、1 できなかったことがある（最後の行を参照）、130・143 Ctrl-C・SIGTERM による終了。`,
    config: '設定ファイル',
    json: 'プログラム向けに JSON で出力',
    run: 'タスクを探し、順に実行する',
    once: 'することがなくなったら終わる',
    noLive: 'タスクの一覧を下に表示せず、行だけを出力',
    logFormat: 'ログの形式',
    hangup: 'SIGHUPの動作: 設定を読み直すか終了するか。autoでは端末に接続したデーモンは終了する',
    role: 'データベースを共有するプロセスで、タスクを探すだけ、または実行するだけにする',
    pause: 'すべて、または一つのタスクを次のステップで一時停止する',
    pauseExamples: `
例:
  agent-daemon pause                  すべて（「agent-daemon resume」まで）
  agent-daemon pause acme/shop#42     一つだけ（「agent-daemon resume acme/shop#42」まで）

終了コード: 0 指示した、1 タスクがない、または一時停止できない。`,
    resume: 'すべて、または一つのタスクを再開する',
    resumeExamples: `
例:
  agent-daemon resume                 「agent-daemon pause」を取り消す
  agent-daemon resume 3f2a            一つだけ（ID の先頭で指定）

終了コード: 0 指示した、1 タスクがない、または一時停止中ではない。`,
    retry: '失敗したタスクを、失敗したところから再開する（上限は数え直し）',
    retryExamples: `
例:
  agent-daemon retry acme/shop#42     スレッドに「/retry」とコメントするのと同じ

終了コード: 0 指示した、1 タスクがない、または最後の実行が失敗していない。`,
    settle: 'タスクがプラットフォームに反映できなかったことを断念する',
    settleExamples: `
例:
  agent-daemon status                 未反映の内容・開始時刻・理由・次の再試行を表示する
  agent-daemon settle acme/shop#42    再試行をやめる（コメント、ラベル、ブランチは今のまま）

終了コード: 0 指示した、1 未反映のものがない。`,
    stop: 'タスクを次のステップで終わらせる（再開できません）',
    stopExamples: `
例:
  agent-daemon stop https://github.com/acme/shop/issues/42
  agent-daemon stop --all             実行中・一時停止中のすべて

終了コード: 0 指示した、1 タスクがない、または終了している。`,
    task: 'ID かその先頭、owner/repo#42、キー、またはスレッドの URL',
    all: 'すべて（タスクを指定しないのと同じ）',
    stopAll: '実行中・一時停止中のすべて',
    status: '実行中・一時停止中・終了したタスクを表示する',
    onlyState: 'この状態のものだけ',
    onlyPlatform: 'このプラットフォームのものだけ（github、gitlab、独自のものの名前）',
    onlyRepository: 'このリポジトリのものだけ（acme/shop）',
    onlyTask: 'このタスクのものだけ',
    show: '実行の記録を表示する',
    showRun: '実行の ID、またはその先頭（4 文字以上）',
    history: 'タスクの実行の履歴、引き継いだ内容、残した要約を表示',
    budget: 'タスクにかかった費用と上限を表示する',
    budgetSet: 'すべての実行を合わせた上限額（5、0.50、"5 USD" など）',
    budgetClear: 'ここまたは /budget で決めた上限を取り消す',
    budgetExamples: `
例:
  agent-daemon budget acme/shop#42            かかった費用と上限
  agent-daemon budget acme/shop#42 --set 5    スレッドに「/budget 5」とコメントするのと同じ（額の制限なし）

終了コード: 0 表示または設定した、1 タスクがない、金額ではない、または料金の設定がない。`,
    token: 'ページにログインするためのトークンを作る',
    tokenName: 'ログインする人の名前',
    tokenDays: '有効な日数',
    tokenList: 'トークンを持つ人と期限を一覧する',
    tokenRevoke: 'その名前のトークンを無効にする',
    demo: '模擬のGitHubで実行全体をこのマシンだけで見せる（@agent/simulators が必要）',
    demoVerbose: 'イシューの代わりにログを表示',
    export: '1回の実行を、単独で開けるHTMLファイルに書き出す',
    exportOutput: '書き出すファイル（既存のものは上書きしない。省略時: run-ID.html）',
    purge: 'タスクについて保存されているものをすべて削除',
    purgeYes: '質問しない',
    purgeExamples: `
実行のディレクトリと索引の記録を削除します。デーモンを終了してから実行してください。

終了コード: 0 削除した、1 削除しなかった（終わっていない実行がある、デーモンが動作中、または拒否した）。`,
    migrate: '以前のプログラムの実行を取り込み、索引を作る',
    storage: 'すべての実行をファイルからデータベースへ、またはその逆へコピーする',
    storageAction: 'migrate',
    storagePlace: 'files または postgres',
    storageExamples: `
例:
  agent-daemon storage migrate --from files --to postgres
  agent-daemon storage migrate --from postgres --to files

その間、どちらでもデーモンを動かせません。コピー元は何も削除しません。途中で終わっても繰り返せます。
終了コード: 0 すべてコピー済み、1 対象外の実行あり`,
    migrateDirectory: '実行のディレクトリ（既定: 設定にあるもの）',
    migrateApply: '実際に行う（付けなければ、行う内容を表示するだけ）',
    migrateExamples: `
例:
  agent-daemon migrate                      行う内容を表示
  agent-daemon migrate --apply              実行（繰り返し可）
  agent-daemon migrate ./old/contexts

移行できないものは名前を表示し、そのまま残します。終了コード: 0 残ったものはない、1 ある。`,
    doctor: '設定、トークン、リポジトリ、ラベル、モデル、git、サンドボックスを調べる',
    doctorExamples: `
✓ 問題なし   ! 使えるが確認が必要   ✗ 直す必要がある
何も変更しません。書き込み権限は、内容の不備で必ず断られるリクエストで調べます。

終了コード: 0 直すものはない、1 直すものがある。`,
    noModel: 'モデルを呼び出さない',
    init: '質問またはオプションから設定ファイルを作る',
    initExamples: `
例:
  agent-daemon init
  agent-daemon init --platform github --repository acme/shop --llm-preset openai --model gpt-5-mini --yes

秘密の値は尋ねません。置き場所は .env.example にあります。
終了コード: 0 作成した、1 作成しなかった（ファイルがある場合など。--force で上書き）。`,
    initPlatform: 'タスクのある場所',
    initRepository: 'owner/repo または group/project（複数はコンマ区切り）',
    initTrigger: '作業の頼み方',
    initBaseUrl: '自分のサーバーの API アドレス',
    initPreset: 'モデルの接続先の種類',
    initModel: 'モデルの名前',
    initLlmUrl: 'モデルの接続先のアドレス',
    initApi: '接続先の API の種類',
    initApp: 'この名前の GitHub App として動く（App を作る github-app.html を書く）',
    initForce: '既にあるファイルを上書きする',
    initYes: '質問せず、指定された値と既定値を使う',
  },
  budget: {
    noPrices:
      '費用は集計されていません。llm.prices に料金がありません。docs/guides/money.md を参照してください。',
    setOrClear: '--set と --clear は、どちらか一方を指定してください。',
    noAmount: (given) => `${given} は金額ではありません。5、0.50、"5 USD" のように書いてください。`,
    spent: (task, amount) => `${task} にかかった費用は、すべての実行を合わせて ${amount} です。`,
    presumed: (amount) => `うち ${amount} は、途中で切れた呼び出しの推定額です。`,
    reserved: (amount) => `実行中の呼び出しのために確保している額: ${amount}`,
    configured: {
      run: (amount) => `実行 1 回の上限は ${amount} です (limits.max_cost.run)。`,
      thread: (amount) => `スレッド全体の上限は ${amount} です (limits.max_cost.thread)。`,
    },
    allowed: (amount) =>
      `全体の上限は ${amount} です（ここまたは /budget による）。人・リポジトリ・日ごとの上限も有効です。`,
    unlimited: '人・リポジトリ・日ごとの上限のほかに、制限はありません。',
    reached: '上限に達しているため、これ以上の呼び出しは行いません。',
    retryHint: (task) => `上限で終わった実行を再開するには: agent-daemon retry ${task}`,
  },
  storage: {
    usage: '操作を指定してください: agent-daemon storage migrate --from files --to postgres（または逆向き）',
    noDatabase: '設定にデータベースがありません。先に storage: { postgres: {} } を追加してください。',
    copied: ({ copied, there, left, notes, accounts }, place) =>
      `${place} へ実行 ${copied} 件・メモ ${notes} 件・支出の口座 ${accounts} 件をコピーしました（コピー済み ${there} 件、対象外 ${left} 件）。デーモンが使う場所は設定で決まります。`,
    withoutSnapshot: (runs) =>
      `未完了の実行 ${runs} 件は、変更したファイルがデータベースにだけあります。作業ツリーのあるマシンか、プッシュ済みの内容から再開します。`,
  },
  /** Texts of `history`, `purge` and `migrate`. */
  past: {
    headings: ['終了', '状態', 'ID', '深さ', '引き継ぎ', '要約'],
    none: (task) => `${task} の実行の記録はありません。`,
    unfinished: '未終了',
    noSummary: '（要約なし）',
    refused: (command) => `なし（/${command}）`,
    tokens: (count) => `${count} トークン`,
    mustEnd: (task) => `${task} の実行が終わっていません。先に終わらせてください: agent-daemon stop ${task}`,
    nothingKept: (task) => `${task} の記録はありません。`,
    confirm: (task, runs) => `${task} の記録（${runs} 件）をすべて削除しますか? 元に戻せません。 [y/N]`,
    yesNeeded: 'ここでは質問できません。質問なしで削除するには --yes を付けてください。',
    notPurged: '何も削除しませんでした。',
    purged: (task, runs) => `${task} の実行 ${runs} 件を削除しました。`,
    rows: { migrated: '移行', current: '移行済み', left: '対象外（そのまま）' },
    inferred: '状態は要約から推定',
    counts: ({ migrated, current, left }) =>
      `移行 ${migrated} 件、移行済み ${current} 件、対象外 ${left} 件。`,
    noDirectory: (path) => `ディレクトリ "${path}" がありません。`,
    expired: (runs, days) =>
      `うち ${runs} 件は終了から ${days} 日を過ぎているため、引き継がれず、デーモンの起動時に削除されます。残すには、先に context_inheritance.context_expiry_days を大きくしてください。`,
    applyHint: '何も変更していません。実行するには: agent-daemon migrate --apply',
    indexed: (runs) => `索引には ${runs} 件の実行があります。`,
  },
};
