import { type en, listLeftOut, listNames } from './texts.en.ts';

const kinds = {
  issue: 'Issue',
  'pull request': 'プルリクエスト',
  'merge request': 'マージリクエスト',
} as const;

/** The same in Japanese. */
export const ja: typeof en = {
  headings: {
    completed: '## ✅ タスク完了',
    answered: '## 💬 回答',
    nothing_to_change: '## ➖ 変更不要',
    partial: '## ⚠️ タスク一部完了',
    needs_input: '## ⏸️ タスク一時停止',
    stopped: '## ⛔ タスク停止',
    failed: '## ❌ タスク失敗',
  },
  judgedCauses: {
    'no-work':
      'モデルは作業を行いませんでした。ファイルの変更はなく、リポジトリの内容に基づく理由の説明もありません。別のモデル（ツール呼び出しが得意なもの）を試すか、依頼内容をより詳しく書いてください。',
    'open-plan':
      'ファイルの変更はなく、計画も完了していません（未完了のアクションがあるか、検証に合格していません）。別のモデルを試すか、依頼内容をより詳しく書いてください。',
    'unfinished-plan': '計画が完了していません（未完了のアクションがあるか、検証に合格していません）。',
    unchecked: 'モデルが使える計画を作成できず、最後の変更の後に成功したコマンドもありません。',
  },
  reason: '**理由:**',
  tried: '**試したこと:**',
  nothingTried: 'ツールは一度も実行されていません。',
  lastMessage: '**モデルの最後のメッセージ:**',
  more: (count) => `- ほか ${count} 件`,
  goOn: 'ここから再試行させるには、7 日以内に `/retry` とコメントしてください。指示を書き添えることもできます。',
  draft: (kind) => `**ドラフトの${kind === 'merge request' ? 'マージリクエスト' : 'プルリクエスト'}:**`,
  open: (kind) => `**オープン中の${kind === 'merge request' ? 'マージリクエスト' : 'プルリクエスト'}:**`,
  descriptionLeft:
    '（説明文が書き換えられていたため、更新していません。今回の変更内容はこのコメントをご覧ください。）',
  files: (count) => `変更したファイル ${count} 件`,
  pushed: '**プッシュしたブランチ:**',
  pushedUnfinished: '**途中までの変更をプッシュしたブランチ:**',
  notPushed: (problem) =>
    `途中までの変更はプッシュせず、エージェントのマシン上にだけ残っています。理由: ${problem}`,
  pushStopped: 'コマンドにより、プッシュを中止しました。',
  pushedLater: (branch) => `最長 7 日間、再試行します。成功すれば、変更はブランチ ${branch} にあります。`,
  branchOfPeople:
    'ほかの人が作業しているブランチには、途中の変更をプッシュしません。`/retry` でその変更から続けられます。',
  openWork: ({ done, total }) =>
    done < total
      ? `計画した ${total} 件の作業のうち ${done} 件が完了しました。残りの作業は状況コメントをご覧ください。`
      : '計画した作業はすべて完了しましたが、検証に合格していません。見つかった問題は状況コメントをご覧ください。',
  openWorkWithoutPlan: '作業は完了していません。',
  whatNext: '誤りや不足があれば、タスクを再開する前にコメントでお知らせください。',
  unchanged: 'ファイルの変更はありません。',
  notBegun: (reason) =>
    `作業を始められませんでした: ${reason}\n\n成功するか、タスクが取り下げられるまで、少なくとも 1 時間に 1 回再試行します。`,
  noAccess: (reason) =>
    `作業を続行できません: ${reason}\n\n最長 7 日間、少なくとも 1 時間に 1 回再試行します。新しいコメントは、\`/stop\` も含めて次の試行のときに読みます。`,
  notDelivered: (reason) =>
    `作業の結果をまだここに反映できていません: ${reason}\n\n最長 7 日間、少なくとも 1 時間に 1 回再試行します。運用者は \`agent-daemon settle\` で未反映の更新を破棄できます。\n\n新しいコメントは、\`/stop\` も含めて次の試行のときに読みます。`,
  endedAt: '終了時刻',
  pausedAt: '終了時刻',
  paused: 'タスクを一時停止しました。後で再開されます。',
  pausedBy: (name) => `${name} から一時停止の指示を受けたため、タスクを一時停止しました。後で再開されます。`,
  resumed: '一時停止されたタスクを再開します。',
  resumedPlan: '一時停止されたタスクを再開します（Planning実行中）。',
  lossForPeople: ({ tools, comments, ended }) =>
    [
      '⚠️ **このタスクの記録の一部が失われました**（ファイルの破損や欠落、またはバックアップからの復元）。残っている記録から作業を続けるため、一部の作業を繰り返す場合があります。ブランチと、ここにあるコメントをご確認ください。',
      tools.length === 0 ? '' : `失われた部分で使い始めたツール: ${listNames(tools)}。`,
      comments === 0 ? '' : `${comments} 件のコメントをもう一度読みます。`,
      ended === null ? '' : 'タスクはすでに終了していました。',
    ]
      .filter((line) => line !== '')
      .join(''),
  movedForModel: (work) =>
    [
      work.missing === null
        ? 'システムからのお知らせ: この作業は別のマシンで続きます。作業ツリーのファイルは、最後に結果が表示された呼び出しの直後の状態です（新しいファイルとコミットを含む）。'
        : `システムからのお知らせ: この作業は別のマシンで続きますが、最後の変更を移せませんでした: ${work.missing}。これまでの会話の内容に頼る前に、現在のファイルを確認してください。`,
      '次のものはありません: git が無視するファイル（node_modules など）や作業ツリーの外にコマンドでインストール・ビルドしたもの、空のディレクトリ、作業ツリー内の別のリポジトリ、起動したプロセス。必要なものは準備し直してください。',
      ...(work.leftOut.length === 0
        ? []
        : ['次のパスは移していません。存在しないか、ブランチの内容のままです:']),
      ...listLeftOut(work, {
        reasons: {
          large: '大きすぎる',
          repository: '別のリポジトリ',
          special: '通常のファイルではない',
          unreadable: '読み取れない',
        },
        more: ja.more,
      }),
    ].join('\n'),
  movedForPeople: (missing) =>
    `⚠️ **このタスクを別のマシンで続けますが、最後の変更を移せませんでした**: ${missing}。一部の作業を繰り返す場合があります。`,
  unrestorable: '一時停止されたタスクの状態を復元できなかったため、新しいタスクとしてやり直します。',
  crashed: (times) =>
    `このタスクの実行中に、1ステップも完了しないままプロセスが${times}回続けて異常終了しました。ログを確認してください。`,
  stopped: ({ stopCause, stoppedBy, stoppedAt, plan, modelCalls, beginAgain }) =>
    [
      ja.headings.stopped,
      '',
      stopCause !== null
        ? stopCause
        : `${stoppedBy === null ? '' : `${stoppedBy} から`}停止の指示を受けたため、タスクを停止しました。`,
      '',
      `**停止時刻:** ${stoppedAt}`,
      ...plan,
      `**LLM対話回数:** ${modelCalls}`,
      '',
      beginAgain,
    ].join('\n'),
  stopCauses: {
    unassigned: () => 'コーディングエージェントのアサインが解除されたため、タスクを停止しました。',
    unlabeled: () => '処理中のラベルが外されたため、タスクを停止しました。',
    closed: (kind) => `${kinds[kind]}がクローズされたため、タスクを停止しました。`,
    deleted: (kind) => `${kinds[kind]}が削除または移動されたため、タスクを停止しました。`,
  },
  reopenToResume: (kind) => `タスクを再開する場合は、${kinds[kind]}を再オープンしてください。`,
  statistics: '### 📊 実行統計',
  modelCalls: 'LLM呼び出し回数',
  toolCalls: 'ツール呼び出し回数',
  tokens: 'トークン（入力 / 出力）',
  cachedShare: (percent) => `入力の${percent}%はキャッシュ`,
  reasoningTokens: (tokens) => `出力のうち${tokens}は思考`,
  cost: '費用',
  presumed: (amount) => `うち${amount}は、中断した呼び出しの見込み額`,
  duration: '所要時間',
  durationOf: ({ minutes, seconds }) => (minutes === 0 ? `${seconds}秒` : `${minutes}分${seconds}秒`),
  requests: (platform) => `${platform} へのリクエスト`,
  notModified: (count) => `うちキャッシュから ${count}`,
  detection: '新しいコメント',
  detected: (counts) =>
    counts.detected_comments === 0
      ? 'なし'
      : `${counts.detected_comments} 件（エージェントに送信 ${counts.added_comments} 件）`,
  failedReads: (errors) => `コメントの読み取りに ${errors} 回失敗`,
  modelIsAway:
    '⏳ モデルが10分以上応答しないため、このタスクは待機しています。モデルが応答すると自動的に続けます。何もする必要はありません。',
  modelIsBack: '▶️ モデルが再び応答したため、このタスクを続けます。',
  refusedPush: {
    refused:
      '変更に秘密情報とみられる値、または検査できないファイルが含まれているため、プッシュしませんでした:',
    inName: 'ファイル名',
    inWhole: 'ファイル全体',
    line: (line) => `${line} 行目`,
    remedy:
      '変更は作業ディレクトリに残っています。秘密情報でない場合は、運用者が設定の `outgoing.allow_paths`、または `outgoing.allow_fingerprints` とログにあるフィンガープリントで許可できます。',
  },
  request: {
    latest: '## 概要',
    earlier: '### 以前の実行',
    left: '*これより前の実行については Issue を参照してください。*',
    files: '## 変更したファイル',
    neutral: '詳細は Issue をご覧ください（閲覧権限のある方のみ）。',
  },
  heard: {
    heading: '### 💬 実行中のコメント',
    kinds: { added: 'コメント', edited: '編集', deleted: '削除' },
    threadText: 'タイトルまたは本文の編集',
    separator: '、',
    command: (name, outcome) => `\`/${name}\`: ${outcome}`,
    clause: '。',
    outcomes: {
      obeyed: '実行しました',
      refused: '無視しました（コマンドの実行には書き込み権限が必要です）',
      unknown: '無視しました（該当する推測がありません）',
    },
    nothingToApprove: '無視しました（承認を待っているものがありません）',
    nothingToAllow: '許可できる保留中の変更がないため無視（パスはタスクの開始前にイシューに書いてください）',
    noBudget: '無視しました（金額がないか、上限を超えています）',
    noWatch: '無視しました（期間が正しくないか、見守る対象がありません）',
    delivered: 'エージェントに送信しました',
    listed: 'エージェントに一覧で送信しました（本文は要求に応じて送信）',
    undelivered: 'エージェントに送信していません',
    kept: 'この実行には間に合わなかったため、次の実行で送信します',
    ghost: '削除されたアカウント',
    check: { who: 'チェック', what: '結果' },
    unread: (since) =>
      `コメントは ${since} までしか確認できませんでした。それ以降のコメントは、エージェントに送信していない可能性があります。`,
  },
  refusals: {
    fork: 'head ブランチがフォークにあります。私が作業できるのは、このリポジトリのブランチだけです。フォークには変更をプッシュできず、誰も確認していないコードを実行することになるためです。ブランチをこのリポジトリにプッシュして作り直すか、依頼内容を Issue に書いてください。',
    confidential:
      'この Issue は機密扱いですが、プロジェクト自体は Issue を閲覧できない人にも公開されています。ブランチやマージリクエストから内容が伝わってしまうため、作業を開始しません。公開してよい範囲を、機密扱いでない Issue に書いてください。（運用者は `platforms.gitlab.confidential_issues: allow` で許可できます。その場合、ブランチ・コミット・マージリクエストには Issue の番号だけが表示されますが、変更内容そのものは閲覧できます。）',
  },
  guarded: {
    default: (branch) =>
      `デフォルトブランチにはプッシュしません。${branch} は現在デフォルトブランチです。コミットはエージェントのマシンに残っています。`,
    protected: (branch) =>
      `保護されたブランチにはプッシュしません。${branch} は現在保護されています。コミットはエージェントのマシンに残っています。`,
    base: (branch) =>
      `他のオープンなリクエストのベースブランチにはプッシュしません。${branch} は現在ベースブランチです。コミットはエージェントのマシンに残っています。`,
  },
  whoMay: (collaborators) =>
    collaborators ? 'このリポジトリに書き込み権限のある人' : '設定の `trust` に記載された人',
  prePlanningCutShort: {
    failure: `## ⚠️ 計画前の情報収集を完了できませんでした

エラーで中断しました。ここまでに分かったことで作業を始め、残りは作業の中で調べます。`,
    limit: `## ⚠️ 計画前の情報収集を完了できませんでした

準備に使える分（タスクの上限の4分の1）を使い切りました。ここまでに分かったことで作業を始め、残りは作業の中で調べます。`,
  },
};
