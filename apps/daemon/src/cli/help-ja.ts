import type { HelpTexts } from './help-texts.ts';

/** Japanese. */
export const helpJa: HelpTexts = {
  titles: { 'Usage:': '使い方:', 'Arguments:': '引数:', 'Options:': 'オプション:', 'Commands:': 'コマンド:' },
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
  purge: 'タスクについて保存されているものをすべて削除',
  purgeYes: '質問しない',
  purgeExamples: `
実行のディレクトリと索引の記録を削除します。デーモンを終了してから実行してください。

終了コード: 0 削除した、1 削除しなかった（終わっていない実行がある、デーモンが動作中、または拒否した）。`,
  migrate: '以前のプログラムの実行を取り込み、索引を作る',
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
  initBaseUrl: '自分のサーバーの API アドレス',
  initPreset: 'モデルの接続先の種類',
  initModel: 'モデルの名前',
  initLlmUrl: 'モデルの接続先のアドレス',
  initApi: '接続先の API の種類',
  initForce: '既にあるファイルを上書きする',
  initYes: '質問せず、指定された値と既定値を使う',
};
