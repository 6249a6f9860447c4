/** Words of `agent-daemon demo`, by language. */
export const demoTexts = {
  en: {
    begins:
      'A simulated GitHub, people and a script that plays a model, all on this machine; the daemon is the real one.',
    finished: (seconds: string) =>
      `\nThe issue is done, and a draft pull request with a tested change is open, ${seconds} s after the beginning. Next: agent-daemon init`,
    interrupted: '\nEnded before the issue was finished. Nothing is left of it.',
    failed: '\nThe issue was not finished; the lines above say why.',
    missing:
      'The demonstration needs @agent/simulators. Install it beside the daemon, npm install @agent/simulators, or let npx bring both: npx -p @agent/daemon -p @agent/simulators agent-daemon demo',
  },
  ja: {
    begins: '模擬のGitHubと人、モデルを演じるスクリプトをこのマシンだけで動かします。デーモンは本物です。',
    finished: (seconds: string) =>
      `\nイシューが完了し、テスト済みの変更のドラフトPRができました（開始から${seconds}秒）。次は agent-daemon init`,
    interrupted: '\nイシューが完了する前に終了しました。何も残っていません。',
    failed: '\nイシューは完了しませんでした。理由は上の行にあります。',
    missing:
      'デモには @agent/simulators が必要です。npm install @agent/simulators でデーモンと同じ場所に入れるか、npx -p @agent/daemon -p @agent/simulators agent-daemon demo を実行してください。',
  },
};
