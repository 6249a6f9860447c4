import { formatCommand } from '../command-name.ts';

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Numbers of what is stored of a person. */
interface PersonCounts {
  readonly runs: number;
  readonly notes: number;
  readonly accounts: number;
}

const en = {
  taskOrPerson: `Name a task, or a person with --person: ${formatCommand('export acme/shop#42')}, ${formatCommand('export --person alice')}`,
  personNeeded: `Name the person: ${formatCommand('erase --person alice')}`,
  platformNeeded: (names: string) => `Name the platform of the person with --platform: ${names}.`,
  unknownPlatform: (name: string, names: string) =>
    `The configuration has no platform "${name}". It has: ${names}.`,
  found: ({ runs, notes, accounts }: PersonCounts) =>
    `Found in ${plural(runs, 'finished run')}, ${plural(notes, 'other record')} and ${plural(accounts, 'spending account')}.`,
  nothing: 'Nothing that can be erased is stored.',
  confirm: 'Replace the name and the texts of this person in all of them? This cannot be undone. [y/N]',
  yesNeeded: 'Cannot ask for confirmation here. Use --yes to erase without asking.',
  notErased: 'Nothing was changed.',
  erased: ({ runs, notes, accounts }: PersonCounts) =>
    `Erased in ${plural(runs, 'finished run')}, ${plural(notes, 'other record')} and ${plural(accounts, 'spending account')}.`,
  postponed: (reasons: readonly string[]) =>
    [`Not erased yet. Run this command again afterwards:`, ...reasons.map((reason) => `  ${reason}`)].join(
      '\n',
    ),
  activeRun: (task: string) => `${task}: a run is not finished. It needs what the person wrote.`,
  pendingRequest: (task: string) => `${task}: a request of the person is not handled yet.`,
  waitingTasks: (count: number) =>
    `${plural(count, 'task')} will start with the permissions of the person. Wait for the start, or remove the label.`,
  pausedAll: `All tasks are paused by the person. Resume them: ${formatCommand('resume')}`,
  unreadableRun: (task: string, reason: string) => `${task}: ${reason}`,
  leftAlone:
    'Not changed by this command: comments, issues and other text on the platform, commits and branches, names of repositories, logs and traces, backups and exported files, quotes in other words, names other than the login.',
  exported: (path: string) => `Exported to ${path}. The file contains personal data.`,
  /** Stands for the person in the audit log. */
  target: 'a person',
};

/** Texts of `erase` and of `export --person` in one language. */
export type PeopleTexts = typeof en;

const ja: PeopleTexts = {
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

/** Texts of `erase` and of `export --person`, by language. */
export const peopleTexts = { en, ja };
