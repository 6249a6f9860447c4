import type { MigratedRun } from '@agent/run-store/migration';
import type { Locale } from '@agent/text';

/** What `history`, `purge` and `migrate` say, in one language. */
export interface PastTexts {
  readonly headings: readonly [
    ended: string,
    status: string,
    id: string,
    depth: string,
    from: string,
    summary: string,
  ];
  readonly none: (task: string) => string;
  readonly unfinished: string;
  readonly noSummary: string;
  readonly refused: (command: string) => string;
  readonly tokens: (count: number) => string;
  readonly mustEnd: (task: string) => string;
  readonly nothingKept: (task: string) => string;
  readonly confirm: (task: string, runs: number) => string;
  readonly yesNeeded: string;
  readonly notPurged: string;
  readonly purged: (task: string, runs: number) => string;
  readonly rows: Readonly<Record<MigratedRun['kind'], string>>;
  readonly inferred: string;
  readonly counts: (counts: Readonly<Record<MigratedRun['kind'], number>>) => string;
  readonly noDirectory: (path: string) => string;
  /** Runs that the daemon would remove at once. */
  readonly expired: (runs: number, days: number) => string;
  readonly applyHint: string;
  readonly indexed: (runs: number) => string;
}

const en: PastTexts = {
  headings: ['ENDED', 'STATUS', 'ID', 'DEPTH', 'TOOK OVER', 'SUMMARY'],
  none: (task) => `No run of ${task} is kept.`,
  unfinished: 'not ended',
  noSummary: '(no summary)',
  refused: (command) => `nothing (/${command})`,
  tokens: (count) => `${count} tokens`,
  mustEnd: (task) => `A run of ${task} has not ended. End it first: agent-daemon stop ${task}`,
  nothingKept: (task) => `Nothing is kept of ${task}.`,
  confirm: (task, runs) =>
    `Remove everything that is kept of ${task} (${runs} ${runs === 1 ? 'run' : 'runs'})? It cannot be undone. [y/N]`,
  yesNeeded: 'Nobody can be asked here. Give --yes to remove without a question.',
  notPurged: 'Nothing was removed.',
  purged: (task, runs) => `Removed ${runs} ${runs === 1 ? 'run' : 'runs'} of ${task}.`,
  rows: { migrated: 'migrates', current: 'up to date', left: 'left as it is' },
  inferred: 'status concluded from its summaries',
  counts: ({ migrated, current, left }) =>
    `${migrated} to migrate or migrated, ${current} up to date, ${left} left as they are.`,
  noDirectory: (path) => `There is no directory "${path}".`,
  expired: (runs, days) =>
    `${runs} of them ended more than ${days} days ago: no run takes over from them, and the daemon removes them when it starts. To keep them, raise context_inheritance.context_expiry_days first.`,
  applyHint: 'Nothing was changed. To do it: agent-daemon migrate --apply',
  indexed: (runs) => `The index has ${runs} ${runs === 1 ? 'run' : 'runs'}.`,
};

const ja: PastTexts = {
  headings: ['終了', '状態', 'ID', '深さ', '引き継ぎ', '要約'],
  none: (task) => `${task} の実行の記録はありません。`,
  unfinished: '未終了',
  noSummary: '（要約なし）',
  refused: (command) => `なし（/${command}）`,
  tokens: (count) => `${count} トークン`,
  mustEnd: (task) => `${task} の実行が終わっていません。先に終わらせてください: agent-daemon stop ${task}`,
  nothingKept: (task) => `${task} の記録はありません。`,
  confirm: (task, runs) => `${task} の記録（${runs} 件）をすべて削除しますか? 元に戻せません。 [y/N]`,
  yesNeeded: 'ここでは質問できません。質問なしで削除するには --yes を付けてください。',
  notPurged: '何も削除しませんでした。',
  purged: (task, runs) => `${task} の実行 ${runs} 件を削除しました。`,
  rows: { migrated: '移行', current: '移行済み', left: '対象外（そのまま）' },
  inferred: '状態は要約から推定',
  counts: ({ migrated, current, left }) => `移行 ${migrated} 件、移行済み ${current} 件、対象外 ${left} 件。`,
  noDirectory: (path) => `ディレクトリ "${path}" がありません。`,
  expired: (runs, days) =>
    `うち ${runs} 件は終了から ${days} 日を過ぎているため、引き継がれず、デーモンの起動時に削除されます。残すには、先に context_inheritance.context_expiry_days を大きくしてください。`,
  applyHint: '何も変更していません。実行するには: agent-daemon migrate --apply',
  indexed: (runs) => `索引には ${runs} 件の実行があります。`,
};

/** The commands about runs that ended. */
export const pastTexts: Readonly<Record<Locale, PastTexts>> = { ja, en };
