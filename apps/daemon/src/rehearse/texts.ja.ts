import { formatCommand } from '../command-name.ts';
import type { RehearsalTexts } from './texts.en.ts';

const daemonSaid = (warnings: string) => (warnings === '' ? '' : `デーモンのログ：${warnings}`);

/** Japanese texts. */
export const ja: RehearsalTexts = {
  titles: {
    access: 'エージェントの権限',
    model: 'モデル',
    person: '2つ目のアカウント',
    single: '同時実行なし',
    labels: 'ラベル',
    start: '実行の開始',
    comment: '実行中のコメント',
    'fresh-list': 'コメント一覧',
    reaction: 'リアクション',
    edit: 'コメントの編集',
    deletion: 'コメントの削除',
    pages: '一覧のページ',
    conditional: '条件付きリクエスト',
    'rate-limit': 'レート制限のヘッダー',
    clock: '時計',
    pause: '/pause',
    resume: '/resume',
    crash: '異常終了と再起動',
    draft: 'ドラフト',
    review: 'レビュー',
    stop: '/stop',
    report: '報告',
    webhook: 'webhook',
    'clean-up': '後片付け',
  },
  issue: {
    title: 'Agent rehearsal',
    body: [
      `\`${formatCommand('rehearse')}\` がこのリポジトリを確認するためにこのイシューを作成しました。最後にクローズし、プラットフォームが許せば削除します。`,
      '',
      'ルートディレクトリにファイル `agent-rehearsal.md` を作成してください。ツールは1回に1つだけ呼び、小さな手順で進めてください。',
      '',
      '1. `# Rehearsal` という行でファイルを作成する。',
      '2. ファイルを読む。',
      '3. 行 `step 1` を追加し、もう一度ファイルを読む。',
      '4. `step 2`、`step 3`、`step 4`、`step 5` についても1つずつ同じようにする。',
      '',
      '他のファイルは変更せず、テストも実行しないでください。コメントで行の追加を求められたら、それも追加してください。',
    ].join('\n'),
  },
  comments: {
    stays: '行 `mango` も追加してください。',
    edited: '行 `papaya` も追加してください。',
    deleted: '行 `durian` も追加してください。',
  },
  editedComment: '行 `guava` も追加してください。',
  longWorkComment: '行 `step 6` から `step 30` までを、それぞれ1回のツール呼び出しで追加してください。',
  reviewComment: 'この行の末尾に感嘆符を付けてください。',

  intro: (repository, agent, person) =>
    `${repository} でリハーサルを行います。エージェントは @${agent}、利用者は ${person} です。`,
  interactive: 'あなた（ブラウザーで操作）',
  confirm: (repository) =>
    `${repository} にイシューとドラフトを作成し、設定されたモデルを呼び出し、最後に両方をクローズし、プラットフォームが許せば削除します。\n確認のため、リポジトリの名前を入力してください：`,
  confirmNeeded: (repository) => `ここでは確認できません。--yes ${repository} で確認してください。`,
  notAnswered: '確認されませんでした。何も変更していません。',
  notConfirmed: (repository) => `入力が ${repository} ではないため中止しました。何も変更していません。`,
  personNeeded:
    'ここではブラウザーでの操作を依頼できません。2つ目のトークンの変数を --person-token-env で指定してください。',
  personTokenNameInvalid:
    '--person-token-env にはトークンではなく、PERSON_TOKEN のような変数の名前を指定してください。トークンを入力した場合は、シェルの履歴に残るため失効させてください。',
  personTokenMissing: (name) =>
    `変数 ${name} が設定されていません。利用者役のアカウントのトークンを入れてください。`,
  repositoryNeeded: '--repository owner/name を指定してください。',
  repositoryInvalid: (name) =>
    `--repository：「${name}」はリポジトリの名前ではありません。owner/name の形で指定してください。`,
  repositoryRefused: (name, reason) => `--repository ${name} は設定で使えません：${reason}`,
  observeElsewhere: `リハーサルに --observe はありません。実行の内容を確かめるには「${formatCommand('run')} --observe --thread owner/name#1」を使ってください。`,
  platformMissing: (name) => `設定に platforms.${name} がありません。`,
  platformNeeded: (names) =>
    `複数のプラットフォームが設定されています。--platform で選んでください：${names}`,
  noPlatform: '設定に GitHub も GitLab もありません。リハーサルにはどちらかが必要です。',
  configNotWritten: (file, reason) =>
    `${file} を書き込めません（${reason}）。リハーサルは設定を同じ場所に書き、最後に削除します。書き込める場所で実行してください。`,

  portTaken: (address, reason) =>
    `リハーサルは ${address} で webhook を受信できません（${reason}）。http.port を使っているデーモンを停止するか、http.port のない設定で実行してください。その場合、コメントはポーリングで見つかります。`,

  steps: {
    openIssue: (page, label) =>
      `→ このページを開き、イシューを作成して、ラベル「${label}」を付けてください。\n  ${page}`,
    post: (url, body) => `→ ${url} にコメントしてください。\n  ${body}`,
    edit: (body) => `→ 2番目に書いたコメントを次の文に編集してください。\n  ${body}`,
    remove: '→ 3番目に書いたコメントを削除してください。',
    review: (url, place, body) => `→ ${url} の変更を開き、${place} にコメントしてください。\n  ${body}`,
  },
  stepNotSeen: '時間内に操作を確認できませんでした。',

  accessPassed: (login) => `@${login} は読み書きでき、git でログインできます`,
  modelPassed: 'モデルは応答し、ツールを呼び出します',
  modelNotChecked: 'この種類のモデルは doctor では呼び出しません。実行が動作を示します',
  personPassed: (login) => `@${login} は書き込めます`,
  personInteractive: 'あなたが利用者役です。信頼されたアカウントかどうかは実行が示します',
  sameAccount: (login) => `2つ目のトークンはエージェントと同じ @${login} のものです`,
  personCannotWrite: (login) => `@${login} は書き込めないため、そのコメントはコマンドになりません`,
  alone: '他のリハーサルは開いていません',
  otherOpen: (url) => `別のリハーサルが開いています：${url}`,
  labelsCreated: 'ラベルを作成できます',
  taskRefused: (reason) => `デーモンがイシューを受け付けませんでした：${reason}`,
  commentsNotListed: 'サーバーにリポジトリ全体のコメント一覧がない（HTTP 404）ため、タスクを開始できません',
  notStarted: (lacks) => `デーモンに必要な機能がサーバーにないため、実行を開始していません：${lacks}`,
  noRun: 'このサーバーでは実行できません',
  started: (seconds) => `${seconds}秒後にデーモンがイシューを見つけ、着手しました`,
  delivered: (seconds) => `${seconds}秒後にコメントがモデルに届きました`,
  listFresh: (seconds) => `新しいコメントは${seconds}秒後に一覧に現れます`,
  listLate: (seconds) => `新しいコメントは${seconds}秒後にようやく一覧に現れます`,
  noReactions:
    'サーバーにコメントへのリアクションがありません（HTTP 404）。エージェントは 👀 を付けずに作業します',
  reacted: 'エージェントは 👀 を付けます',
  editHidden: '編集しても updated_at が変わらないため、一覧全体を読まないと分かりません',
  editDelivered: (seconds) => `${seconds}秒後に新しい文がモデルに届きました`,
  stillListed: '削除したコメントがまだ一覧にあります。',
  deletionDelivered: (seconds) =>
    `${seconds}秒後に削除がモデルに届きました（削除は再開時と終了前に確認されます）`,
  tooFast: 'この手順の前に実行が終わりました',
  endedEarly: (status, reason) =>
    `この手順の前に実行が終了しました（${status}）${reason === '' ? '' : `：${reason}`}`,
  pagesNamed: '一覧は次のページを示します',
  pagesMissing: '1ページ1件の一覧が次のページを示しません（Link ヘッダーなし）',
  conditional: '変更のない一覧には 304 が返ります',
  notConditional: (status) => `変更のない一覧に 304 ではなく ${status} が返ります`,
  noEtag: 'このプラットフォームはコメントに ETag を返さないため、毎回のポーリングが数えられます',
  rateLimit: '応答に残りのリクエスト数があります',
  noRateLimit: '応答にレート制限のヘッダーがありません。このサーバーではレート制限が無効かもしれません',
  clockRight: 'このマシンとプラットフォームの時計は合っています',
  clockWrong: (seconds) => `このマシンとプラットフォームの時計が${seconds}秒ずれています`,
  noClock: '応答に Date ヘッダーがありません',
  paused: '実行は一時停止し、ラベルがそれを示します',
  resumed: '実行は再開しました',
  noRecord: '実行の記録がまだありません',
  commandRefused: 'デーモンはコマンドを無視しました。アカウントが信頼されていません',
  recovered: (seconds) => `強制終了して再起動し、${seconds}秒後に同じ実行が続きました`,
  statusComments: (count) => `再起動後、イシューの状態コメントが1件ではなく${count}件あります`,
  draftOpened: (url) => `ドラフトを作成しました：${url}`,
  notDraft: (url) => `${url} はドラフトではありません`,
  endedWithoutDraft: (status, reason) =>
    `ドラフトなしで実行が終わりました（${status}）${reason === '' ? '' : `：${reason}`}`,
  nothingToReview: 'ドラフトにコメントできる行がありません',
  reviewAnswered: (seconds) => `${seconds}秒後にエージェントが行コメントに返信しました`,
  stopped: (seconds) => `コメントから${seconds}秒後に、ステップの間で実行が停止しました`,
  stoppedInStep: (seconds) => `コメントから${seconds}秒後に、ステップの途中で実行が停止しました`,
  stoppedLate: (seconds) => `実行が停止したのはコメントから${seconds}秒後でした`,
  deliveredTwice: (count) => `${count}件のコメントがモデルに2回以上届きました`,
  postedTwice: 'エージェントが同じコメントを2回投稿しました',
  reported: (count) => `各コメントは1回ずつ届きました。エージェントのコメントは${count}件です`,
  noWebhook: 'webhook は設定されていません。コメントはポーリングで見つかります',
  webhookArrived: 'webhook が届きました',
  webhookMissing: 'webhook が届きませんでした',
  webhookRefused: 'webhook は届きましたが、シークレットがデーモンのものと違います',
  daemonExited: (problem) => `デーモンが終了しました：${problem}`,
  nothingSeen: (seconds, warnings) => `${seconds}秒間、変化がありませんでした。${daemonSaid(warnings)}`,
  notReached: '未実施',
  interrupted:
    '中断しました。作成したものを削除しています。すぐに終了するにはもう一度 Ctrl-C を押してください。',

  interruptedKept: '中断しました。--keep のため何も削除しません。',
  limited: (seconds) =>
    `プラットフォームがリクエストを制限しています。${seconds}秒後に後片付けを続けます。すぐに終了するにはもう一度 Ctrl-C を押してください。`,

  abandoned: 'すぐに終了しました。削除されていないもの：',
  abandonedRemoved: (paths) => `強制終了された以前のリハーサルのファイルを削除しました：${paths}`,
  removed: 'すべて削除しました',
  nothingCreated: '何も作成していません',
  keptReason: '--keep',
  kept: '--keep のため何も削除していません',
  leftCount: (count) => `${count}件が残っています`,
  leftTitle: '削除されていないもの：',
  left: {
    issue: (number) => `イシュー #${number}`,
    possibleIssue: 'リハーサルのイシュー（作成された場合）',
    request: (number) => `プルリクエストまたはマージリクエスト ${number}`,
    closed: (what) => `${what}（クローズ済み）`,
    comments: (what) => `${what}のコメント`,
    branch: (name) => `ブランチ ${name}`,
    anyBranch: (prefix) => `実行のブランチ（プッシュ済みの場合。名前は ${prefix} で始まります）`,
    label: (name) => `ラベル「${name}」`,
    possibleLabel: (name) => `ラベル「${name}」（作成された場合）`,
  },
  summary: (passed, failed, notSupported) => `成功 ${passed}、失敗 ${failed}、非対応 ${notSupported}`,
  outputInvalid: (path) =>
    `${path} に書き込めません。書き込める既存のディレクトリを --output で指定してください。何も変更していません。`,
  notWritten: (reason) => `rehearsal.json を書き込めませんでした：${reason}`,
  written: (path) =>
    `${path} に書き込みました。本文・名前・アドレス・トークンは含みません。イシューに添付してください。`,

  fixes: {
    access: `詳細は「${formatCommand('doctor')}」で確認してください。`,
    model: 'ツールを呼び出せるモデルを選び、llm.base_url とキーを確認してください。',
    person: 'リポジトリに書き込める別のアカウントのトークンを使ってください。',
    single: '終わるまで待つか、強制終了されたリハーサルならそのイシューを閉じてください。',
    labels: 'エージェントのトークンにイシューの書き込み権限を与えてください。',
    start:
      'ラベルを付けるアカウントが信頼されていること、エージェントのトークンがイシューに書き込めることを確認してください。',
    comment: 'エージェントのトークンがイシューのコメントを読めることを確認してください。',
    'fresh-list':
      'サーバーの管理者に複製の遅延を確認してください。デーモンは再びポーリングするため、コメントは遅れても失われません。',
    reaction:
      'エージェントのトークンにイシューの書き込み権限を与えてください。なくても欠けるのはリアクションだけです。',
    edit: 'updated_at がない場合は webhook を設定するか、編集の代わりに新しいコメントを書いてもらってください。',
    deletion: 'これがないと、削除されたコメントが実行の会話に残ります。',
    pages:
      'プロキシが Link ヘッダーを取り除いているかもしれません。応答のヘッダーを通すように設定してください。',
    conditional:
      'プロキシが ETag または If-None-Match を取り除いているかもしれません。両方を通すように設定してください。',
    'rate-limit': 'プラットフォームの設定で request_budgets を指定してください。',
    clock: 'NTP でこのマシンの時計を合わせてください。',
    pause: '設定の trust と、pause_resume.enabled が true であることを確認してください。',
    resume: '設定の trust を確認してください。',
    crash: 'context_storage.base_dir が再起動後も残るディスクにあることを確認してください。',
    draft:
      'エージェントのトークンがブランチをプッシュしプルリクエストを作成できること、branch_prefix のブランチが保護されていないことを確認してください。',
    review: 'エージェントのトークンがプルリクエストに書き込めることを確認してください。',
    stop: '設定の trust と、task_stop.enabled が true であることを確認してください。停止が遅い場合は、コメント一覧の遅延を確認するか、webhook を設定してください。',
    report: 'rehearsal.json をイシューに添付してください。',
    webhook: 'webhook の設定でアドレス、シークレット、イベント、最近の配信を確認してください。',
    'clean-up': '下に挙げたものを削除してください。',
  },
  fixesByCause: {
    notStarted:
      'これらのリクエストに応答するサーバーを base_url に指定してください。プロキシがある場合は通してください。',
    tooFast: 'リハーサルを繰り返すか、もっと細かい手順で進めるモデルを選んでください。',
    ended: '実行が示す理由を解消し、リハーサルを繰り返してください。詳細はイシューのコメントにあります。',
    endedWithoutDraft:
      '実行が示す理由を解消してください。上限に達した場合は limits で上げてください。プッシュやプルリクエストが拒否された場合は、トークンの権限と branch_prefix のブランチの規則を確認してください。',
    daemonExited: `デーモンが示す理由を解消してください。同じ設定の「${formatCommand('run')}」でログ全体を確認できます。`,
  },
  fixesNotSupported: {
    'rate-limit':
      'リクエストが制限される場合は、プラットフォームの設定で request_budgets を指定してください。',
    webhook: 'コメントをすぐに届けるには、http.port と webhook のシークレットを設定してください。',
    'clean-up': '下に挙げたものを削除するか、リポジトリの所有者に依頼してください。',
  },
};
