import type { RehearsalTexts } from './texts.en.ts';

const botSaid = (warnings: string) => (warnings === '' ? '' : `ボットのログ: ${warnings}`);

/** Texts of `agent-discord rehearse`, in Japanese. */
export const ja: RehearsalTexts = {
  titles: {
    token: 'トークン',
    intents: 'Message Content Intent',
    gateway: 'ゲートウェイ',
    channel: 'チャンネル',
    permissions: '権限',
    'model-name': 'モデルの名前',
    model: 'モデル',
    clock: '時計',
    start: 'ボットの起動',
    mention: 'メンション',
    'fresh-list': 'メッセージ一覧',
    reaction: 'リアクション',
    thread: 'スレッド',
    conversation: '会話の継続',
    edit: 'メッセージの編集',
    deletion: 'メッセージの削除',
    queue: '応答中のメッセージ',
    crash: '異常終了と再起動',
    'long-answer': '長い応答',
    'rate-limit': 'レート制限',
    report: '報告',
    'clean-up': '後片付け',
  },

  messages: {
    mention: (marker) => `Rehearsal ${marker}: 「準備完了」と答えてください。`,
    conversation: (marker) => `Rehearsal ${marker}: 「はい」と答えてください。`,
    original: (marker) => `Rehearsal ${marker}: 「マンゴー」と答えてください。`,
    edited: (marker) => `Rehearsal ${marker}: 「パパイヤ」と答えてください。`,
    deleted: (marker) => `Rehearsal ${marker}: 「ドリアン」と答えてください。`,
    first: (marker) => `Rehearsal ${marker}: 「いち」と答えてください。`,
    second: (marker) => `Rehearsal ${marker}: 「に」と答えてください。`,
    long: (marker) =>
      `Rehearsal ${marker}: 1 から 600 までの数字を、1行に10個ずつ、省略せずに書いてください。`,
  },

  intro: (server, channel, bot) =>
    `${server} の #${channel} でリハーサルを行います。ボットは ${bot}、利用者はあなたです。求められた操作を Discord で行ってください。`,
  confirm: (server, channel) =>
    `${server} の #${channel} とそのスレッドに約10件のメッセージを投稿し、設定されたモデルを呼び出し、最後に削除できるものを削除します。\n確認のため、サーバーの名前を入力してください: `,
  confirmNeeded: (server) => `ここでは確認できません。--yes "${server}" で確認してください。`,
  notConfirmed: (server) => `入力が ${server} ではないため中止しました。何も変更していません。`,
  notAnswered: '確認されませんでした。何も変更していません。',
  channelNeeded:
    'テキストチャンネルの ID を --channel で指定してください。Discord の設定 → 詳細設定 → 開発者モードを有効にし、チャンネルを右クリック →「チャンネルIDをコピー」で取得できます。',
  channelInvalid:
    '--channel には名前やトークンではなく、17〜20 桁の数字の ID を指定してください。トークンを入力した場合は、シェルの履歴に残っているため再発行してください。',
  outputInvalid: (path) =>
    `${path} に書き込めません。書き込める既存のディレクトリを --output で指定してください。何も変更していません。`,

  steps: {
    mention: (channel, text) => `→ #${channel} に次のように書いてください。\n  ${text}`,
    post: (text) => `→ スレッドに次のように書いてください。\n  ${text}`,
    edit: (text) => `→ 今書いたメッセージを次の文に編集してください。\n  ${text}`,
    remove: '→ 今書いたメッセージを削除してください。',
  },
  stepNotSeen: '時間内に操作を確認できませんでした',

  tokenAccepted: (bot) => `Discord は ${bot} のトークンを受け付けました`,
  tokenRefused: (reason) => `Discord にトークンを拒否されました: ${reason}`,
  notReachable: (reason) => `Discord が応答しません: ${reason}`,
  intentOn: '「Message Content Intent」は有効です',
  intentOff: '「Message Content Intent」が無効なため、ボットは利用者の文を読めません',
  connected: (servers) => `ゲートウェイに接続しました。参加サーバー数: ${servers}`,
  gatewayLate: (seconds) => `${seconds}秒以内にゲートウェイに接続できませんでした`,
  channelVisible: (server, channel) => `ボットは ${server} の #${channel} を見られます`,
  channelNotVisible: (id) => `ボットには ID ${id} のチャンネルが見えません`,
  channelKind: (channel) => `#${channel} はテキストチャンネルでもアナウンスチャンネルでもありません`,
  channelNotAllowed: (channel) => `#${channel} は ALLOWED_SERVERS と ALLOWED_CHANNELS にありません`,
  permitted: (count) => `ボットは使用する${count}個の権限をすべて持っています`,
  notPermitted: (names) => `ボットに次の権限がありません: ${names}`,
  modelListed: (name) => `サーバーの一覧に ${name} があります`,
  modelsListed: (count) =>
    `サーバーの一覧にモデルが${count}個あります。LM_MODEL がないため、会話できる最初のモデルを使います`,
  modelNotListed: (name, others) =>
    others === ''
      ? `サーバーの一覧は空で、${name} もありません`
      : `サーバーの一覧に ${name} がありません。一覧: ${others}`,
  noModels: 'サーバーの一覧が空です。モデルが読み込まれていません',
  modelsUnknown: 'サーバーにモデルの一覧がありません',
  modelModule: 'MODEL_MODULE がモデルを選ぶため、一覧はありません',
  clockRight: 'このマシンと Discord の時計は合っています',
  clockWrong: (seconds) => `このマシンと Discord の時計が${seconds}秒ずれています`,
  noClock: 'Discord の応答に Date ヘッダーがありません',
  started: (seconds) => `${seconds}秒後にボットが接続しました`,
  answered: (seconds) => `${seconds}秒後にボットが応答しました`,
  noticeInstead: 'ボットは応答の代わりに通知を投稿しました',
  otherProcess: '同じトークンを使う別のプロセスが応答しました',
  notAllowed:
    'ボットはメッセージを無視しました。あなたのアカウントは ALLOWED_PEOPLE にも ALLOWED_ROLES にもありません',
  notMentioned: (bot) => `メッセージに ${bot} へのメンションがありません`,
  notReceived: 'メッセージは一覧にありますが、ゲートウェイからイベントが届かず、ボットは受け取りませんでした',
  listFresh: (seconds) => `新しいメッセージは${seconds}秒後に一覧に現れます`,
  listLate: (seconds) => `ボットが受け取った新しいメッセージが${seconds}秒たっても一覧にありません`,
  reacted: 'ボットは 👀 を付けます',
  notReacted: 'ボットは 👀 を付けませんでした',
  inThread: '応答はメッセージから作られたスレッドにあります',
  notInThread: 'ボットがスレッドを作れなかったため、応答はチャンネルへの返信です',
  conversationKnown: 'モデルはスレッドの以前のメッセージを受け取り、メンションは不要でした',
  conversationUnknown: 'モデルはスレッドの以前のメッセージを受け取りませんでした',
  editApplied: '応答前に編集されたメッセージには、新しい文で応答します',
  editIgnored: 'ボットは編集を受け取らず、古い文に応答します',
  deletionApplied: '応答前に削除されたメッセージには応答しません',
  deletionIgnored: 'ボットは削除を受け取らず、削除されたメッセージに応答します',
  queued: 'モデルの処理中に届いた2件のメッセージに、順番に1回ずつ応答しました',
  askedTwice: '同じメッセージについてモデルが2回以上呼ばれました',
  wrongOrder: '2件のメッセージへの応答の順番が違います',
  recovered: '強制終了して再起動し、各メッセージに1回ずつ応答しました',
  notRecovered: '再起動後、応答のないメッセージがありました',
  split: (count) => `2,000文字を超える応答は${count}件に分けて投稿されました`,
  short: (count) => `モデルの応答は${count}文字で、分ける必要がありませんでした`,
  limited: (count) => `MAX_ANSWER_CHARS (${count}) のため、応答は2,000文字を超えません`,
  noView: 'MODEL_MODULE はモデルを直接呼ぶため、モデルが受け取る内容をリハーサルは確認できません',
  noHold: 'MODEL_MODULE はモデルを直接呼ぶため、リハーサルは待たせることができません',
  rateLimit: '応答に残りのリクエスト数があります',
  noRateLimit: '応答にレート制限のヘッダーがありません',
  limitedRequests: (count, seconds) =>
    `Discord がボットのリクエスト${count}件を 429 で拒否しました。待ち時間は最大${seconds}秒です`,
  reported: (count) => `${count}件のメッセージに1つずつ応答があります`,
  answeredTwice: (count) => `${count}件のメッセージに2つ以上の応答があります`,
  botExited: (problem) => `ボットが終了しました: ${problem}`,
  nothingSeen: (seconds, warnings) => `${seconds}秒間、変化がありませんでした。${botSaid(warnings)}`,
  notReached: '未実施',

  interrupted:
    '中断しました。作成したものを削除しています。すぐに終了するにはもう一度 Ctrl-C を押してください。',
  interruptedKept: '中断しました。--keep のため何も削除しません。',
  abandoned: 'すぐに終了しました。削除されていないもの:',
  removed: 'すべて削除しました',
  nothingCreated: '何も作成していません',
  kept: '--keep のため何も削除していません',
  keptReason: '--keep',
  leftCount: (count) => `${count}件が残っています`,
  leftTitle: '削除されていないもの:',
  left: {
    thread: 'リハーサルのスレッド',
    archived: 'リハーサルのスレッド（アーカイブ済み、ボットのメッセージは削除済み）',
    question: 'チャンネルのあなたのメッセージ',
    answer: 'ボットのメッセージ',
    possible: 'リハーサルのメッセージ（書かれた場合）',
  },
  summary: (passed, failed, notSupported) => `成功 ${passed}、失敗 ${failed}、非対応 ${notSupported}`,
  notWritten: (reason) => `rehearsal.json を書き込めませんでした: ${reason}`,
  written: (path) =>
    `${path} に書き込みました。本文・名前・アドレス・トークンは含みません。イシューに添付してください。`,

  fixes: {
    token: 'アプリケーション → Bot →「Reset Token」を開き、新しいトークンを DISCORD_TOKEN に書いてください。',
    intents:
      'アプリケーション → Bot →「Privileged Gateway Intents」で「Message Content Intent」を有効にして保存してください。',
    gateway:
      'このマシンから gateway.discord.gg に WebSocket で接続できることと、https://discordstatus.com を確認してください。',
    channel:
      'ID を確認し、ボットをサーバーに招待し、ボットのロールがチャンネルを見られるようにしてください。招待のリンクは「agent-discord doctor」が表示します。',
    permissions: 'サーバー設定 → ロール → ボットのロール、またはチャンネルの編集 → 権限で許可してください。',
    'model-name': 'LM_MODEL に一覧にある名前を設定するか、LM Studio でモデルを読み込んでください。',
    model:
      '「agent-discord doctor」を実行し、LM_BASE_URL、LM_API_KEY、LM_TIMEOUT_SECONDS を確認してください。',
    clock:
      'NTP でこのマシンの時計を合わせてください。ボットは時計で、古すぎて応答しないメッセージを判断します。',
    start: '同じ設定で「agent-discord」を実行し、ログ全体を確認してください。',
    mention:
      'このマシンと Discord の間で WebSocket の接続が切られていないことを確認し、リハーサルを繰り返してください。',
    'fresh-list':
      'https://discordstatus.com を確認し、リハーサルを繰り返してください。それまでは、応答に最新のメッセージが反映されないことがあります。',
    reaction:
      'このチャンネルでボットのロールにリアクションの追加を許可してください。なくても欠けるのはリアクションだけです。',
    thread:
      'このチャンネルでボットのロールに公開スレッドの作成とスレッドでのメッセージ送信を許可してください。',
    conversation:
      'ボットのロールにメッセージ履歴を読む権限を与え、MAX_THREAD_MESSAGES と MAX_TRANSCRIPT_CHARS を確認してください。',
    edit: 'このマシンと Discord の間のネットワークを確認してください。ゲートウェイのイベントが失われています。',
    deletion:
      'このマシンと Discord の間のネットワークを確認してください。ゲートウェイのイベントが失われています。',
    queue: 'rehearsal.json をイシューに添付してください。',
    crash:
      'ボットのロールがメッセージ履歴を読めることと、CATCH_UP_MINUTES が 0 でないことを確認してください。',
    'long-answer':
      'MAX_ANSWER_CHARS を大きくし、ボットのロールがスレッドでメッセージを送信できることを確認してください。',
    'rate-limit':
      'このトークンまたはこのアドレスを使う他のプログラムを停止してください。ボットは待つため、応答は遅れても失われません。',
    report:
      '同じトークンを使う他のプロセスを停止してください。それ以外の場合は rehearsal.json をイシューに添付してください。',
    'clean-up': '下に挙げたものを削除してください。',
  },
  fixesByCause: {
    botExited: 'ボットが示す理由を解消してください。同じ設定の「agent-discord」でログ全体を確認できます。',
    notice: 'ボットのログが示す理由を解消してください。Discord の通知は利用者に見えるものです。',
    otherProcess: 'ボットの別のプロセスを停止し、リハーサルを繰り返してください。',
    notMentioned: 'メンションで始まる全文をコピーし、リハーサルを繰り返してください。',
    notAllowed: 'あなたの ID を ALLOWED_PEOPLE に、またはロールを ALLOWED_ROLES に加えてください。',
    channelNotAllowed:
      '別のチャンネルを選ぶか、このチャンネルを ALLOWED_CHANNELS に、サーバーを ALLOWED_SERVERS に加えてください。',
    channelKind: 'テキストチャンネルを選んでください。ボットはそこでだけスレッドを作ります。',
    step: 'リハーサルを繰り返し、求められた操作をすぐに行ってください。',
  },
  fixesNotSupported: {
    'long-answer':
      'MAX_ANSWER_CHARS または LM_MAX_TOKENS を大きくするか、もっと長く書けるモデルを選んでください。',
    'rate-limit':
      'プロキシがヘッダーを取り除いているかもしれません。ない場合、ボットは拒否されてから待ちます。',
    'clean-up':
      '下に挙げたものを削除するか、このチャンネルでボットに「スレッドの管理」と「メッセージの管理」を許可してください。',
  },
};
