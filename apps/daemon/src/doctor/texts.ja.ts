import type { OptionalRole } from '@agent/platforms/custom';
import type { DoctorTexts } from './texts.en.ts';

/** Consequences of a role that an adapter lacks. */
const withoutRole: Readonly<Record<OptionalRole, string>> = {
  ownComments: '同じアカウントの複数のデーモンが同じスレッドで作業するのを防げません',
  labels: 'タスクの進み具合をラベルで示せません',
  labelEvents: '誰がラベルを付けたのか確認できません',
  history: 'trigger: mention は使えず、誰がアサインや変更をしたのか確認できません',
  assignees: 'trigger: assignment は使えません',
  permissions: '指示できるのは trust に挙げたアカウントだけです',
  repository: 'ファイルは使えず、回答だけになります',
  changeRequests: '結果はブランチになります',
  reactions: 'コメントに既読の印が付きません',
};

/** Texts of `doctor` in Japanese. */
export const ja: DoctorTexts = {
  configOk: (file) => `${file} は正しい設定です`,
  fixConfig: 'メッセージのとおりに直してください。「agent-daemon init」で一式を作れます。',
  connected: (host, login) => `${host} に ${login} として接続しました`,
  fixToken: '有効なトークンを作り、環境変数か設定ファイルと同じ場所の .env に入れてください。',
  fixAddress: (key) =>
    `${key} とネットワークを確認してください。プロキシや独自の認証局については docs/guides/network.md にあります。`,
  fixLater: 'しばらく待ってからやり直してください。',
  fixAdapter: 'アダプターかそのオプションを直してください。',
  rolesOff: (roles) =>
    `アダプターにないため使えない機能: ${roles.map((role) => `${role}（${withoutRole[role]}）`).join('、')}`,
  fixRoles: 'なくてもよければ何もしなくて構いません。docs/guides/write-an-adapter.md に説明があります。',
  tasksListed: (count) => `待っているタスクを挙げます: ${count} 件`,
  threadsListed: (count) => `メンションを探すオープンなスレッドを挙げます: ${count} 件`,
  patternFinds: (pattern, count) => `${pattern} に当てはまるリポジトリ: ${count} 件`,
  patternFindsNone: (pattern) => `${pattern} に当てはまるリポジトリはありません`,
  fixEmptyPattern:
    'つづり、除外の設定、フォークを含めるかどうか、トークンまたは App に許可されたリポジトリを確認してください。',
  fixPattern: (pattern, section) =>
    `${section} の ${pattern} とその上限、トークンで一覧を取得できるかどうかを確認してください。`,
  notExamined: (count) => `パターンで見つかった残り ${count} 件は調べていません`,
  cannotSee: (repository, status) =>
    `${repository} がないか、トークンに見る権限がありません（応答 ${status}）`,
  fixAccess: (repository) => `つづりを確認し、トークンに ${repository} へのアクセスを与えてください。`,
  archived: (repository) => `${repository} はアーカイブ済みで、書き込めません`,
  fixArchived: 'アーカイブを解除するか、設定から外してください。',
  noIssues: (repository) => `${repository} は Issue が無効です。プルリクエストだけがタスクになります`,
  fixIssues: 'Issue をタスクにするなら、リポジトリの設定で有効にしてください。',
  mayWrite: (repository) => `${repository}: 読み取り、プッシュ、ラベル、コメント、下書きの作成ができます`,
  mayNot: (repository, right, status) =>
    `${repository}: トークンに ${right} の権限がありません（応答 ${status}）`,
  checksAreJobs: (repository) =>
    `${repository}: トークンではチェックを読めません。代わりにワークフローのジョブだけを読みます`,
  checksHidden: (repository) =>
    `${repository}: トークンではチェックもワークフローも読めないため、失敗したチェックは実行に伝わりません`,
  fixChecks:
    '「Checks: read」のある GitHub App かクラシックトークンを使うか、トークンに「Actions: read」を与えてください（ワークフローのジョブを読みます）。',
  fixRight: (right) => `トークンに ${right} を、アカウントにリポジトリへの書き込み権限を与えてください。`,
  roleTooLow: (project, level) =>
    `${project}: アカウントのアクセスレベルは ${level} で、Developer（30）未満です`,
  fixRole: 'アカウントに Developer 以上のロールを与えてください。',
  unknownAnswer: (repository, question, status) =>
    `${repository}: ${question} の権限があるか分かりません（応答 ${status}）`,
  notAsked: (repository, reason) => `${repository} を調べられません: ${reason}`,
  gitFails: (repository, reason) => `${repository}: API は応答しますが、git は接続できません: ${reason}`,
  fixGitNetwork:
    'git は GIT_SSL_CAINFO と HTTPS_PROXY を、API は NODE_EXTRA_CA_CERTS と（NODE_USE_ENV_PROXY=1 のとき）HTTPS_PROXY を使います。docs/guides/network.md を見てください。',
  labelNotThere: (repository, label) => `${repository}: ラベル ${label} がないため、誰も付けられません`,
  fixLabel: (label) =>
    `ラベル ${label} を作ってください。人がタスクを頼むためのラベルなので、デーモンは作りません。`,
  portTaken: (address, reason) => `${address} で待ち受けできません（${reason}）`,
  fixPort: '別の http.port か http.host にするか、そこで待ち受けているプログラムを終了してください。',
  mentioned: (repository, login) => `${repository}: @${login} と書くとタスクになります`,
  assignable: (repository, login) => `${repository}: ${login} をアサインするとタスクになります`,
  notAssignable: (repository, login) => `${repository}: ${login} はアサインできません`,
  asApp: (slug) => `GitHub App として動きます。メンションは @${slug} です`,
  purposes: {
    branches: '変更のブランチ',
    threads: 'コメントとラベル',
    drafts: 'ドラフトのプルリクエスト',
    checks: 'コミットのチェック結果',
    actions: '失敗したジョブのログと再実行',
    workflows: '.github/workflows のファイルの変更のプッシュ',
    hearing: 'ポーリングを待たずにすぐ知ること',
  },
  appLacks: {
    'permission-missing': (name, purpose) => `App に権限 ${name} がありません（用途: ${purpose}）`,
    'event-missing': (name, purpose) => `App がイベント ${name} を受け取りません（用途: ${purpose}）`,
  },
  fixApp: 'App の設定ページで追加し、インストール先で承認してください。',
  fixPending: 'App はすでに要求しています。インストールのページで承認してください。',
  tokenEnds: (day) => `トークンの期限は ${day} です`,
  fixTokenEnd:
    '新しいトークンを作るか、更新してください。token_file なら再起動せずに新しいトークンを使います。',
  appNotAssignable: (slug) => `${slug} は App です。GitHub では App をアサインできません`,
  fixAppTrigger: 'trigger を label か mention にしてください。',
  fixAssignable: (login) =>
    `${login} をコラボレーターかメンバーにするか、trigger を mention にしてください。`,
  labelsThere: (repository) => `${repository}: ラベルはすべてあります`,
  labelsMissing: (repository, labels) => `${repository}: 必要なときに作られるラベル: ${labels}`,
  fixModelSettings:
    'メッセージのとおりにしてください。環境変数は環境か設定ファイルと同じ場所の .env に、llm のキーは設定ファイルに書きます。',
  limitWithoutPrice: (models) =>
    `limits.max_cost が設定されていますが、llm.prices に ${models} の料金がないため、実行は始まりません`,
  withoutPrice: (models) => `llm.prices に ${models} の料金がないため、その費用は集計されません`,
  fixPrice: 'llm.prices に、呼び出すときのモデル名で料金を書いてください。無料のモデルは 0 とします。',
  priced: (limited) =>
    `すべてのモデルに料金があります${limited ? '。limits.max_cost が費用を制限しています' : '。費用の上限はありません'}`,
  notCounted: '費用は集計されていません（llm.prices に料金がありません）',
  priceUnused: (models) => `llm.prices にある ${models} は、どの実行でも使われません`,
  fixPriceName: 'llm.model（または LLM_MODEL）と llm.models にある名前を書くか、その料金を削除してください。',
  modelModule: (model) => `llm.module がモデル ${model} を返しました`,
  modelListed: (url, count) => `${url} は応答し、モデルを ${count} 個挙げています`,
  modelNotListed: (model, others) => `接続先に ${model} はありません。あるもの: ${others}`,
  fixModelName: 'llm.model（または LLM_MODEL）を変えるか、接続先でモデルを読み込んでください。',
  modelListMissing: (url, status) => `${url} はモデルを挙げません（応答 ${status}）`,
  fixModelList:
    '次の行が ✓ なら問題ありません。そうでなければ llm.base_url（多くは /v1 で終わる）を確認してください。',
  modelUnreachable: (url, reason) => `${url} に接続できません（${reason}）`,
  fixEndpoint: '接続先を起動するか、llm.base_url（または LLM_BASE_URL）を直してください。',
  fixModelRequest:
    '受け付けない理由は上記の通りです。ツールが理由なら、llm.model（または LLM_MODEL）をツールを使えるモデルにしてください。',
  fixQuota:
    'モデルのエンドポイントの利用枠を追加するか、上限を引き上げてください。その間、実行は待機します。',
  fixCertificate: '認証局の証明書のファイルを環境変数 NODE_EXTRA_CA_CERTS に指定してください。',
  modelRefusedKey: (url, status) => `${url} がキーを拒否しました（応答 ${status}）`,
  fixKey: 'llm.api_key_env の環境変数に有効なキーを入れてください。',
  modelWorks: (model, milliseconds) => `${model} は応答し、ツールを呼びます（${milliseconds} ms）`,
  modelWithoutTools: (model) => `${model} は応答しますが、頼んだツールを呼びませんでした`,
  fixTools: 'ツールに対応したモデルを選んでください。対応しないと何も変更できません。',
  modelFailed: (model, reason) => `${model} が応答しません: ${reason}`,
  modelTakesPictures: (model) => `${model} は画像を受け取ります`,
  modelRefusesPictures: (model, reason) => `${model} は画像を受け取りません: ${reason}`,
  fixPictures: '画像を受け取るモデルを選ぶか、pictures.enabled を false にしてください。',
  modelNotCalled: '呼び出していません（--no-model）',
  fixModelNotCalled: '応答とツールの呼び出しを調べるには --no-model を外してください。',
  gitOk: (version) => `バージョン ${version}`,
  gitOld: (version) => `バージョン ${version} は古すぎます`,
  gitMissing: 'git がありません',
  fixGit: 'git 2.29 以降をインストールし、PATH に入れてください。',
  signingOk: (format) => `コミットに署名します（${format}）`,
  fixSigning:
    'パスフレーズのない秘密鍵を workspaces.signing に指定してください。作り方は docs/guides/signed-commits.md にあります。',
  sandboxOk: (network) =>
    `コマンドは bubblewrap の中で動きます（ネットワーク${network ? 'あり' : 'なし'}）。メモリーとプロセスは 1 秒ごと、ディスクは 10 秒ごとに測るため、その間は上限を超えることがあります（問題になる場合は、デーモンに cgroup と quota を設定してください）`,
  sandboxExternal:
    'コマンドは、設定にあるとおり、デーモンを動かしているコンテナーの中に閉じ込められます。`environments` のネットワークの一覧とログインはデーモンでは守れず、目印を隠したプロセスは制限から漏れます。メモリー、プロセス、ディスクはコンテナー側で制限してください',
  sandboxOff:
    'コマンドは、設定にあるとおり、サンドボックスなしで、デーモンと同じ権限で動きます。`environments` のネットワークの一覧とログインは守られず、目印を隠したプロセスは制限から漏れます',
  fixSandbox:
    'bubblewrap を入れ、ユーザー名前空間を許可し、tools.run_command.sandbox は required のままにしてください。SECURITY.md に説明があります。',
  fixRoot: '専用のアカウントでデーモンを動かしてください。SECURITY.md に説明があります。',
  directoryOk: (key, path) => `${key}: ${path} に書き込めます`,
  directoryFailed: (key, path, reason) => `${key}: ${path} を使えません（${reason}）`,
  fixDirectory: 'このアカウントに書き込み権限を与えるか、別のディレクトリを指定してください。',
  databaseOk: (location, { version, latency, difference }) =>
    `${location}: PostgreSQL ${version}、実行を保存する権限あり。応答 ${latency} ms、時計の差 ${difference} ms`,
  databaseFailed: (location, reason) => `${location} に実行を保存できません（${reason}）`,
  databaseClock: (difference) => `サーバーの時計がこのマシンと ${difference} ms ずれています`,
  fixDatabase: 'storage.postgres.url_env が指す変数のアドレスと、上の理由を確認してください。',
  fixClock: '両方のマシンを chrony などで時刻サーバーに合わせてください。',
  agentWorks: (facts) =>
    `${facts.name} はコマンドと同じ場所で起動し、応答します。作業中の連絡方法: ${facts.steering}。${facts.loadsSessions ? 'セッションを読み込めるので、伝えた内容は強制終了の後も会話に一度だけ残ります' : 'セッションを保持しません'}`,
  agentUnnamed: '名前を名乗らないエージェント',
  agentForgets: 'エージェントはセッションを読み込めません。強制終了の後は、すべてをもう一度伝えます',
  fixAgentForgets:
    'それで構わなければ何もする必要はありません。そうでなければ session/load のあるエージェントを使ってください。docs/guides/agents.md を参照してください。',
  agentUnseen:
    'ここでは確認できないもの: エージェントのログイン、モデルとその費用、リポジトリごとの `environments` の内容',
  fixAgent: '上のメッセージと docs/guides/agents.md を参照してください。',
  agentOffline:
    'リポジトリに個別のネットワーク設定がないと、エージェントはネットワークに接続できず、自分のモデルにも接続できません',
  fixAgentOffline:
    'すべて許可するなら tools.run_command.network: true、必要なホストだけなら environments の network.allow に書いてください。docs/guides/environments.md を参照してください。',
  agentWithoutMcp: (names) => `エージェントには mcp_servers のツールが渡されません: ${names}`,
  fixAgentWithoutMcp:
    '必要ならエージェント自身に設定してください。docs/guides/agents.md を参照してください。',
  serverOk: (name, tools) => `${name} にはツールが ${tools} 個あります`,
  serverLacks: (name, tools) => `${name} には次のツールがありません: ${tools}`,
  fixToolList: (name) => `サーバーが示す名前を使うか、mcp_servers.${name}.tools を修正してください。`,
  serverFailed: (name, reason) => `${name}: ${reason}`,
  fixServer: (name) => `mcp_servers.${name} を確認してください。直るまでそのツールなしで動きます。`,
  tracesSent: (endpoint, content) =>
    `トレースを ${endpoint} に送ります（会話や操作の内容は${content ? '含みます' : '含みません'}）`,
  tracesNotTaken: (endpoint, answer) =>
    `${endpoint} はトレースを受け取りません（${answer}）。実行はトレースなしで続きます`,
  metricsSent: (endpoint) => `メトリクスは ${endpoint} に送られます`,
  metricsNotTaken: (endpoint, answer) =>
    `${endpoint} はメトリクスを受け取りません（${answer}）。実行はそのまま続きます`,
  fixMetrics:
    'OTEL_EXPORTER_OTLP_ENDPOINT と OTEL_EXPORTER_OTLP_HEADERS を確認するか、OTEL_METRICS_EXPORTER=none を設定してください。',
  fixTraces: 'OTEL_EXPORTER_OTLP_ENDPOINT と OTEL_EXPORTER_OTLP_HEADERS を確認するか、外してください。',
  webhooksOff: (name, variable) =>
    `${name} からの通知はありません（${variable} が未設定）。一定の間隔で確認します`,
  webhooksOn: (name, address) =>
    `${name} は http://${address} に通知できます。登録する内容は docs/guides/webhooks.md にあります`,
  webhooksWithoutPort: (name, variable) =>
    `${variable} は設定されていますが、${name} の通知を受け取るポートがありません`,
  fixWebhookPort: '設定の http.port を決めるか、この環境変数を外してください。',
  webhookSecretShort: (variable) => `${variable} が短すぎます。推測した人が通知を送れます`,
  fixWebhookSecret: (characters) =>
    `${characters} 文字以上の乱数（openssl rand -hex 32 など）を、ここと相手側の両方に設定してください。`,
  planning: (on, decider) => `計画モード: ${on ? '有効' : '無効'}（${decider} で決まっています）`,
  prePlanning: (on, decider) => `計画前の情報収集: ${on ? '有効' : '無効'}（${decider} で決まっています）`,
  variableUseless: (variable) => `${variable} の値は使えないため、無視されます`,
  fixVariable: (variable) =>
    variable.endsWith('_ENABLED')
      ? `${variable} を true か false にするか、外してください。`
      : `${variable} を設定ファイルの同じ項目で使える値にするか、外してください。`,
  allWell: 'すべて問題ありません。',
  summary: (failed, warnings) => `直すもの ${failed} 件、確認するもの ${warnings} 件。`,
};
