import { formatCommand } from '../command-name.ts';
import type { DoctorRemedies } from './remedies.en.ts';

const network: DoctorRemedies['network'] = {
  'unknown-host': ({ key }) => `${key} のホスト名と、このマシンの DNS を確認してください。`,
  refused: ({ key, host, isLocal }) =>
    `${host} のサーバーを起動するか、${key} を動いている場所のアドレスにしてください。${isLocal ? 'コンテナーの中では、localhost はそのコンテナー自身です。' : ''}`,
  timeout: ({ host }) =>
    `${host} が動いていることと、ファイアウォールがこのマシンからの接続を許可していることを確認してください。`,
  'no-route': ({ key, host }) =>
    `${host} への経路がありません。このマシンのネットワーク接続と ${key} のアドレスを確認してください。`,
  broken: ({ key }) =>
    `HTTP の応答なしに接続が切られました。${key} のポートと、サーバーが https:// を必要としていないかを確認してください。`,
  'blocked-port': ({ key }) =>
    `${key} をサーバーのポートにしてください。このポートには HTTP で接続できません。`,
  forbidden: ({ host }) =>
    `ファイアウォールかサンドボックスが接続を禁止しています。このプログラムから ${host} への接続を許可してください。`,
  'untrusted-certificate': ({ host }) =>
    `${host} の証明書が自己署名か組織独自のものなら、起動前に NODE_EXTRA_CA_CERTS に認証局のファイルを設定してください（.env では間に合いません）。docs/guides/network.md を参照してください。`,
  'expired-certificate': ({ host }) => `${host} の証明書を更新するか、このマシンの時計を合わせてください。`,
  'other-name': ({ key }) => `${key} を、サーバーの証明書にあるホスト名にしてください。`,
  'no-tls': ({ key }) =>
    `${key} の https:// を http:// にするか、サーバーが TLS で待ち受けるポートを指定してください。`,
  redirect: ({ key }) =>
    `${key} を、サーバーが転送する先のアドレスにしてください。リダイレクトには従いません。`,
  proxy: ({ host }) =>
    `プロキシのアドレスとログイン、プロキシが ${host} への接続を許可していることを確認してください。`,
  unknown: ({ key }) =>
    `${key} とネットワークを確認してください。docs/guides/network.md を参照してください。`,
};

const notInThisShell = (variable: string) =>
  `デーモンが動いている場合、${variable} がないのはこのシェルだけです。root で、デーモンと同じ秘密の値を渡して実行してください: CREDENTIALS_DIRECTORY=/etc/agent/secrets ${formatCommand('doctor')}（コンテナでは /run/secrets）。`;

const config: DoctorRemedies['fixConfig'] = {
  'no-file': () => `「${formatCommand('init')}」で作るか、--config で別のファイルを指定してください。`,
  'unreadable-file': () => 'このプログラムを動かすアカウントに読み取り権限を与えてください（chmod、chown）。',
  'not-a-file': () => 'このプログラムが読み取れる通常のファイルに置き換えてください。',
  'unknown-encoding': () => 'エディターで開き、UTF-8 で保存してください。',
  'invalid-yaml': () => 'その箇所の YAML を直してください。',
  'invalid-settings': () => 'これらの設定を直してください。設定の一覧はデーモンの README にあります。',
  'variable-not-set': () =>
    `${notInThisShell('環境変数')}そうでなければ、環境変数を設定するか、設定ファイルと同じ場所の .env に書いてください。`,
};

const envLine: DoctorRemedies['fixEnvLine'] = {
  'no-equals': 'NAME=value の形で書いてください。',
  'invalid-name': 'NAME=value の形で書いてください。名前には英数字と _ を使えます。',
  'unclosed-quote': '引用符を閉じてください。',
  'cut-value': '値を引用符で囲んでください。',
  'text-after-quote': '閉じ引用符より後の文字を削除してください。',
};

const modelSettings: DoctorRemedies['fixModelSettings'] = {
  'no-model': '設定の llm.model か環境変数 LLM_MODEL にモデル名を書いてください。',
  'no-address': 'llm.base_url にエンドポイントのアドレスを書いてください。',
  'key-not-set': '環境変数を設定するか、設定ファイルと同じ場所の .env に書いてください。',
  'package-missing':
    'そのパッケージをこのプログラムと一緒にインストールするか、別の llm.provider を選んでください。',
  module: 'llm.module のモジュールを直すか、llm.module を削除してください。',
};

const otherSandbox =
  'tools.run_command.sandbox を external（デーモンを囲むコンテナーが隔離する）か off（隔離しない）にしてください。SECURITY.md を参照してください。';

const sandbox: DoctorRemedies['fixSandbox'] = {
  root: '専用のアカウントでデーモンを動かすか、tools.run_command.allow_root: true を設定してください。SECURITY.md を参照してください。',
  'other-system': `Linux か Linux のコンテナーでデーモンを動かすか、${otherSandbox}`,
  'bubblewrap-missing': `パッケージ bubblewrap をインストールするか、${otherSandbox}`,
  'bubblewrap-blocked': `このマシンでユーザー名前空間を許可するか、${otherSandbox}`,
  'filter-refused': `seccomp フィルターのあるカーネル（CONFIG_SECCOMP_FILTER、x64 か arm64）で動かすか、${otherSandbox}`,
};

/** Remedies by the cause of a fault, in Japanese. */
export const remediesJa: DoctorRemedies = {
  network,
  proxyIgnored: (variable) =>
    `${variable} が設定されていますが、Node.js は起動前にこれと NODE_USE_ENV_PROXY=1 の両方が設定されているときだけ使います（.env では間に合いません）。docs/guides/network.md を参照してください。`,
  proxyUsed: (variable, host) =>
    `要求は ${variable} のプロキシを通ります。プロキシが動いていて ${host} への接続を許可していることを確認するか、NO_PROXY にホストを追加してください。`,
  fixConfig: config,
  fixEnvLine: envLine,
  fixEnvLate: 'このプログラムを起動する環境で設定してください。',
  fixTokenNotSet: ({ variable, rights }) =>
    `${notInThisShell(variable)}そうでなければ、トークン（${rights}）を作り、設定ファイルと同じ場所の .env に ${variable}=… と書いてください。`,
  fixToken: ({ variable, rights }) => `新しいトークン（${rights}）を作り、${variable} に入れてください。`,
  fixTokenFile: ({ section }) =>
    `${section}.token_file のファイルにトークンだけを書き、このプログラムを動かすアカウントに読み取り権限を与えてください。`,
  fixAppKeyNotSet: ({ section, variable }) =>
    `${notInThisShell(variable)}そうでなければ、App の設定ページで秘密鍵を生成し、そのファイルを ${section}.app.private_key_file に指定するか、内容を ${variable} に入れてください。`,
  fixAppKey: ({ section }) =>
    `App の設定ページで秘密鍵を生成し、.pem ファイルをそのまま保存して ${section}.app.private_key_file に指定してください。`,
  fixAppLogin: ({ section }) =>
    `${section}.app.app_id を App の設定ページと比べ、その App の秘密鍵を使い、このマシンの時計を確認してください。`,
  fixAppInstallation:
    'リポジトリの所有者に App をインストールし、リポジトリを選んでください。インストールが停止中なら再開してください。',
  fixSuspended: 'アカウントの停止を解除するか、別のアカウントのトークンを使ってください。',
  fixRights: ({ rights }) => `トークンに次の権限を与えてください: ${rights}`,
  fixApiAddress: ({ key, usual, own }) =>
    `${key} を API のアドレスにしてください。${usual}、自分のサーバーなら ${own} です。`,
  fixServerFault: 'サーバー側の障害です。しばらく待ってからやり直し、状況ページかログを確認してください。',
  fixLater: 'しばらく待ってからやり直してください。',
  fixAdapter: 'アダプターかそのオプションを直してください。',
  fixAdapterServer: (section) =>
    `アダプターの先のサーバーが動いていることと、${section} のオプションを確認してください。`,
  fixRoles: 'なくても動きます。各ロールの説明は docs/guides/write-an-adapter.md にあります。',
  fixEmptyPattern:
    'つづり、除外の設定、フォークを含めるかどうか、トークンまたは App がアクセスできるリポジトリを確認してください。',
  fixPattern: (pattern, section) =>
    `${section} の ${pattern} とその上限、トークンでリポジトリの一覧を取得できることを確認してください。`,
  fixAccess: {
    app: (repository) => `つづりを確認し、App のインストール先に ${repository} を追加してください。`,
    classic: (repository) =>
      `つづりを確認し、アカウントに ${repository} へのアクセスを、トークンにスコープ repo を与えてください。`,
    token: (repository) => `つづりを確認し、トークンに ${repository} へのアクセスを与えてください。`,
  },
  fixMoved: '設定に新しい名前を書いてください。',
  fixBranchPrefix:
    'なくても動きます。必要ならそのブランチの名前を変えるか、branch_prefix を設定してください。',
  fixBranchOpen:
    'ブランチを保護するか、プルリクエストを必須にするルールセットを追加してください。GitLab では push を Maintainer だけに許可し、エージェントのアカウントを Developer にしてください。',
  fixGraphql: '/graphql へのリクエストを通すか、base_url を GraphQL のあるサーバーにしてください。',
  fixTrust: 'trust の名前を直すか、アカウントを作ってください。',
  fixAllow:
    'プログラムをインストールするか、tools.run_command.allow から外すか、そのディレクトリーを PATH に追加してください。それまでは呼び出しが失敗します。',
  fixArchived: 'アーカイブを解除するか、設定から外してください。',
  fixIssues: 'Issue もタスクにするなら、リポジトリの設定で有効にしてください。',
  fixRight: {
    app: (right) => `App に権限 ${right} を与え、インストール先で承認してください。`,
    classic: () => 'トークンにスコープ repo を、アカウントにリポジトリへの書き込み権限を与えてください。',
    token: (right) => `トークンに ${right} を、アカウントにリポジトリへの書き込み権限を与えてください。`,
  },
  fixChecks:
    '「Checks: read」のある GitHub App かクラシックトークンを使うか、トークンに「Actions: read」を与えてください（ワークフローのジョブを読みます）。',
  fixRole: 'アカウントに Developer 以上のロールを与えてください。',
  fixGitLogin: 'トークンにリポジトリの内容の読み書きの権限を与えてください。git も同じトークンを使います。',
  fixGitCertificate:
    'GIT_SSL_CAINFO に認証局のファイルを設定してください。git は NODE_EXTRA_CA_CERTS を読みません。docs/guides/network.md を参照してください。',
  fixGitNetwork:
    'git は証明書に GIT_SSL_CAINFO、プロキシに HTTPS_PROXY を使います。Node.js は NODE_EXTRA_CA_CERTS と、NODE_USE_ENV_PROXY=1 のとき HTTPS_PROXY を使います。docs/guides/network.md を参照してください。',
  fixLabel: (label) =>
    `「${formatCommand('labels')}」で、設定にあるすべてのリポジトリに ${label} を作るか、手で作ってください。利用者がタスクを始めるときに付けるラベルです。`,
  fixPort: {
    taken: '別の http.port にするか、このポートを使っているプログラムを終了してください。',
    forbidden: '1024 以上の http.port にするか、このアカウントに小さいポートの使用を許可してください。',
    address: 'http.host を 127.0.0.1 など、このマシンのアドレスにしてください。',
  },
  fixApp: 'App の設定ページで追加し、インストール先で承認してください。',
  fixPending: 'App はすでに要求しています。インストールのページで承認してください。',
  fixTokenEnd:
    '新しいトークンを作るか、更新してください。token_file なら再起動せずに新しいトークンを使います。',
  fixAppTrigger: 'trigger を label か mention にしてください。',
  fixAssignable: (login) =>
    `${login} をコラボレーターかメンバーにするか、trigger を mention にしてください。`,
  fixModelSettings: modelSettings,
  fixPrice: 'llm.prices に、呼び出すときのモデル名で料金を追加してください。無料のモデルは 0 とします。',
  fixPriceName: 'llm.model（または LLM_MODEL）と llm.models にある名前を使うか、その料金を削除してください。',
  fixModelName:
    'llm.model（または LLM_MODEL）をサーバーにあるモデルにするか、サーバーでモデルを読み込んでください。',
  fixModelNear: (model) => `llm.model（または LLM_MODEL）を ${model} にしてください。`,
  fixNoModels:
    'サーバーでモデルを読み込むかダウンロードし、その名前を llm.model（または LLM_MODEL）に書いてください。',
  fixBaseUrl: (url) => `llm.base_url（または LLM_BASE_URL）を ${url} にしてください。`,
  fixModelAddress:
    'llm.base_url（または LLM_BASE_URL）を OpenAI 互換 API のベース URL にしてください。多くは /v1 で終わります。',
  fixModelList:
    '次の行が ✓ なら問題ありません。そうでなければ llm.base_url（多くは /v1 で終わる）を確認してください。',
  fixModelApi: 'llm.api: chat にしてください。サーバーはこのモデルで Responses API に対応していません。',
  fixModelRequest:
    'サーバーのメッセージを確認してください。ツールが理由なら、llm.model（または LLM_MODEL）をツールに対応したモデルにしてください。',
  fixModelAnswer:
    'llm.base_url が OpenAI 互換 API であることを確認し、llm.api のもう一方の値（chat か responses）を試してください。',
  fixModelContext: 'より長いコンテキストでモデルを読み込むか、コンテキストの長いモデルを選んでください。',
  fixModelServer:
    'モデルのサーバーで障害が起きました。サーバーのログと、モデルがメモリーに収まるかを確認してください。',
  fixModelSlow:
    'モデルが読み込まれていることを確認してください。遅いだけなら llm.step_timeout_seconds を増やしてください。',
  fixModelModule: 'llm.module のモデルか、それが読む設定を直してください。',
  fixQuota:
    'モデルのエンドポイントのアカウントに利用枠を追加するか、上限を引き上げてください。その間、実行は待機します。',
  fixRateLimit:
    '待ってからやり直すか、レート制限の緩いアカウントを使ってください。実行は自動的に待機します。',
  fixKey: (variable) => `.env か環境の ${variable} に有効な API キーを入れてください。`,
  fixKeyUnnamed: 'API キーを .env の変数に入れ、その変数名を llm.api_key_env に書いてください。',
  fixContext: (tokens) =>
    `llm.context_length を ${tokens} にするか、必要なコンテキスト長でモデルを読み込んでください。`,
  fixContextUnusable: 'モデルを読み込んだときのコンテキスト長を llm.context_length に設定してください。',
  fixContextSmall: 'より長いコンテキストでモデルを読み込むか、別のモデルを選んでください。',
  fixTools:
    'ツールに対応したモデルを選んでください。サーバーだけが対応していない場合は、モデルのテンプレートを llm.text_tool_calls に設定してください。ツールを呼び出せないと、エージェントは何も変更できません。',
  fixPictures: '画像を受け取るモデルを選ぶか、pictures.enabled を false にしてください。',
  fixModelNotCalled: '応答とツールの呼び出しを調べるには --no-model を外してください。',
  fixGit: 'git 2.31 以降をインストールし、PATH に入れてください。',
  fixSigning:
    'パスフレーズのない秘密鍵を workspaces.signing に指定してください。作り方は docs/guides/signed-commits.md にあります。',
  fixSandbox: sandbox,
  fixHttpSecret:
    '「openssl rand -hex 32」で秘密の値を作ってください。docs/guides/page.md を参照してください。',
  fixProxyIsOpen:
    'tools.run_command.sandbox を required にするか、http.page.proxy を削除してトークン（agent-daemon token NAME）でログインしてもらってください。',
  fixTitlesAreOpen:
    'http.metrics_token_file を設定するか、http.host を 127.0.0.1 にしてください。docs/guides/page.md を参照してください。',
  fixSandboxOff:
    'tools.run_command.sandbox: off を削除すると、コマンドは bubblewrap の中で動きます。隔離の内容は SECURITY.md にあります。',
  fixDirectory: {
    permission:
      'このプログラムを動かすアカウントに書き込み権限を与えるか、別のディレクトリを指定してください。',
    full: 'そのディスクの空きを増やすか、別のディスクのディレクトリを指定してください。',
    file: '同じ名前のファイルがあります。移動するか、別のディレクトリを指定してください。',
    other: '書き込めるディレクトリを指定してください。',
  },
  fixDatabase: {
    login: (variable) => `${variable} のユーザーとパスワードを直してください。`,
    missing: (variable) => `データベースを作るか、${variable} のデータベース名を直してください。`,
    rights: () =>
      'データベースのユーザーにスキーマの作成を許可するか、スキーマを作っておいてください。docs/guides/many-hosts.md を参照してください。',
    other: (variable) => `${variable} のアドレスを確認してください。`,
  },
  fixUnencrypted: (variable) =>
    `${variable} のアドレスに ?sslmode=verify-full を付けてください。docs/guides/many-hosts.md を参照してください。`,
  fixClock: '両方のマシンの時計を chrony などで合わせてください。',
  fixAgentForgets:
    'なくても動きます。必要なら session/load に対応したエージェントを使ってください。docs/guides/agents.md を参照してください。',
  fixAgent: 'docs/guides/agents.md を参照してください。',
  fixAgentOffline:
    'すべて許可するなら tools.run_command.network: true、必要なホストだけなら environments の network.allow に書いてください。docs/guides/environments.md を参照してください。',
  fixAgentWithoutMcp:
    '必要ならエージェント自身に設定してください。docs/guides/agents.md を参照してください。',
  fixToolList: (name) => `サーバーが示す名前を使うか、mcp_servers.${name}.tools を直してください。`,
  fixWaitingTool: (tool) =>
    `サーバーが示すツールの説明を確認してから、次を実行してください: agent-daemon accept ${tool}（デーモンが一度サーバーに接続した後で実行できます）`,
  fixServerProgram: (name) =>
    `mcp_servers.${name}.command のプログラムをインストールするか、パスを直してください。`,
  fixServerToken: '環境変数を設定するか、設定ファイルと同じ場所の .env に書いてください。',
  fixServer: (name) => `mcp_servers.${name} を確認してください。直るまで、そのツールなしで動きます。`,
  fixOtlp: {
    login: '受信側のログインを OTEL_EXPORTER_OTLP_HEADERS に書いてください。',
    address: (variable) =>
      `${variable} を受信側の OTLP/HTTP のエンドポイント（多くはポート 4318、パスなし）にしてください。`,
    grpc: (variable) =>
      `${variable} を受信側の OTLP/HTTP のポート（多くは 4318）にしてください。ポート 4317 は gRPC 用で、対応していません。`,
    other: '受信側のログを確認してください。',
  },
  fixWebhookPort: '設定の http.port を決めるか、この環境変数を外してください。',
  fixWebhookSecret: (characters) =>
    `${characters} 文字以上の乱数（openssl rand -hex 32 など）を、ここと相手側の両方に設定してください。`,
  fixVariable: (variable) =>
    variable.endsWith('_ENABLED')
      ? `${variable} を true か false にするか、外してください。`
      : `${variable} を設定ファイルの同じ項目で使える値にするか、外してください。`,
};
