import type { OptionalRole } from '@agent/platforms/custom';
import type { EnvFileProblem } from '@agent/text/files';
import { remediesJa } from './remedies.ja.ts';
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

const envLine: Readonly<Record<EnvFileProblem['kind'], (name: string) => string>> = {
  'no-equals': () => '「=」がないため、この行は無視されます',
  'invalid-name': () => '「=」の前が変数名ではないため、この行は無視されます',
  'unclosed-quote': (name) => `${name} の値の引用符が閉じられていません`,
  'cut-value': (name) => `${name} の値は、コメントの始まりになる「#」の手前で切れています`,
  'text-after-quote': (name) => `${name} の閉じ引用符より後の文字は無視されます`,
};

/** Texts of `doctor` in Japanese. */
export const ja: DoctorTexts = {
  ...remediesJa,
  configOk: (file) => `${file} は正しい設定です`,
  noConfig: (file) => `${file} に設定ファイルがありません`,
  envLine: (file, { line, kind, name }) => `${file} ${line} 行目: ${envLine[kind](name ?? '')}`,
  envLate: (names) => `.env に ${names} がありますが、Node.js が読むのは起動時だけです`,
  connected: (host, login) => `${host} に ${login} として接続しました`,
  rolesOff: (roles) =>
    `アダプターにないため使えない機能: ${roles.map((role) => `${role}（${withoutRole[role]}）`).join('、')}`,
  tasksListed: (count) => `待機中のタスク: ${count} 件`,
  threadsListed: (count) => `メンションを探すオープンなスレッド: ${count} 件`,
  patternFinds: (pattern, count) => `${pattern} に当てはまるリポジトリ: ${count} 件`,
  patternFindsNone: (pattern) => `${pattern} に当てはまるリポジトリはありません`,
  sameIn: (count: number, names: readonly string[]) =>
    `（ほか ${count} 件のリポジトリも同じです: ${names.join(', ')}${count > names.length ? ' など' : ''}）`,
  foundAreWell: (count) => `パターンで見つかった ${count} 件に問題はありません`,
  cannotSee: (repository, answer) =>
    `${repository} が存在しないか、トークンにアクセス権がありません（${answer}）`,
  noAccess: (repository, answer) => `トークンに ${repository} へのアクセス権がありません（${answer}）`,
  moved: (repository) => `${repository} は別の名前に移動しています`,
  otherAnswer: (repository, answer) => `${repository}: API の応答ではありません（${answer}）`,
  serverFailed: (repository, answer) => `${repository}: サーバーで障害が起きました（${answer}）`,
  archived: (repository) => `${repository} はアーカイブ済みで、書き込めません`,
  noIssues: (repository) => `${repository} は Issue が無効です。プルリクエストだけがタスクになります`,
  branchOpen: (repository, branch) =>
    `${repository}: 既定のブランチ ${branch} が保護されていないため、エージェントのトークンで直接 push できます`,
  otherRepository: (path) => `${path}: 以前は別のリポジトリの名前でした。タスクを開始しません`,
  branchBlocks: (repository, branch, prefix) =>
    `${repository} にブランチ「${branch}」があるため、「${prefix}/…」を作れません。代わりに「${prefix.replaceAll('/', '-')}-…」を使います`,
  mayWrite: (repository) =>
    `${repository}: 読み取り、プッシュ、コメント、ラベル付け、ドラフトの作成ができます`,
  mayNot: (repository, right, status) =>
    `${repository}: トークンに ${right} の権限がありません（HTTP ${status}）`,
  checksAreJobs: (repository) =>
    `${repository}: トークンではチェックを読めません。代わりにワークフローのジョブだけを読みます`,
  checksHidden: (repository) =>
    `${repository}: トークンではチェックもワークフローも読めないため、失敗したチェックは実行に伝わりません`,
  roleTooLow: (project, level) =>
    `${project}: アカウントのアクセスレベルは ${level} で、Developer（30）未満です`,
  unknownAnswer: (repository, question, status) =>
    `${repository}: ${question} の権限があるか分かりません（HTTP ${status}）`,
  notAsked: (repository, reason) => `${repository} を調べられません: ${reason}`,
  gitFails: (repository, reason) => `${repository}: API は応答しますが、git は接続できません: ${reason}`,
  labelNotThere: (repository, label) => `${repository}: ラベル ${label} がありません`,
  portTaken: (address, reason) => `${address} で待ち受けできません（${reason}）`,
  mentioned: (repository, login) => `${repository}: @${login} にメンションするとタスクが始まります`,
  assignable: (repository, login) => `${repository}: ${login} をアサインするとタスクが始まります`,
  notAssignable: (repository, login) => `${repository}: ${login} はアサインできません`,
  requestBudgets: ({ primary, secondary, contents }) =>
    `リクエストの上限: 1 時間あたりの上限 ${primary ? 'オン' : 'オフ'}、1 分あたりの上限 ${secondary ? 'オン' : 'オフ'}、コメントなどの作成数 ${contents === null ? '無制限' : `1 時間に ${contents} 件まで`}`,
  asApp: (slug) => `GitHub App として動きます。メンションは @${slug} です`,
  purposes: {
    branches: '変更のブランチ',
    threads: 'コメントとラベル',
    drafts: 'ドラフトのプルリクエスト',
    checks: 'コミットのチェック結果',
    actions: '失敗したジョブのログ',
    reruns: '失敗したジョブの再実行',
    workflows: '.github/workflows のファイルの変更のプッシュ',
    hearing: 'ポーリングではなく Webhook での受信',
  },
  appLacks: {
    'permission-missing': (name, purpose) => `App に権限 ${name} がありません（用途: ${purpose}）`,
    'event-missing': (name, purpose) => `App がイベント ${name} を受け取りません（用途: ${purpose}）`,
  },
  graphqlMissing: (status) => `サーバーが GraphQL に応答しないため（HTTP ${status}）、タスクを始められません`,
  trusted: (names) => `trust のアカウントはすべてあります: ${names}`,
  retention: (days, setting) => `終了した実行のデータは ${days} 日後に削除されます (${setting})`,
  programsThere: 'tools.run_command.allow のプログラムはすべて PATH にあります',
  programsMissing: (names) => `tools.run_command.allow のプログラムが PATH にありません: ${names}`,
  tokenEnds: (day) => `トークンの期限は ${day} です`,
  appNotAssignable: (slug) => `${slug} は App です。GitHub では App をアサインできません`,
  labelsThere: (repository) => `${repository}: ラベルはすべてあります`,
  labelsMissing: (repository, labels) => `${repository}: 必要なときに作られるラベル: ${labels}`,
  limitWithoutPrice: (models) =>
    `limits.max_cost が設定されていますが、llm.prices に ${models} の料金がないため、実行は始まりません`,
  withoutPrice: (models) => `llm.prices に ${models} の料金がないため、その費用は集計されません`,
  priced: (limited) =>
    `すべてのモデルに料金があります${limited ? '。limits.max_cost が費用を制限しています' : '。費用の上限はありません'}`,
  notCounted: '費用は集計されていません（llm.prices に料金がありません）',
  priceUnused: (models) => `llm.prices にある ${models} は、どの実行でも使われません`,
  modelModule: (model) => `llm.module がモデル ${model} を返しました`,
  modelListed: (url, count) => `${url} は応答し、モデルを ${count} 個挙げています`,
  modelCapabilities: (model, { found, ...can }) => {
    const names = [
      ['ツールの呼び出し', can.toolCalls],
      ['構造化出力', can.structuredOutput],
      ['推論', can.reasoning],
      ['画像', can.images],
    ] as const;
    const list = (wanted: boolean) => names.flatMap(([name, value]) => (value === wanted ? [name] : []));
    const parts = [
      ...(found === null ? [] : [`コンテキスト ${found.toLocaleString('en')} トークン`]),
      ...list(true),
      ...list(false).map((name) => `${name}なし`),
    ];
    return `${model} についてのサーバーの報告: ${parts.join('、')}`;
  },
  contextDiffers: ({ found, used, isSet }) =>
    `llm.context_length ${isSet ? '' : 'の既定値'}は ${used.toLocaleString('en')} ですが、サーバーの報告は ${found.toLocaleString('en')} トークンです`,
  contextUnusable: (reported, used) =>
    `サーバーが報告したコンテキスト長は ${reported} です。${used.toLocaleString('en')} トークンとみなします`,
  contextSmall: (tokens, least) =>
    `コンテキストは ${tokens.toLocaleString('en')} トークンです。実行には少なくとも ${least.toLocaleString('en')} トークンが必要です`,
  modelNotListed: (model, others) =>
    `サーバーの一覧に ${model} はありません。あるもの: ${others === '' ? 'なし' : others}`,
  modelUnknown: (model, others) =>
    `サーバーにモデル ${model} はありません。あるもの: ${others === '' ? 'なし' : others}`,
  modelListMissing: (url, status) => `${url} はモデルを挙げません（HTTP ${status}）`,
  notModelApi: (url, status, isPage) =>
    isPage
      ? `${url} はウェブページを返します。モデルの API ではありません（HTTP ${status}）`
      : `${url} にモデルの API はありません（HTTP ${status}）`,
  modelUnreachable: (url, reason) => `${url} に接続できません（${reason}）`,
  modelRefusedKey: (url, status) => `${url} が API キーを拒否しました（HTTP ${status}）`,
  modelWantsKey: (url, status) => `${url} には API キーが必要です（HTTP ${status}）`,
  modelWorks: (model, milliseconds) => `${model} は応答し、ツールを呼びます（${milliseconds} ms）`,
  modelWithoutTools: (model) => `${model} は応答しますが、頼んだツールを呼びませんでした`,
  modelFailed: (model, reason) => `${model} が応答しません: ${reason}`,
  modelTakesPictures: (model) => `${model} は画像を受け取ります`,
  modelRefusesPictures: (model, reason) => `${model} は画像を受け取りません: ${reason}`,
  modelNotCalled: '呼び出していません（--no-model）',
  gitOk: (version) => `バージョン ${version}`,
  gitOld: (version) => `バージョン ${version} は古すぎます`,
  gitMissing: 'PATH に git が見つかりません',
  signingOk: (format) => `コミットに署名します（${format}）`,
  sandboxOk: (network) =>
    `コマンドは bubblewrap の中で動きます（ネットワーク${network ? 'あり' : 'なし'}）。メモリーとプロセスは 1 秒ごと、ディスクは 10 秒ごとに測るため、その間は上限を超えることがあります（問題になる場合は、デーモンに cgroup と quota を設定してください）`,
  sandboxExternal:
    'コマンドは、設定にあるとおり、デーモンを動かしているコンテナーの中に閉じ込められます。`environments` のネットワークの一覧とログインはデーモンでは守れず、目印を隠したプロセスは制限から漏れます。メモリー、プロセス、ディスクはコンテナー側で制限してください',
  proxyIsOpen: (sandbox) =>
    `http.page.proxy と sandbox: ${sandbox} が同時に設定されています。コマンドはデーモンのアカウントで動くため、プロキシの秘密の値やソケットを使って、ウェブ画面でほかの利用者として操作できます`,
  titlesAreOpen: (host) =>
    `http.host が ${host} なので、ほかのマシンからログインなしで /tasks.json のタスクの件名を読めます`,
  sandboxOff:
    'コマンドは、設定にあるとおり、サンドボックスなしで、デーモンと同じ権限で動きます。`environments` のネットワークの一覧とログインは守られず、目印を隠したプロセスは制限から漏れます',
  directoryOk: (key, path) => `${key}: ${path} に書き込めます`,
  directoryFailed: (key, path, reason) => `${key}: ${path} を使えません（${reason}）`,
  databaseOk: (location, { version, latency, difference }) =>
    `${location}: PostgreSQL ${version}、実行を保存する権限あり。応答 ${latency} ms、時計の差 ${difference} ms`,
  databaseFailed: (location, reason) => `${location} に実行を保存できません（${reason}）`,
  databaseUnencrypted:
    'データベースへの接続が暗号化されていません。パスワードや会話が途中で読まれるおそれがあります',
  databaseClock: (difference) => `サーバーの時計がこのマシンと ${difference} ms ずれています`,
  agentWorks: (facts) =>
    `${facts.name} はコマンドと同じ場所で起動し、応答します。作業中の連絡方法: ${facts.steering}。${facts.loadsSessions ? 'セッションを読み込めるので、伝えた内容は強制終了の後も会話に一度だけ残ります' : 'セッションを保持しません'}`,
  agentUnnamed: '名前を名乗らないエージェント',
  agentForgets: 'エージェントはセッションを読み込めません。強制終了の後は、すべてをもう一度伝えます',
  agentUnseen:
    'ここでは確認できないもの: エージェントのログイン、モデルとその費用、リポジトリごとの `environments` の内容',
  agentOffline:
    'リポジトリに個別のネットワーク設定がないと、エージェントはネットワークに接続できず、自分のモデルにも接続できません',
  agentWithoutMcp: (names) => `エージェントには mcp_servers のツールが渡されません: ${names}`,
  serverOk: (name, tools) => `${name} にはツールが ${tools} 個あります`,
  serverLacks: (name, tools) => `${name} には次のツールがありません: ${tools}`,
  toolWaits: (tool) => `${tool} は MCP サーバーで変更または追加されたため、承認されるまで使われません`,
  serverUnusable: (name, reason) => `${name}: ${reason}`,
  tracesSent: (endpoint, content) =>
    `トレースを ${endpoint} に送ります（会話や操作の内容は${content ? '含みます' : '含みません'}）`,
  tracesNotTaken: (endpoint, answer) =>
    `${endpoint} はトレースを受け取りません（${answer}）。実行はトレースなしで続きます`,
  metricsSent: (endpoint) => `メトリクスは ${endpoint} に送られます`,
  metricsNotTaken: (endpoint, answer) =>
    `${endpoint} はメトリクスを受け取りません（${answer}）。実行はそのまま続きます`,
  webhooksOff: (name, variable) =>
    `${name} からの通知はありません（${variable} が未設定）。一定の間隔で確認します`,
  webhooksOn: (name, address) =>
    `${name} は http://${address} に通知できます。登録する内容は docs/guides/webhooks.md にあります`,
  webhooksWithoutPort: (name, variable) =>
    `${variable} は設定されていますが、${name} の通知を受け取るポートがありません`,
  webhookSecretShort: (variable) => `${variable} が短すぎます。推測した人が通知を送れます`,
  planning: (on, decider) => `計画モード: ${on ? '有効' : '無効'}（${decider} で決まっています）`,
  prePlanning: (on, decider) => `計画前の情報収集: ${on ? '有効' : '無効'}（${decider} で決まっています）`,
  variableUseless: (variable) => `${variable} の値は使えないため、無視されます`,
  allWell: '問題は見つかりませんでした。',
  summary: (failed, warnings) => `エラー ${failed} 件、警告 ${warnings} 件。`,
};
