import type { ThreadEdit } from '@agent/platforms';
import type { Locale } from '@agent/text';
import type { TriggerTexts } from './task-trigger.ts';

/** Creates the texts about a label that assigns tasks to the agent. */
export function createLabelTexts(name: string): Readonly<Record<Locale, TriggerTexts>> {
  const label = code(name);
  return { en: english(label), ja: japanese(label) };
}

/** Formats a name as a code span. */
export const code = (text: string) => `\`${text.replaceAll('`', '')}\``;

/** Names the part of an issue or pull request that was changed. */
export const editedParts: Readonly<Record<Locale, Readonly<Record<ThreadEdit['part'], string>>>> = {
  en: { title: 'the title', body: 'the description', head: 'the commits' },
  ja: { title: 'タイトル', body: '本文', head: 'コミット' },
};

const english = (label: string): TriggerTexts => ({
  retry: `To start over, add the label ${label} again.`,
  beginAgain: (unassigned) =>
    unassigned
      ? `To restart the task, assign the coding agent and add the label ${label} again.`
      : `To restart the task, add the label ${label} again.`,
  notGiven: (actor) => {
    if (actor === null) return `I haven't started: I couldn't find out who added the label ${label}.`;
    const bots = actor.kind === 'bot' ? ' (a bot)' : '';
    return `I haven't started: ${code(actor.login)}${bots} added the label ${label} but isn't allowed to give me tasks.`;
  },
  changed: ({ part, actor }) => {
    const who = actor === null ? 'an unknown user' : code(actor.login);
    return `I haven't started: ${who} changed ${editedParts.en[part]} after the label ${label} was added.`;
  },
  giveAgain: (who) =>
    `Only ${who} can give me tasks. Bots must be named in my configuration. If you have permission, check the current content and add the label ${label} again.`,
});

const japanese = (label: string): TriggerTexts => ({
  retry: `最初からやり直すには、ラベル ${label} を付け直してください。`,
  beginAgain: (unassigned) =>
    [
      unassigned
        ? 'タスクを再開する場合は、コーディングエージェントを再度アサインし、'
        : 'タスクを再開する場合は、',
      `${label} ラベルを付与してください。`,
    ].join('\n'),
  notGiven: (actor) => {
    if (actor === null) return `作業を始めていません。ラベル ${label} を誰が付けたのか確認できませんでした。`;
    const bots = actor.kind === 'bot' ? ' (ボット)' : '';
    return `作業を始めていません。ラベル ${label} を付けた ${code(actor.login)}${bots} には、私に作業を任せる権限がありません。`;
  },
  changed: ({ part, actor }) => {
    const what = editedParts.ja[part];
    return actor === null
      ? `作業を始めていません。ラベル ${label} が付いた後の${what}の変更について、誰によるものか確認できませんでした。`
      : `作業を始めていません。ラベル ${label} が付いた後に、${code(actor.login)} が${what}を変更しました。`;
  },
  giveAgain: (who) =>
    `私に作業を任せられるのは、${who}だけです（ボットは名前の指定が必要です）。権限のある方は、現在の内容を確認のうえ、ラベル ${label} を付け直してください。`,
});
