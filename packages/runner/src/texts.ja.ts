import { type en, type FailedAgent, toMinutes, toSeconds } from './texts.en.ts';

const limits = {
  maxSteps: (value: number) => `LLM呼び出し${value}回`,
  maxDurationMs: (value: number) => (value < 60_000 ? `${toSeconds(value)}秒` : `${toMinutes(value)}分`),
  maxTokens: (value: number) => `${value}トークン`,
  maxToolFailures: (value: number) => `同じツールの失敗${value}回`,
};

const agentFailures: Readonly<Record<FailedAgent['code'], string>> = {
  'not-started':
    '起動できませんでした。インストールされ、PATH にあることを確認してください（executor.acp.command）。',
  ended: '何も行わないまま繰り返し終了しました。単独で動作することを確認してください。',
  silent:
    '時間内に応答しませんでした。モデルに接続できること（network.allow）を確認するか、待ち時間を延ばしてください。',
  refused: '要求を拒否しました。エージェントのバージョンと設定を確認してください。',
  'needs-login':
    'サインインが必要です。executor.acp.env に指定した環境変数で認証情報を渡してください（ここでは対話的なサインインはできません）。',
  'other-version':
    'Agent Client Protocol の別のバージョンを使用しています。バージョン 1 に対応したエージェントを使ってください。',
  'turn-failed':
    'ターンの実行に繰り返し失敗しました。エージェントのモデルに問い合わせできること（キー、利用上限、network.allow）を確認してください。',
  'no-session': 'セッションを開始しませんでした。空のホームディレクトリで動作することを確認してください。',
  nonsense:
    'Agent Client Protocol に従っていません。executor.acp.command と args を確認してください（標準出力にはプロトコルだけを出力する必要があります）。',
};

/** The same in Japanese. */
export const ja: typeof en = {
  paused: 'タスクは一時停止されました。',
  stopped: 'タスクは停止されました。',
  waitsForAnswer: '質問への回答を待っています。',
  waitsForApproval: '計画の承認を待っています。',
  actionFailed: ({ task, detail }) =>
    `アクション「${task}」が失敗したため、計画を終了しました（planning.continue_on_error が false です）。${detail}`,
  noPlanToApprove:
    'モデルが実行できる計画を作成できませんでした。計画が承認されるまで何も実行できません（planning.approval）。',
  limitReached: ({ kind, name, value }) =>
    `完了する前に上限（${limits[kind](value)}）に達しました。「${name}」を引き上げるか、タスクを小さくしてください。`,
  toolFailed: ({ tool, times, name, lastError }) =>
    `ツール「${tool}」が${times}回続けて失敗しました（「${name}」）。最後のエラー: ${lastError}`,
  sameCall: ({ tool, times }) =>
    `モデルがツール「${tool}」の同じ呼び出しを、注意された後も同じ結果のまま${times}回続けました。`,
  modelAway: 'モデルに問い合わせできないため、実行を保留しています。後で続きから再開します。',
  answersOthers: '失敗するのはこの要求だけで、ほかの要求には応答しています。',
  modelFailed: (failure) => {
    const detail = failure.detail === null ? '' : ` 詳細: ${failure.detail}`;
    const { status, timeoutMs } = failure;
    switch (failure.kind) {
      case 'unauthorized':
        return `モデルのエンドポイントがAPIキーを拒否しました。キーとその権限を確認してください。`;
      case 'no-quota':
        return `モデルのエンドポイントのアカウントに利用枠が残っていません。チャージするか、上限を引き上げてください。${detail}`;
      case 'no-tools':
        return `モデルがツール呼び出しに対応していないか、サーバーで無効になっています。対応したモデルを使うか、サーバーで有効にしてください（vLLM: --enable-auto-tool-choice と --tool-call-parser、llama.cpp: --jinja）、または llm.text_tool_calls を設定してください。${detail}`;
      case 'untrusted-certificate':
        return `モデルのエンドポイントの証明書を信頼できません。認証局をNODE_EXTRA_CA_CERTSで指定してください。${detail}`;
      case 'answer-too-long':
        return 'モデルのエンドポイントの応答が長すぎて受け取れません。エンドポイントを確認するか、応答の上限を増やしてください。';
      case 'unknown-model':
        return `モデルのエンドポイントにモデルまたはアドレスが見つかりません。モデル名とベースURLを確認してください。${detail}`;
      case 'rate-limited':
        return `モデルのエンドポイントが呼び出しを制限しています。時間をおくか、アカウントの上限を確認してください。${detail}`;
      case 'not-ready':
        return `モデルの準備ができていません（読み込み中、アンロード済み、または過負荷です）。時間をおいて再実行してください。${detail}`;
      case 'context-too-long':
        return `短縮した要求も、長すぎるとしてモデルのエンドポイントに拒否されました。モデルが読み込まれているコンテキスト長を「llm.context_length」に設定してください。${detail}`;
      case 'unreachable':
        return `モデルのエンドポイントに接続できませんでした。起動していること、ベースURLが正しいことを確認してください。${detail}`;
      case 'timeout':
        return `モデルから${toSeconds(timeoutMs)}秒以内に応答がありませんでした。エンドポイントを確認するか、待ち時間を延ばしてください。`;
      case 'nonsense':
        return `モデルのエンドポイントの応答を読み取れません。ベースURLがOpenAI互換のエンドポイントを指していることを確認してください。`;
      case 'server-error':
        return `モデルのエンドポイントでエラーが発生しました（HTTP ${status}）。時間をおいて再実行してください。${detail}`;
      case 'bad-call':
        return `モデルが書いたツール呼び出しをエンドポイントが解析できませんでした。別のモデル、またはサーバーの別のチャットテンプレートを使ってください。${detail}`;
      case 'unclear':
        return `モデルのエンドポイントがリクエストを拒否しました（HTTP ${status}）。${detail}`;
      case 'refused':
        return `モデルのエンドポイントのコンテンツフィルターがリクエストを拒否しました（HTTP ${status}）。タスクの表現を変えるか、別のモデルを使ってください。${detail}`;
      case 'over-budget':
        return `費用の上限（${failure.detail}）に達したため終了しました。ここまでの作業は保存されています。続けるには上限を引き上げてください（金額を付けた「/budget」、または limits.max_cost）。`;
      case 'unknown':
        return `モデルの呼び出しに失敗しました。${detail}`;
    }
  },
  unusableAnswer: {
    phase:
      'モデルが計画用の JSON を続けて返し、作業を行いませんでした。別のモデルを使うか、計画モードを無効にしてください（planning.enabled）。',
    empty:
      'モデルが続けて空の応答を返しました。ツールを使えるモデルであることを確認するか、別のモデルを使ってください。',
    'cut-off':
      'モデルの応答が続けて最大長で打ち切られました。エンドポイントで応答の最大長（またはコンテキスト長）を増やしてください。',
    'text-call':
      'モデルがツールを呼び出しません。2回訂正しても呼び出しを文章として書いたため、実行されませんでした。ツール呼び出しに対応したモデル（またはサーバーのチャットテンプレート）を使ってください。',
    'quoted-call':
      'モデルが、コメント・ファイル・実行結果に含まれるツール呼び出しを、2回訂正しても繰り返しました。そのような呼び出しは実行されません。',
    'other-form':
      'モデルがツールを呼び出しません。2回訂正しても `llm.text_tool_calls` の形式で書かれなかったため、実行されませんでした。モデルのテンプレート名を設定してください。',
    'unparsed-call':
      'モデルが書いたツール呼び出しをエンドポイントが繰り返し解析できませんでした。別のモデル、またはサーバーの別のチャットテンプレートを使ってください。',
    filtered:
      'モデルのエンドポイントのコンテンツフィルターが応答を続けて遮断しました。タスクの表現を変えるか、別のモデルを使ってください。',
    'too-long':
      'モデルの応答が続けて長すぎたため受け取れませんでした。モデルを確認するか、応答の上限を増やしてください。',
  },
  refusedToAnswer: (words) => `モデルが回答を拒否しました: ${words}`,
  windowTooSmall: (tokens) =>
    `コンテキスト長（${tokens}トークン）が、指示とツールと最新のメッセージだけで足りなくなりました。モデルをより長いコンテキスト長で読み込んで「llm.context_length」に設定するか、別のモデルを使ってください。`,
  agentFailed: ({ code, detail }) =>
    `エージェントは作業を続けられませんでした。${agentFailures[code]}${detail === null ? '' : ` 詳細: ${detail}`}`,
  agentForgets: 'エージェントは、伝えた内容を受け取ったと答えながら、繰り返し失いました。',
  agentTellsNoCost:
    'エージェントが費用を報告しない（または llm.currency と異なる通貨で報告する）ため、費用の上限を守れません。別のエージェントを使うか、上限（limits.max_cost）を外してください。',
  agentAsksForever: (times) => `エージェントは ${times} 回許可を拒否されても、求め続けました。`,
  journalFailed: (detail) => `ジャーナルを読み書きできません。（${detail}）`,
  diskFull: (detail) =>
    `ジャーナルを書き込めません。ディスクの空き容量がありません。空き容量ができしだい続行します。（${detail}）`,
};
