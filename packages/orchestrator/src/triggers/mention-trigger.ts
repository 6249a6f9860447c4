import {
  type Account,
  type Platform,
  PlatformError,
  type ThreadEdit,
  type ThreadHistory,
} from '@agent/platforms';
import type { Locale } from '@agent/text';
import { code, editedParts } from './label-texts.ts';
import { MentionBook, type MentionBookOptions } from './mention-book.ts';
import type { TaskThread, TaskTrigger, TriggerTexts } from './task-trigger.ts';
import type { Mention } from './thread-mentions.ts';

/**
 * Creates the trigger for threads on which people mention the agent's account, in a comment or in the thread's own text. Each
 * mention is handled once: a run that begins takes all that stand there, what is said while it works is a comment for it,
 * and one after its final comment begins another run. Only mentions since the first start count.
 *
 * @example
 * const platform = createMemoryPlatform();
 * createMentionTrigger(platform, { store: createMentionStore(storage.notes, platform) });
 */
export function createMentionTrigger(
  platform: Pick<Platform, 'tasks' | 'identity' | 'openThread'>,
  options: MentionBookOptions,
): TaskTrigger {
  const book = new MentionBook(platform, options);
  return {
    beginsByMention: true,
    listsPaused: true,
    tellsStrangers: false,
    listWaiting: (call) => book.listWaiting(call),
    claim: async ({ ports, thread }, call) => {
      requireHistory(ports);
      return (await book.claim(ports.key, thread, call)) ? 'ours' : 'theirs';
    },
    setState: (ports, next) => book.setState(ports, next),
    release: ({ key }, call) => book.release(key, call),
    signs: {
      listHandovers: async (ports, { since, signal }) => {
        const history = requireHistory(ports);
        const mentions = await book.listClaimed(ports.key, { signal });
        const returned = await book.returnedAt(ports.key);
        const own = returned ?? (mentions.length === 0 ? since : null);
        const times = [...mentions.map(({ createdAt }) => createdAt), own, since].filter(
          (time) => time !== null,
        );
        if (times.length === 0) return [];
        const editsSince = await history.listEdits({ since: earliest(times), signal });
        const given = [];
        for (const mention of mentions) given.push(await toGiver(mention, { history, editsSince, signal }));
        const account = await platform.identity.whoAmI({ signal });
        const byUs = own === null ? [] : [{ actor: account, at: own, commentId: null }];
        return [...given, ...byUs]
          .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
          .map((event) => ({ ...event, editsSince }));
      },
      shows: ({ ports }, states) => book.shows(ports.key, states),
      canReturn: () => true,
    },
    texts,
  };
}

interface Giver {
  readonly actor: Account | null;
  readonly at: string;
  readonly commentId: string | null;
}

/** Finds who wrote a mention as it stands: its author, or whoever edited it last where the platform says who that was. */
async function toGiver(
  { commentId, author, createdAt, at }: Mention,
  {
    history,
    editsSince,
    signal,
  }: {
    readonly history: ThreadHistory;
    readonly editsSince: readonly ThreadEdit[];
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Giver> {
  const written = { actor: author, at, commentId };
  if (commentId === null) {
    const edits = editsSince.filter((edit) => edit.part === 'body' && isFrom(edit.at, createdAt));
    const last = edits.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).at(-1);
    return last === undefined ? written : { ...written, actor: last.actor, at: last.at };
  }
  if (at === createdAt) return written;
  const edit = (await history.lastCommentEdit?.(commentId, { signal })) ?? null;
  return edit === null ? written : { ...written, actor: edit.actor };
}

const isFrom = (time: string, since: string) => Date.parse(time) >= Date.parse(since);

const earliest = (times: readonly string[]) =>
  times.reduce((one, other) => (Date.parse(one) <= Date.parse(other) ? one : other));

/** @throws PlatformError where nobody can say who changed a thread: what strangers wrote there would be followed */
function requireHistory({ history }: TaskThread): ThreadHistory {
  if (history != null) return history;
  throw new PlatformError(
    'This platform does not report who changed an issue, so the agent could not know what was asked for. Use "trigger: label" instead.',
    { code: 'invalid' },
  );
}

const english: TriggerTexts = {
  retry: 'To start over, mention me again.',
  beginAgain: (unassigned) =>
    unassigned
      ? 'To restart the task, assign the coding agent and mention it again.'
      : 'To restart the task, mention the coding agent again.',
  notGiven: (actor) => {
    if (actor === null) return "I haven't started: I couldn't find out who mentioned me here.";
    const bots = actor.kind === 'bot' ? ' (a bot)' : '';
    return `I haven't started: ${code(actor.login)}${bots} mentioned me here but isn't allowed to give me tasks.`;
  },
  changed: ({ part, actor }) => {
    const who = actor === null ? 'an unknown user' : code(actor.login);
    return `I haven't started: ${who} changed ${editedParts.en[part]} after I was mentioned here.`;
  },
  giveAgain: (who) =>
    `Only ${who} can give me tasks. Bots must be named in my configuration. If you have permission, check the current content and mention me again.`,
};

const japanese: TriggerTexts = {
  retry: '最初からやり直すには、もう一度メンションしてください。',
  beginAgain: (unassigned) =>
    unassigned
      ? 'タスクを再開する場合は、コーディングエージェントを再度アサインし、メンションしてください。'
      : 'タスクを再開する場合は、コーディングエージェントを再度メンションしてください。',
  notGiven: (actor) => {
    if (actor === null) return '作業を始めていません。誰がメンションしたのか確認できませんでした。';
    const bots = actor.kind === 'bot' ? ' (ボット)' : '';
    return `作業を始めていません。メンションした ${code(actor.login)}${bots} には、私に作業を任せる権限がありません。`;
  },
  changed: ({ part, actor }) => {
    const what = editedParts.ja[part];
    return actor === null
      ? `作業を始めていません。メンションされた後の${what}の変更について、誰によるものか確認できませんでした。`
      : `作業を始めていません。メンションされた後に、${code(actor.login)} が${what}を変更しました。`;
  },
  giveAgain: (who) =>
    `私に作業を任せられるのは、${who}だけです（ボットは名前の指定が必要です）。権限のある方は、現在の内容を確認のうえ、もう一度メンションしてください。`,
};

const texts: Readonly<Record<Locale, TriggerTexts>> = { en: english, ja: japanese };
