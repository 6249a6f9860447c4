import type { TerminalTexts } from './terminal-texts.en.ts';

const portal = 'https://discord.com/developers/applications';

export const terminalTextsJa: TerminalTexts = {
  program: 'Discord のスレッドで応答するボットです。記憶はスレッドだけです。',
  run: '停止するまで応答する',
  doctor: '設定、Discord、モデルを確認し、直すべき点を示す',
  rehearse: 'チャンネルで会話を試し、各部分を確認して、作成したものを削除する',
  rehearseOptions: {
    channel: 'テキストチャンネルの ID (ALLOWED_CHANNELS にある唯一のもの)',
    compare: 'リハーサルの代わりに rehearsal.json をシミュレーターと比較する',
    keep: '作成したものをすべて残す',
    yes: '確認としてのサーバーの名前または ID',
    output: 'rehearsal.json を書き込むディレクトリ (作業ディレクトリ)',
  },
  envFile: '設定ファイル',
  wrongSettings: '設定に誤りがあります:',
  envProblems: {
    'no-equals': () => '「=」がないため、この行は無視されます。NAME=value の形で書いてください。',
    'invalid-name': () =>
      '「=」の前が変数名ではないため、この行は無視されます。NAME=value の形で書いてください。',
    'unclosed-quote': (name) => `${name} の値の引用符が閉じられていません。閉じてください。`,
    'cut-value': (name) =>
      `${name} の値は、コメントの始まりになる「#」の手前で切れています。値を引用符で囲んでください。`,
    'text-after-quote': (name) => `${name} の閉じ引用符より後の文字は無視されます。削除してください。`,
  },
  tokenMissing: `DISCORD_TOKEN がありません。${portal} → アプリケーション → Bot → 「Reset Token」を開き、.env に DISCORD_TOKEN=… と書いてください。`,
  wrongToken: `Discord に DISCORD_TOKEN を拒否されました。${portal} → アプリケーション → Bot → 「Reset Token」で新しいトークンを発行し、.env に書いてください。`,
  missingIntents: `「Message Content Intent」が無効なため、Discord が接続を拒否しました。${portal} → アプリケーション → Bot → 「Privileged Gateway Intents」で「Message Content Intent」を有効にして保存し、もう一度起動してください。`,
  discordUnreachable: (reason) =>
    `Discord に接続できません (${reason})。ネットワークと https://discordstatus.com を確認してから、もう一度起動してください。`,
  stopping: (seconds) =>
    `停止します。処理中の応答を最大 ${seconds} 秒待ちます。もう一度 Ctrl-C を押すとすぐに終了します。`,
  modelUnreachable: (url, reason) =>
    `${url} のモデルに接続できません (${reason})。LM Studio でモデルを読み込み、「Developer」→「Start server」を押してください (または lms server start)。別の場所で動いている場合は LM_BASE_URL を設定してください。`,
  addressWithoutPath: (url) =>
    `LM_BASE_URL (${url}) にパスがありません。LM Studio の API は /v1 にあります: ${url}/v1`,
  settingsOk: '設定に問題はありません。',
  loggedIn: (bot, servers) => `${bot} としてログインしました。参加サーバー数: ${servers}`,
  noServer: (inviteUrl) => `ボットはまだどのサーバーにも参加していません。招待してください: ${inviteUrl}`,
  missingPermissions: (server, permissions) =>
    `${server}: ボットに次の権限がありません: ${permissions}。サーバー設定 → ロール → ボットのロールで許可してください。`,
  channelLacks: (server, channel, permissions) =>
    `${server} の #${channel}: ここではボットに次の権限がありません: ${permissions}。応答させる場合は、チャンネルの編集 → 権限で許可してください。`,
  modelAnswers: (milliseconds) => `モデルが応答しました (${milliseconds} ms)。`,
  modelFails: (reason) => `モデルサーバーは動いていますが、モデルの応答がありません: ${reason}。`,
  loadModel: 'LM Studio でモデルを読み込んでください。',
  modelRefusesKey: 'サーバーがキーを求めています。.env に LM_API_KEY=… と書いてください。',
  modelTakesLong:
    '大きなモデルの読み込みには時間がかかります。もう一度試すか、LM_TIMEOUT_SECONDS で待ち時間を延ばしてください。',
  allWell: '問題はありません。「doctor」を付けずに実行すると起動します。',
  toFix: (count) => `直すべき点が ${count} 件あります。`,
};
