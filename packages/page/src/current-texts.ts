const en = {
  pausedAt: 'Paused at',
  waitsSince: 'Waiting since',
  toResume: 'To resume:',
  toRetry: 'To retry:',
  orComment: 'or comment',
  heldHeading: 'Held changes',
  heldNext:
    'A user with write access can release a held change with a comment on the issue or pull request. Resuming the run does not release it.',
  heldAllow: 'To release it, comment on the issue or pull request:',
  patch: 'Patch of',
  asking: { model: 'model call', agent: 'agent turn' },
  preparing: 'preparing',
  working: 'working',
  commands: {
    obeyed: (command: string) => `${command}: applied`,
    refused: (command: string) => `${command}: ignored`,
    unknown: (command: string) => `${command}: checking permission`,
  },
};

const ja: typeof en = {
  pausedAt: '一時停止した日時',
  waitsSince: '待機の開始',
  toResume: '再開するには:',
  toRetry: 'やり直すには:',
  orComment: 'またはコメント',
  heldHeading: '保留中の変更',
  heldNext:
    '保留中の変更は、書き込み権限のあるユーザーが Issue やプルリクエストにコメントすると反映されます。実行を再開しても反映されません。',
  heldAllow: '反映するには、Issue やプルリクエストに次のようにコメントします:',
  patch: 'パッチ:',
  asking: { model: 'モデル呼び出し', agent: 'エージェントのターン' },
  preparing: '準備中',
  working: '作業中',
  commands: {
    obeyed: (command) => `${command}: 適用`,
    refused: (command) => `${command}: 無視`,
    unknown: (command) => `${command}: 権限を確認中`,
  },
};

/** Texts about what a run does now and what it needs. */
export const currentTexts = { en, ja };
