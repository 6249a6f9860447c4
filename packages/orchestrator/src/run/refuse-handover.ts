import type { PlatformThread } from '@agent/platforms';
import type { Locale } from '@agent/text';
import type { TrustPolicy } from '../inbox/create-trust.ts';
import type { HandoverRefusal } from './check-handover.ts';

export interface RefusedHandover {
  readonly ports: Pick<PlatformThread, 'writer' | 'labels'>;
  /** Of the label that threads wait with. */
  readonly label: string;
  readonly refusal: HandoverRefusal;
  readonly policy: Pick<TrustPolicy, 'collaborators'>;
  readonly locale: Locale;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives a thread back to people: one comment for each time that it was labelled and each reason, which says why and who may,
 * and then the label goes. Repeating it is safe. Where nobody can say when it was labelled, there is one each day.
 */
export async function refuseHandover(refused: RefusedHandover): Promise<void> {
  const { ports, label, refusal, now, signal } = refused;
  const at = refusal.at ?? new Date(now()).toISOString().slice(0, 10);
  const topic = `handover:${at}:${refusal.reason === 'edit' ? refusal.part : 'label'}`;
  await ports.writer.ensureComment({ topic, body: formatRefusal(refused), signal });
  await ports.labels?.removeLabel(label, { signal });
}

/** What people read about it, in the language of the thread. */
export function formatRefusal({
  label,
  refusal,
  policy,
  locale,
}: Pick<RefusedHandover, 'label' | 'refusal' | 'policy' | 'locale'>): string {
  const text = texts[locale];
  const why = refusal.reason === 'label' ? text.label(label, refusal) : text.edit(label, refusal);
  return `${why}\n\n${text.again(label, text.whoMay(policy.collaborators))}`;
}

type LabelRefusal = Extract<HandoverRefusal, { reason: 'label' }>;
type EditRefusal = Extract<HandoverRefusal, { reason: 'edit' }>;

const code = (text: string) => `\`${text.replaceAll('`', '')}\``;

const english = {
  whoMay: (collaborators: boolean): string =>
    collaborators
      ? 'people with write permission in this repository'
      : 'people who are named in my configuration (`trust`)',
  label: (label: string, { actor }: LabelRefusal): string => {
    if (actor === null)
      return `I have not begun: nobody can say who put the label ${code(label)} on this thread.`;
    const bots = actor.kind === 'bot' ? ', a bot,' : '';
    return `I have not begun: ${code(actor.login)}${bots} put the label ${code(label)} on this thread, and may not give me work.`;
  },
  edit: (label: string, { part, actor }: EditRefusal): string => {
    const parts = { title: 'the title', body: 'the text', head: 'the commits' };
    const who = actor === null ? 'nobody can say who changed' : `${code(actor.login)} changed`;
    return `I have not begun: ${who} ${parts[part]} after the label ${code(label)} was put on this thread.`;
  },
  again: (label: string, who: string): string =>
    `Only ${who} may give me work; a bot has to be named there. If you may: read the thread as it is now, and put the label ${code(label)} on it again.`,
};

const japanese: typeof english = {
  whoMay: (collaborators) =>
    collaborators ? 'このリポジトリに書き込み権限のある人' : '設定 (`trust`) に名前のある人',
  label: (label, { actor }) => {
    if (actor === null)
      return `作業を始めていません。ラベル ${code(label)} を誰が付けたのか確認できませんでした。`;
    const bots = actor.kind === 'bot' ? ' (ボット)' : '';
    return `作業を始めていません。ラベル ${code(label)} を付けた ${code(actor.login)}${bots} には、私に作業を任せる権限がありません。`;
  },
  edit: (label, { part, actor }) => {
    const parts = { title: 'タイトル', body: '本文', head: 'コミット' };
    return actor === null
      ? `作業を始めていません。ラベル ${code(label)} が付いた後の${parts[part]}の変更について、誰によるものか確認できませんでした。`
      : `作業を始めていません。ラベル ${code(label)} が付いた後に、${code(actor.login)} が${parts[part]}を変更しました。`;
  },
  again: (label, who) =>
    `私に作業を任せられるのは、${who}だけです（ボットは名前の指定が必要です）。権限のある方は、現在の内容を確認のうえ、ラベル ${code(label)} を付け直してください。`,
};

const texts: Readonly<Record<Locale, typeof english>> = { ja: japanese, en: english };
