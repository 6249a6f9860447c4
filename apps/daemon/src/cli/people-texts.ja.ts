import { formatCommand } from '../command-name.ts';
import type { PeopleTexts } from './people-texts.en.ts';

/** Japanese texts. */
export const ja: PeopleTexts = {
  taskOrPerson: `タスク、または --person で人を指定してください: ${formatCommand('export acme/shop#42')}、${formatCommand('export --person alice')}`,
  personNeeded: `人を指定してください: ${formatCommand('erase --person alice')}`,
  platformNeeded: (names) => `その人のプラットフォームを --platform で指定してください: ${names}`,
  unknownPlatform: (name, names) => `設定にプラットフォーム「${name}」がありません。指定できるもの: ${names}`,
  found: ({ runs, notes, accounts }) =>
    `終了した実行 ${runs} 件、その他の記録 ${notes} 件、支出の口座 ${accounts} 件にあります。`,
  nothing: '消去できる記録はありません。',
  confirm: 'この人の名前と文章を、これらすべてで置き換えますか? 元に戻せません。 [y/N]',
  yesNeeded: 'ここでは確認できません。確認なしで消去するには --yes を付けてください。',
  notErased: '何も変更しませんでした。',
  erased: ({ runs, notes, accounts }) =>
    `終了した実行 ${runs} 件、その他の記録 ${notes} 件、支出の口座 ${accounts} 件から消去しました。`,
  postponed: (reasons) =>
    [
      'まだ消去していないものがあります。後でもう一度実行してください:',
      ...reasons.map((reason) => `  ${reason}`),
    ].join('\n'),
  activeRun: (task) => `${task}: 実行が終わっていません。この人の文章を必要としています。`,
  pendingRequest: (task) => `${task}: この人の依頼がまだ処理されていません。`,
  waitingTasks: (count) =>
    `この人の権限で始まるタスクが ${count} 件あります。開始を待つか、ラベルを外してください。`,
  pausedAll: `この人がすべてのタスクを一時停止しています。再開してください: ${formatCommand('resume')}`,
  unreadableRun: (task, reason) => `${task}: ${reason}`,
  leftAlone:
    'このコマンドで変更しないもの: プラットフォーム上のコメントやイシューなどの文章、コミットとブランチ、リポジトリの名前、ログとトレース、バックアップと書き出したファイル、言い換えた引用、ログイン名以外の名前。',
  exported: (path) => `書き出しました: ${path}（個人データを含みます）`,
  target: '個人',
};
