import { formatCommand } from '../command-name.ts';

/** Texts of the command `demo`, by language. */
export const demoTexts = {
  en: {
    begins:
      'This runs the real daemon against a simulated GitHub with simulated users and a scripted model, all on this machine. --verbose prints the log.',
    finished: (seconds: string) =>
      `\nDone after ${seconds} s: the issue is finished, and a draft pull request with a tested change is open. Next: ${formatCommand('init')}`,
    interrupted: '\nInterrupted before the issue was finished. All data of the demo is removed.',
    failed: '\nThe issue was not finished. The lines above show why; --verbose prints the whole log.',
    missing:
      'The demo needs @agent/simulators. Install it next to the daemon with "npm install @agent/simulators", or use npx: npx -p @agent/daemon -p @agent/simulators agent-daemon demo',
  },
  ja: {
    begins:
      '模擬の GitHub と利用者、モデルを演じるスクリプトをこのマシンだけで動かします。デーモンは本物です。--verbose でログを表示します。',
    finished: (seconds: string) =>
      `\nイシューが完了し、テスト済みの変更のドラフトPRができました（開始から${seconds}秒）。次は ${formatCommand('init')}`,
    interrupted: '\nイシューが完了する前に中断されました。デモのデータはすべて削除されています。',
    failed: '\nイシューは完了しませんでした。理由は上の行にあります。--verbose ですべてのログを表示します。',
    missing:
      'デモには @agent/simulators が必要です。npm install @agent/simulators でデーモンと同じ場所に入れるか、npx -p @agent/daemon -p @agent/simulators agent-daemon demo を実行してください。',
  },
};
