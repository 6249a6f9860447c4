import { formatCommand } from '../command-name.ts';

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Numbers of what is stored of a person. */
interface PersonCounts {
  readonly runs: number;
  readonly notes: number;
  readonly accounts: number;
}

/** English texts. */
export const en = {
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
