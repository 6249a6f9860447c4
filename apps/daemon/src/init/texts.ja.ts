import { formatCommand } from '../command-name.ts';
import type { PresetChoice } from './choose-preset.ts';
import type { InitTexts } from './texts.en.ts';

const presetReasons: Readonly<Record<PresetChoice['reason'], (model: string) => string>> = {
  'has-model': (model) => `そのサーバーに ${model} があります`,
  'runs-here': () => 'そこでモデルのサーバーが動いています',
  'openai-name': (model) => `${model} は OpenAI のモデルです`,
  'openai-key': () => 'OPENAI_API_KEY が設定されています',
  default: () => '既定値',
};

/** Texts of `init` in Japanese. */
export const ja: InitTexts = {
  questions: {
    platform: 'プラットフォームは？',
    repositories: 'どのリポジトリですか？（owner/repo、複数はコンマ区切り）',
    trigger: 'タスクの始め方は？（label: ラベル、assignment: アサイン、mention: メンション）',
    baseUrl: 'GitHub Enterprise または自己管理の GitLab の API URL は？',
    preset: 'モデルの接続先は？',
    model: 'モデルの名前は？',
    llmBaseUrl: 'モデルの接続先のベース URL は？（標準と違う場合）',
    createLabels: 'タスクを始め、状態を示すラベルを、これらのリポジトリに今作りますか？',
  },
  oneOf: (choices) => `${choices} のどれかを答えてください。`,
  needed: '答えが必要です。',
  noRepository: (name) =>
    `「${name}」は owner/repo または group/project の形で、ホスト名なしで書いてください。`,
  defaultsTo: (value) => `[${value}]`,
  none: 'なし',
  yesOrNo: '(y/n) [y]',
  serverFound: (url, models) =>
    `モデルのサーバーが見つかりました: ${url}${models === '' ? '' : `（${models}）`}`,
  presetChosen: ({ preset, reason, baseUrl, model }) =>
    `モデルの接続先: ${preset}、${baseUrl}（${presetReasons[reason](model)}）。変えるには --llm-preset か、設定の llm.preset を使ってください。`,
  missing: (options) =>
    `必要なオプションがありません: ${options}。指定するか、端末で「${formatCommand('init')}」を実行してください。`,
  exists: (files) => `すでにあります: ${files}。何も書いていません。--force で上書きします。`,
  written: (file) => `${file} を作りました`,
  next: (names, areLabelsMissing) =>
    [
      '次にすること:',
      `  1. ${names === '' ? '設定にある秘密の値' : names} を環境変数に入れるか、.env.example を .env にコピーして記入する（.env は git に入れない）`,
      ...(areLabelsMissing ? [`  2. ${formatCommand('labels')}`] : []),
      `  ${areLabelsMissing ? 3 : 2}. ${formatCommand('doctor')}`,
      `  ${areLabelsMissing ? 4 : 3}. ${formatCommand('run')}`,
    ].join('\n'),
  obstacles: {
    root: 'このアカウントは root なのでデーモンは起動しません。専用のアカウントで起動するか、tools.run_command の「allow_root: true」の「#」を外してください。',
    'other-system':
      'コマンドを隔離する bubblewrap は Linux でしか動きません。tools.run_command を「sandbox: external」にして Linux のコンテナーでデーモンを動かすか、「sandbox: off」にしてください（隔離しません）。',
    'bubblewrap-missing':
      'コマンドを隔離する bubblewrap がないため、デーモンは起動しません。パッケージ bubblewrap をインストールするか、tools.run_command を「sandbox: external」（デーモンを囲むコンテナーが隔離する）か「sandbox: off」（隔離しない）にしてください。',
    'bubblewrap-blocked':
      'コマンドを隔離する bubblewrap がここでは動かないため、デーモンは起動しません。ユーザー名前空間を許可するか、tools.run_command を「sandbox: external」（デーモンを囲むコンテナーが隔離する）か「sandbox: off」（隔離しない）にしてください。',
    'filter-refused':
      'このマシンではシステムコールを制限できないため、デーモンは起動しません。seccomp フィルターのあるカーネル（x64 か arm64）で動かすか、tools.run_command を「sandbox: external」（デーモンを囲むコンテナーが隔離する）か「sandbox: off」（隔離しない）にしてください。',
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
    baseUrl: '自分のサーバーの API URL。',
    token: 'トークンの入った環境変数。',
    app: '作業する App。App ID と、このファイルと同じ場所の秘密鍵。',
    trigger:
      'タスクの始め方: label（下の最初のラベル）、assignment（アサイン）、mention（コメントでの @名前。初回起動より前のものは数えません）。',
    labels: '進み具合を表します。trigger が label のときは、最初のラベルを付けると作業が始まります。',
    preset: 'openai、lmstudio、ollama のどれか。アドレス、API、キーは標準のものになります。',
    model: '環境変数 LLM_MODEL が優先されます。',
    llmBaseUrl: '環境変数 LLM_BASE_URL が優先されます。',
    contextLength: 'サーバーが報告した、モデルのコンテキスト長（トークン）。',
    api: 'responses か chat。',
    key: '接続先のキーの入った環境変数。',
    locale: 'コメントの言語: ja、en、auto（Issue の言語）。',
    poll: '新しいタスクを確認する間隔（秒）。',
    concurrency: '同時に実行するタスクの数。',
    limits: '実行を止める上限。',
    tools: '実行してよいコマンドの名前。書かなければ一般的なビルドツール。',
    sandbox:
      'コマンドの隔離。required: bubblewrap で隔離（なければ起動しません）。external: コンテナーなどで自分で隔離。off: 隔離なし。',
    network: 'コマンドがデーモンのプロキシー経由でインターネットを使えるか。',
    inheritance: '既定では、同じ Issue の以前の作業を引き継ぎます。',
    planning:
      '作業の前に計画を立て、結果を検証し、経過を知らせます。この行を有効にすると計画を立てません（モデルの呼び出しが減ります）。',
    http: 'GET /healthz、/readyz、/metrics、/tasks.json（このマシンだけ）。',
    webhooks: 'この環境変数と http.port があれば、通知を受け取ります（docs/guides/webhooks.md）。',
    secrets: [
      'このファイルを設定と同じ場所の .env にコピーして記入し、.env は git に入れないでください。',
      '環境変数が優先されます。',
    ],
  },
};
