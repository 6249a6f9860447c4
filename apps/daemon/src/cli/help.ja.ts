import { formatCommand } from '../command-name.ts';
import { formatExamples } from './format-examples.ts';
import type { HelpTexts } from './help.en.ts';

/** Texts of `--help` in Japanese. */
export const help: HelpTexts = {
  titles: {
    'Usage:': '使い方:',
    'Arguments:': '引数:',
    'Options:': 'オプション:',
    'Commands:': 'コマンド:',
  },
  program: 'Issue とプルリクエストでコーディングエージェントを動かし、結果をコメントで報告します。',
  afterError: (command) => `（${command} --help で使い方を表示）`,
  version: 'バージョンを表示',
  help: 'このヘルプを表示',
  helpCommand: 'コマンドのヘルプを表示',
  examples: `
例:
${formatExamples([
  ['init', '質問に答えて設定ファイルを作る'],
  ['doctor', '準備ができているか確認する'],
  ['run', '定期的にタスクを探して実行する'],
  ['run --once', '待っているタスクだけ実行して終了する'],
  ['status', 'デーモンの動作と待っているタスクを表示する'],
])}

設定とは別のモデルを使う:
  LLM_MODEL=qwen3 ${formatCommand('run')}

秘密の値は環境変数（GITHUB_TOKEN、OPENAI_API_KEY など）か、設定ファイルと同じ場所の .env から読みます。
Ctrl-C を 1 回: 実行中のステップを中断して保存し、10 秒以内に終了します。2 回: すぐに終了します。次の起動時に再開します。

終了コード: 0 成功、1 失敗（最後の行を参照）、130・143 Ctrl-C・SIGTERM による終了。`,
  config: '設定ファイルのパス',
  json: 'JSON で出力',
  run: 'タスクを探して実行する',
  once: '実行するタスクがなくなったら終了する',
  thread:
    'この Issue、プルリクエスト、マージリクエストだけを実行して終了する（URL、owner/repo#42、group/project!42、キー）',
  observe: 'プラットフォームに何も書き込まず、コメント・ラベル・プッシュ・ドラフトの内容を表示する',
  runExamples: `
例:
${formatExamples([
  ['run', '定期的にタスクを探して実行する'],
  ['run --once', '待っているタスクだけ実行して終了する'],
  ['run --thread https://github.com/acme/shop/issues/42', '一つのタスクを実行または再開して終了する'],
  ['run --observe --thread acme/shop#42', '一つの Issue に対してエージェントが何をするかを表示する'],
])}

終了コード: 0 すべて成功、1 成功しなかったタスクがある、または利用できないものがある、3 --thread の対象で何も実行しなかった（理由は標準エラー出力）、
75 別のプロセスが実行のディレクトリを引き継いだ、130・143 Ctrl-C・SIGTERM による終了。`,
  noLive: 'タスクの一覧を下に表示せず、ログの行だけを出力',
  logFormat: 'ログの形式',
  hangup: 'SIGHUP の動作: 設定を読み直すか終了するか。auto では端末に接続したデーモンだけ終了する',
  role: 'データベースを共有するプロセスで、タスクを探すだけ、または実行するだけにする',
  job: 'GitHub Actions または GitLab CI がイベントで開始したジョブを実行します',
  jobPreset: '設定ファイルがない場合のモデルのプリセット',
  jobRecord: '記録の場所: リポジトリの ref (次のジョブが実行を再開します)、または none',
  jobTimeLimit: 'プラットフォームがジョブを終了するまでの分数。実行は 5 分前に一時停止します',
  jobExamples: `
例:
${formatExamples([['job --time-limit 60', '"timeout-minutes: 60" のジョブを持つワークフローで']])}

イベントは GITHUB_EVENT_PATH または TRIGGER_PAYLOAD から読み込みます。AGENT_RECORD_KEY は記録を暗号化します。

終了コード: 0 完了、またはこのイベントに作業なし。1 失敗、または対応していないイベント。75 別のジョブが記録を引き継いだ。`,
  pause: 'タスクを、またはすべてのタスクを一時停止する',
  pauseExamples: `
例:
${formatExamples([
  ['pause', `すべて一時停止する（「${formatCommand('resume')}」まで）`],
  ['pause acme/shop#42', '一つだけ一時停止する'],
])}

終了コード: 0 指示した、1 タスクがない、または一時停止できない。`,
  resume: '一時停止したタスクを、またはすべてのタスクを再開する',
  resumeExamples: `
例:
${formatExamples([
  ['resume', `「${formatCommand('pause')}」を取り消す`],
  ['resume 3f2a', '一つだけ再開する（ID の先頭で指定）'],
])}

終了コード: 0 指示した、1 タスクがない、または一時停止中ではない。`,
  retry: '失敗したタスクを、失敗したところから再試行する（上限は数え直し）',
  retryExamples: `
例:
${formatExamples([['retry acme/shop#42', 'その Issue やプルリクエストに「/retry」とコメントするのと同じ']])}

終了コード: 0 指示した、1 タスクがない、または最後の実行が失敗していない。`,
  settle: 'タスクの未反映の更新を破棄する',
  settleExamples: `
未反映の更新とは、プラットフォームが受け付けなかったコメント、ラベル、ブランチです。破棄するまで再試行を続けます。

例:
${formatExamples([
  ['status', '未反映の更新・理由・次の再試行を表示する'],
  ['settle acme/shop#42', '再試行をやめる（コメント、ラベル、ブランチは今のまま）'],
])}

終了コード: 0 指示した、1 未反映の更新がない。`,
  stop: 'タスクを、またはすべてのタスクを停止する（再開できません）',
  stopExamples: `
例:
${formatExamples([
  ['stop https://github.com/acme/shop/issues/42', '一つだけ停止する'],
  ['stop --all', '実行中・一時停止中のタスクをすべて停止する'],
])}

終了コード: 0 指示した、1 タスクがない、または終了している。`,
  task: 'ID かその先頭、owner/repo#42、キー、または Issue・プルリクエストの URL',
  all: 'すべてのタスク（タスクを指定しないのと同じ）',
  stopAll: '実行中・一時停止中のすべてのタスク',
  status: 'デーモンの動作と待っているタスクを表示する',
  onlyState: 'この状態のものだけ',
  onlyPlatform: 'このプラットフォームのものだけ（github、gitlab、独自のものの名前）',
  onlyRepository: 'このリポジトリのものだけ（acme/shop）',
  onlyTask: 'このタスクのものだけ',
  onlyText: '名前・タイトル・ユーザー・理由にこの文字列を含むものだけ',
  since: 'この期間に状態が変わったものだけ（90m、24h、7d）',
  limit: '表示する終了済みの件数（既定は 10、--json では 1000）',
  show: '実行の状態、結果、次にすること、記録を表示する',
  showFull: 'プロンプト、パッチ、長い文章を省略せずに表示する',
  showErrors: '失敗したツール呼び出しだけを表示する',
  showRun: '実行の ID かその先頭（4 文字以上）、またはタスク',
  history: 'タスクの実行の履歴と、引き継いだ内容を表示する',
  accept: '同じ名前を持つ別のリポジトリ、または変更・追加された MCP ツールを認める',
  acceptRepository: 'リポジトリ（acme/shop など）または MCP ツール（mcp:tracker/list など）',
  audit: 'Web UI、コマンドライン、コメントで誰が何をしたかを表示する',
  auditUser: 'このユーザーの操作だけ',
  auditTask: 'このタスク（acme/shop#42 など）、または ID の先頭で指定した実行への操作だけ',
  auditSince: 'この期間内の操作だけ（90m、24h、7d）',
  auditLimit: '表示する操作の件数（既定: 50、--json では 1000）',
  auditExamples: `
例:
${formatExamples([
  ['audit --since 24h', '直近 1 日に誰が何をしたかを表示する'],
  ['audit --user alice --task acme/shop#42', 'alice がこのタスクにしたことを表示する'],
])}

過去 12 か月の操作を新しい順に表示します。終了コード: 0。`,
  budget: '今日の予算を表示する、またはタスクの費用の上限を表示・設定する',
  budgetTask: 'ID またはその先頭、owner/repo#42、キー、URL（省略時: 日、人、リポジトリの予算）',
  budgetSet: 'すべての実行を合わせた上限額（5、0.50、"5 USD" など）',
  budgetClear: 'ここまたは /budget で決めた上限を取り消す',
  budgetExamples: `
例:
${formatExamples([
  ['budget', '今日の費用と残りを、日・人・リポジトリごとに表示する'],
  ['budget acme/shop#42', 'かかった費用と上限を表示する'],
  ['budget acme/shop#42 --set 5', '「/budget 5」とコメントするのと同じ（設定できる額に制限なし）'],
])}

終了コード: 0 表示または設定した、1 タスクがない、金額ではない、または料金の設定がない。`,
  token: 'Web UI のアクセストークンを作る',
  tokenName: 'ログインする人の名前',
  tokenDays: '有効な日数',
  tokenList: 'トークンを持つ人と期限を一覧する',
  tokenRevoke: 'その人のトークンを無効にする',
  export: '1 回の実行を単独で開ける HTML ファイルに、または個人のデータを JSON に書き出す',
  exportOutput: '書き出すファイル（既存のものは上書きしない。省略時: run-ID.html、個人のデータは標準出力）',
  exportPerson: 'すべての実行からデータを書き出す人のログイン名',
  exportExamples: `
例:
${formatExamples([
  ['export acme/shop#42', '実行を run-ID.html に書き出す'],
  ['export --person alice --output alice.json', 'alice が書いたもの、alice の名前があるものをすべて書き出す'],
])}

終了コード: 0 書き出した、1 タスクがない、またはファイルが既にある。`,
  personPlatform: 'その人のプラットフォーム（github、gitlab、またはカスタムプラットフォームの名前）',
  erase: '保存されているすべてのデータから、個人の名前と文章を消去する',
  erasePerson: 'その人のログイン名',
  eraseExamples: `
終了した実行、監査ログなどの記録で印に置き換え、その人の Web UI のアクセストークンを無効にします。
ファイルに保存している場合は、先にデーモンを終了してください。終わっていない実行は一覧に示し、変更しません。繰り返し実行できます。

例:
${formatExamples([
  ['erase --person alice', '件数を表示し、確認してから消去する'],
  ['erase --person alice --platform gitlab --yes', 'GitLab のユーザーを確認なしで消去する'],
])}

終了コード: 0 その人のものは残っていない、1 消去しなかった、または後で消去するものがある。`,
  demo: '模擬の GitHub での実行全体をこのマシンだけで見せる（@agent/simulators が必要）',
  demoVerbose: 'イシューの代わりにログを表示する',
  rehearse: '指定のリポジトリで実行全体を試し、各部分を確認して、最後に後片付けをする',
  rehearseRepository: '試すリポジトリ（owner/name または group/project）',
  rehearseCompare: '代わりに rehearsal.json の応答をシミュレーターと比べる',
  rehearsePlatform: 'リポジトリのプラットフォーム（既定：設定でその名前を挙げているもの）',
  rehearsePerson: '利用者役のアカウントのトークンを持つ変数（既定：ブラウザーで自分が操作する）',
  rehearseKeep: 'イシュー、ドラフト、ブランチ、ラベルを残す',
  rehearseOutput: 'rehearsal.json のディレクトリ（既定：作業ディレクトリ）',
  rehearseYes: '質問なしで確認するためのリポジトリの名前',
  rehearseExamples: `
リポジトリにイシュー「Agent rehearsal」を作成し、設定されたモデルで専用のデーモンを動かします。その間に利用者がコメント、編集、削除、
一時停止、再開、レビュー、停止を行い、デーモンは強制終了されて再起動します。他のタスクには影響しません。

例：
${formatExamples([
  ['rehearse --repository acme/sandbox', 'ブラウザーで自分が利用者役をする'],
  [
    'rehearse --repository acme/sandbox --person-token-env PERSON_TOKEN --yes acme/sandbox',
    '質問なしで実行する',
  ],
  ['rehearse --compare rehearsal.json', 'プラットフォームとシミュレーターの違いを示す'],
])}

終了コード：0 失敗なし、1 失敗した確認がある、または開始できない、130 Ctrl-C で終了。`,
  purge: 'タスクについて保存されているデータをすべて削除する',
  purgeYes: '確認しない',
  purgeExamples: `
実行のディレクトリと索引の記録を削除します。先にデーモンを終了してください。

終了コード: 0 削除した、1 削除しなかった（終わっていない実行がある、デーモンが動作中、または拒否した）。`,
  migrate: '以前の Python プログラムの実行を取り込み、索引を作り直す',
  storage: '保存されているものをすべて検証する、またはファイルとデータベースの間でコピーする',
  storageAction: 'check または migrate',
  storagePlace: 'files または postgres',
  storageExamples: `
例:
${formatExamples([
  ['storage check', '保存されているものをすべて検証する（デーモンの動作中も可）'],
  ['storage migrate --from files --to postgres', 'データベースへコピーする'],
  ['storage migrate --from postgres --to files', 'ファイルへコピーする'],
])}

コピーの前にすべてのデーモンを終了してください。コピー元は何も削除しません。途中で終わっても繰り返せます。
終了コード: 0 破損なし、またはすべてコピー済み、1 破損した記録または対象外の実行あり`,
  migrateDirectory: '実行のディレクトリ（既定: 設定にあるもの）',
  migrateApply: '実際に移行する（付けなければ、変更の内容を表示するだけ）',
  migrateExamples: `
例:
${formatExamples([
  ['migrate', '変更の内容を表示する'],
  ['migrate --apply', '移行する（繰り返し可）'],
  ['migrate ./old/contexts', '別のディレクトリについて変更の内容を表示する'],
])}

移行できない実行は一覧に示し、そのまま残します。終了コード: 0 対象外なし、1 対象外あり。`,
  doctor: '設定、トークン、リポジトリ、ラベル、モデル、git、サンドボックスを確認する',
  doctorExamples: `
✓ 問題なし   ! 使えるが警告あり   ✗ 直す必要がある
何も変更しません。書き込み権限は、内容の不備で必ず断られるリクエストで調べます。

終了コード: 0 直すものはない、1 直すものがある。`,
  noModel: 'モデルを呼び出さない',
  labels: '設定にあるすべてのリポジトリにデーモンのラベルを作る',
  labelsDryRun: '作成せず、ないラベルを表示する',
  labelsExamples: `
タスクを始めるラベルと、タスクの状態を示すラベルを作ります。既にあるラベルは変更しません。

終了コード: 0 すべてのラベルがある、1 失敗したリポジトリがある（理由はその行を参照）。`,
  init: '質問またはオプションから設定ファイルを作る',
  initExamples: `
例:
${formatExamples([
  ['init', '端末で質問に答える'],
  [
    'init --platform github --repository acme/shop --llm-preset openai --model gpt-5-mini --yes',
    '質問しない',
  ],
])}

秘密の値は尋ねません。置き場所は .env.example にあります。
終了コード: 0 作成した、1 作成しなかった（ファイルがある場合など。--force で上書き）。`,
  initPlatform: 'タスクのあるプラットフォーム',
  initRepository: 'owner/repo または group/project（複数はコンマ区切り）',
  initTrigger: 'タスクの頼み方',
  initBaseUrl: 'GitHub Enterprise またはセルフホストの GitLab の API の URL',
  initPreset: 'モデルの接続先。既定はこのマシンのサーバー、OpenAI のモデルなら OpenAI',
  initModel: 'モデルの名前',
  initLlmUrl: 'モデルの接続先の URL',
  initApi: '接続先の API の種類',
  initApp: 'この名前の GitHub App として動く（App を作る github-app.html を書く）',
  initAppWorkflows: 'App に workflows: write と actions: write の権限も求める',
  initForce: '既にあるファイルを上書きする',
  initCreateLabels: 'これらのすべてのリポジトリにラベルを作る',
  initYes: '質問せず、指定された値と既定値を使う',
};
