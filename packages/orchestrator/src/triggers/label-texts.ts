import type { ThreadEdit } from '@agent/platforms';
import type { Locale } from '@agent/text';
import type { TriggerTexts } from './task-trigger.ts';

/** Writes what people read about a label that they give threads to the agent by. */
export function createLabelTexts(name: string): Readonly<Record<Locale, TriggerTexts>> {
  const label = code(name);
  return { en: english(label), ja: japanese(label) };
}

/** A name as people read it in a comment. */
export const code = (text: string) => `\`${text.replaceAll('`', '')}\``;

/** Words for the part of a thread that was changed. */
export const editedParts: Readonly<Record<Locale, Readonly<Record<ThreadEdit['part'], string>>>> = {
  en: { title: 'the title', body: 'the text', head: 'the commits' },
  ja: { title: 'タイトル', body: '本文', head: 'コミット' },
};

const english = (label: string): TriggerTexts => ({
  retry: `To try again, remove the cause and put the label ${label} back.`,
  beginAgain: (unassigned) =>
    unassigned
      ? `To begin again, assign the coding agent and put the label ${label} back.`
      : `To begin again, put the label ${label} back.`,
  notGiven: (actor) => {
    if (actor === null) return `I have not begun: nobody can say who put the label ${label} on this thread.`;
    const bots = actor.kind === 'bot' ? ', a bot,' : '';
    return `I have not begun: ${code(actor.login)}${bots} put the label ${label} on this thread, and may not give me work.`;
  },
  changed: ({ part, actor }) => {
    const who = actor === null ? 'nobody can say who changed' : `${code(actor.login)} changed`;
    return `I have not begun: ${who} ${editedParts.en[part]} after the label ${label} was put on this thread.`;
  },
  giveAgain: (who) =>
    `Only ${who} may give me work; a bot has to be named there. If you may: read the thread as it is now, and put the label ${label} on it again.`,
});

const japanese = (label: string): TriggerTexts => ({
  retry: `やり直すには、原因を取り除いてから ${label} ラベルを付け直してください。`,
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
