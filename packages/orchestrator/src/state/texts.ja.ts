import type { en } from './texts.en.ts';

export const ja: typeof en = {
  problems: {
    starting: {
      what: (scope) => `起動後、${scope} をまだ確認していません`,
      remedy: '対応は不要です。数秒以内に最初の確認を行います。',
    },
    requests_primary: {
      what: (scope) => `${scope} の 1 時間あたりのリクエスト上限に達しました`,
      remedy:
        '対応は不要です。上限がリセットされるとタスクの開始を再開します。GitHub App の上限はトークンより高くなります。',
    },
    requests_secondary: {
      what: (scope) => `${scope} から一時的な制限 (secondary rate limit) を受けています`,
      remedy: '対応は不要です。制限が解けるとタスクの開始を再開します。',
    },
    content_writes: {
      what: (scope) => `${scope} への 1 時間あたりの投稿数 (コメントとプルリクエスト) の上限に達しました`,
      remedy:
        '対応は不要です。上限に余裕ができるとタスクの開始を再開します。処理数を増やすには GitHub App を複数使います。',
    },
    platform_away: {
      what: (scope) => `${scope} に接続できません`,
      remedy: '稼働状況、ネットワーク、トークンを確認してください。確認は自動で再試行します。',
    },
    repository_away: {
      what: (scope) => `リポジトリ ${scope} を読み取れません`,
      remedy: 'リポジトリの有無とアカウントの権限を確認するか、設定から外してください。',
    },
    model_away: {
      what: () => 'モデルのエンドポイントが応答しません',
      remedy: 'エンドポイントを確認してください。呼び出しは再試行し、応答があれば実行を再開します。',
    },
    model_refused: {
      what: () => 'モデルのエンドポイントがリクエストを拒否しています',
      remedy: 'llm の API キーかモデルを直し、再起動してください。実行は自動で再開します。',
    },
    agent_missing: {
      what: () => '外部エージェントのプログラムを起動できません',
      remedy: 'デーモンのユーザーで使えるようにインストールするか、設定を直してください。',
    },
    money_day: {
      what: (scope) => `1 日の予算を使い切りました (${scope})`,
      remedy:
        'time_zone の午前 0 時を過ぎるとタスクの開始を再開します。すぐに続けるには limits.max_cost.day を上げて再読み込みしてください。',
    },
    money_person: {
      what: (scope) => `${scope} の予算を使い切りました`,
      remedy: '続けるには limits.max_cost.person を上げて再読み込みしてください。',
    },
    money_repository: {
      what: (scope) => `${scope} の予算を使い切りました`,
      remedy: '続けるには limits.max_cost.repository を上げて再読み込みしてください。',
    },
    disk: {
      what: () => '実行を保存するディスクがいっぱいか、書き込めません',
      remedy: '空き容量を増やしてください。再起動しなくても実行を再開します。',
    },
    disk_worktrees: {
      what: () => 'ワークツリーのディスクがいっぱいか、使えません',
      remedy: '空き容量を増やしてください。再起動しなくても実行を再開します。',
    },
    database: {
      what: () => 'データベースを使えません',
      remedy:
        'データベースサーバー、そのディスク、接続を確認してください。再起動しなくても実行を再開します。',
    },
    paused_all: {
      what: () => 'すべて一時停止中です',
      remedy: '再開するには次を実行してください: agent-daemon resume',
    },
    no_poller: {
      what: () => 'タスクを確認するプロセスがありません',
      remedy:
        '--role poll を付けるか、ロールなしでプロセスを起動してください。新しいタスクとコメントは待機しています。',
    },
    no_worker: {
      what: () => 'タスクを実行するプロセスがありません',
      remedy:
        '--role work を付けるか、ロールなしでプロセスを起動してください。タスクはキューで待機しています。',
    },
    updates_pending: {
      what: (scope) => `${scope} の更新をまだ反映できていません`,
      remedy: '自動で再試行します。破棄するには次を実行してください: agent-daemon settle TASK',
    },
    platform_slow: {
      what: (scope) => `${scope} へのリクエストに時間がかかっています`,
      remedy:
        '稼働状況を確認し、次にネットワークとプロキシを確認してください。実行に時間がかかりますが、失われるものはありません。',
    },
    model_slow: {
      what: () => 'モデルの呼び出しに時間がかかっています',
      remedy:
        'モデルのエンドポイントの負荷を確認してください。呼び出しは llm.step_timeout_seconds で打ち切って再試行します。実行を停止すると空きができます。',
    },
    settings_invalid: {
      what: () => '変更された設定に誤りがあるため、以前の設定で動作しています',
      remedy: 'ファイルを直して再読み込みしてください (SIGHUP)。',
    },
    process_silent: {
      what: (scope) => `応答のないプロセスがあります (${scope})`,
      remedy:
        'プロセスを確認してください。データベースを共有している場合は、10〜16 秒後にほかのプロセスが実行を引き継ぎます。',
    },
  },
  notices: {
    no_sandbox: {
      what: 'コマンドはサンドボックスなしで動作し、デーモンのすべての権限を持ちます',
      remedy: 'tools.run_command.sandbox を required にし、bubblewrap をインストールしてください。',
    },
    finding: {
      what: 'agent-daemon doctor の警告があります',
      remedy: '実行してください: agent-daemon doctor',
    },
  },
  queued: {
    held: (reason) => reason,
    slots: (count) => `${count} 個の実行枠がすべて使用中です`,
    turn: '順番を待っています',
  },
  resumed: {
    held: (reason) => `再開しました。${reason}`,
    slots: (count) => `再開しました。${count} 個の実行枠がすべて使用中です`,
    turn: '再開しました。順番を待っています',
  },
  by: (name) => `操作した人: ${name}`,
};
