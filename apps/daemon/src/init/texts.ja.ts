import type { InitTexts } from './texts.en.ts';

/** Texts of `init` in Japanese. */
export const ja: InitTexts = {
  questions: {
    platform: 'タスクはどこにありますか？',
    repositories: 'どのリポジトリですか？（owner/repo、複数はコンマ区切り）',
    trigger: '作業の頼み方は？（label: ラベル、assignment: アサイン、mention: メンション）',
    baseUrl: '自分のサーバーの API アドレスは？',
    preset: 'モデルの接続先の種類は？',
    model: 'モデルの名前は？',
    llmBaseUrl: 'モデルの接続先のアドレスは？（標準と違う場合）',
  },
  oneOf: (choices) => `${choices} のどれかを答えてください。`,
  needed: 'これは必要です。',
  noRepository: (name) =>
    `「${name}」は owner/repo または group/project の形で、ホスト名なしで書いてください。`,
  defaultsTo: (value) => `[${value}]`,
  none: 'なし',
  missing: (options) =>
    `足りないもの: ${options} を指定するか、端末で「agent-daemon init」を実行してください。`,
  exists: (files) => `すでにあります: ${files}。何も書いていません。--force で上書きします。`,
  written: (file) => `${file} を作りました`,
  next: (names) =>
    `次にすること:\n  1. ${names === '' ? '必要な秘密の値' : names} を環境変数に入れるか、.env.example を .env に写して記入する（.env は git に入れない）\n  2. agent-daemon doctor\n  3. agent-daemon run`,
  obstacles: {
    root: 'このアカウントは root なのでデーモンは起動しません。専用のアカウントで起動するか、tools.run_command の「allow_root: true」の「#」を外してください。',
    bubblewrap:
      'ここでは bubblewrap が動かないのでデーモンは起動しません。パッケージ bubblewrap を入れてユーザー名前空間を許可するか、tools.run_command に「sandbox: external」（コマンドを閉じ込めるコンテナーの中）か「sandbox: off」（何も守りません）と書いてください。',
  },
  aborted: '何も書いていません。',
  notWritten: (file) => `何も書いていません。${file} に指定された内容`,
  appElsewhere: 'App は GitHub のものです。--app を外すか、--platform github を指定してください。',
  appPage: {
    title: (app) => `GitHub App「${app}」を作る`,
    forAccount: (owner) => `自分のアカウント（${owner}）に作る`,
    forOrganization: (owner) => `組織 ${owner} に作る`,
    steps: (page, key) =>
      `ブラウザーですること:\n  1. ${page} を開いてボタンを押す。作られた App の設定ページで秘密鍵を生成し、設定ファイルと同じ場所に ${key} として保存し（モード 600、git に入れない）、APP_ID を App ID に置き換える\n  2. 同じページの「Install App」で、リポジトリを選んでインストールする`,
  },
  comments: {
    head: [
      'agent-daemon の設定。知らないキーや誤った値は起動時にエラーになります。',
      '相対パスはこのファイルが起点です。秘密の値はここに書きません（.env.example を参照）。',
    ],
    repositories: 'タスクにする Issue などのあるリポジトリ。',
    baseUrl: '自分のサーバーの API アドレス。',
    token: 'トークンの入った環境変数。',
    app: '作業する App。App ID と、このファイルと同じ場所の秘密鍵。',
    trigger:
      '作業の頼み方: label（下の最初のラベル）、assignment（アサイン）、mention（コメントでの @名前。初回起動より前のものは数えません）。',
    labels: '進み具合を表します。trigger が label のときは、最初のラベルを付けると作業が始まります。',
    preset: 'openai、lmstudio、ollama のどれか。アドレス、API、キーは標準のものになります。',
    model: '環境変数 LLM_MODEL が優先されます。',
    llmBaseUrl: '環境変数 LLM_BASE_URL が優先されます。',
    api: 'responses か chat。',
    key: '接続先のキーの入った環境変数。',
    locale: 'コメントの言語: ja、en、auto（スレッドの言語）。',
    poll: 'タスクを探す間隔（秒）。',
    concurrency: '同時に実行するタスクの数。',
    limits: '終わらない実行を終わらせる上限。',
    tools: '実行してよいコマンドの名前。書かなければ一般的なビルドツール。',
    sandbox:
      'required は bubblewrap に閉じ込め、なければ起動しません。external はデーモンを囲むコンテナーに任せ、off は何も守りません。',
    network: 'コマンドがネットワークを使えるか。',
    inheritance: '同じスレッドの以前の作業を引き継ぎます。引き継がないときはこの行を有効にします。',
    planning:
      '作業の前に計画を立て、結果を検証し、経過を知らせます。この行を有効にすると計画を立てません（モデルの呼び出しが減ります）。',
    http: 'GET /healthz、/readyz、/metrics、/tasks.json（このマシンだけ）。',
    webhooks: 'この環境変数と http.port があれば、通知を受け取ります（docs/guides/webhooks.md）。',
    secrets: [
      'このファイルを設定と同じ場所の .env に写して記入し、.env は git に入れないでください。',
      '環境変数が優先されます。',
    ],
  },
};
