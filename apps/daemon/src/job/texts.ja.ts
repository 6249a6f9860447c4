import type { JobTexts } from './texts.en.ts';

/** Texts of jobs in Japanese. */
export const ja: JobTexts = {
  run: (thread, event) => `${event}: ${thread} を処理します`,
  skip: {
    'own-act': 'エージェント自身によるイベントです',
    bot: 'ボットによるイベントです。ボットは実行を開始できません',
    fork: 'このプルリクエストのブランチはフォークにあります。エージェントは、誰でも提案できるコードでは動作しません',
    'no-thread': 'このイベントは、このリポジトリの課題、プルリクエスト、マージリクエストを指していません',
    'other-action': 'このイベントにはエージェントの作業がありません',
  },
  skipped: (event, reason) => `${event}: 作業はありません。${reason}。`,
  refused: {
    'unsafe-event': (event) =>
      `エージェントは ${event} では動作しません。誰でも提案できるコードにリポジトリのシークレットを渡すか、作業対象の課題がないためです。issues、issue_comment、pull_request_review、pull_request_review_comment、workflow_dispatch を使用してください。`,
    'unknown-event': (event) =>
      `${event} での動作は定義されていません。issues、issue_comment、pull_request_review、pull_request_review_comment、workflow_dispatch を使用してください。GitLab では課題、コメント、マージリクエストのイベントです。`,
  },
  publicRecord: (ref) =>
    `このリポジトリは誰でも読めるため、${ref} にある実行の記録も誰でも読めてしまいます。記録を暗号化するシークレット AGENT_RECORD_KEY を設定してください (openssl rand -hex 32)。`,
  noToken: (name) => `${name} が設定されていません。エージェントが使うトークンを渡してください。`,
  timeIsUp: 'このジョブの制限時間が近いため、実行を一時停止します。次のジョブが再開します。',
  nextStarted: '次のジョブを開始しました。',
  nextNotStarted:
    'このジョブは次のジョブを開始できません。次のコメントで実行が再開されます。GitHub では権限 "actions: write" があれば、ジョブが次のジョブを開始します。',
};
