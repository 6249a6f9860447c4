import { type CallOptions, formatTaskKey, type TaskKey } from '@agent/platforms';
import type { Locale } from '@agent/text';
import { code, editedParts } from './label-texts.ts';
import type { TaskState, TaskTrigger, TriggerTexts } from './task-trigger.ts';

/** Threads that a program gives to the agent: a list of its own, in memory, in a database or behind an HTTP endpoint. */
export interface TaskList {
  /** Lists the threads that wait for a run, oldest first. Rejects where that cannot be asked. */
  readonly listWaiting: (options?: CallOptions) => Promise<readonly TaskKey[]>;
  /**
   * Keeps how far a thread is. `waiting` puts it on the list, everything else takes it off; `released` says that it was
   * given back to people. Repeating it is safe.
   */
  readonly setState: (key: TaskKey, state: TaskState | 'released') => Promise<void>;
}

/**
 * Creates the trigger for threads that a program gives to the agent. Whoever fills the list decides who may give work; a
 * thread that is put on the list again begins another run, or resumes one that is paused.
 *
 * @example
 * const states = new Map<string, string>([['github_issue:octo:hello:1', 'waiting']]);
 * createListTrigger({
 *   listWaiting: async () => [...states].flatMap(([key, state]) => (state === 'waiting' ? [parseTaskKey(key)] : [])),
 *   setState: async (key, state) => void states.set(formatTaskKey(key), state),
 * });
 */
export function createListTrigger({ listWaiting, setState }: TaskList): TaskTrigger {
  const isListed = async (key: TaskKey, options?: CallOptions): Promise<boolean> => {
    const name = formatTaskKey(key);
    return (await listWaiting(options)).some((waiting) => formatTaskKey(waiting) === name);
  };
  return {
    listsPaused: false,
    tellsStrangers: true,
    listWaiting: async (options) => {
      const tasks = (await listWaiting(options)).map((key) => ({ key }));
      return { tasks, failures: [] };
    },
    claim: async ({ ports }, options) => ((await isListed(ports.key, options)) ? 'ours' : 'theirs'),
    setState: ({ key }, { state }) => setState(key, state),
    release: ({ key }) => setState(key, 'released'),
    signs: {
      listHandovers: async () => 'unknown',
      shows: async ({ ports }, states) => {
        const isWaiting = await isListed(ports.key);
        return states.some((state) => (state === 'waiting') === isWaiting);
      },
      canReturn: () => true,
    },
    texts,
  };
}

const english: TriggerTexts = {
  retry: 'To start over, give me the task again.',
  beginAgain: () => 'To restart the task, give it to me again.',
  notGiven: (actor) => {
    if (actor === null) return "I haven't started: I couldn't find out who gave me this task.";
    return `I haven't started: ${code(actor.login)} gave me this task but isn't allowed to give me tasks.`;
  },
  changed: ({ part, actor }) => {
    const who = actor === null ? 'an unknown user' : code(actor.login);
    return `I haven't started: ${who} changed ${editedParts.en[part]} after I was given this task.`;
  },
  giveAgain: (who) =>
    `Only ${who} can give me tasks. If you have permission, check the current content and give me the task again.`,
};

const japanese: TriggerTexts = {
  retry: '最初からやり直すには、もう一度このタスクを私に任せてください。',
  beginAgain: () => 'タスクを再開する場合は、もう一度このタスクを私に任せてください。',
  notGiven: (actor) => {
    if (actor === null) return '作業を始めていません。誰がこのタスクを任せたのか確認できませんでした。';
    return `作業を始めていません。このタスクを任せた ${code(actor.login)} には、私に作業を任せる権限がありません。`;
  },
  changed: ({ part, actor }) => {
    const what = editedParts.ja[part];
    return actor === null
      ? `作業を始めていません。任された後の${what}の変更について、誰によるものか確認できませんでした。`
      : `作業を始めていません。任された後に、${code(actor.login)} が${what}を変更しました。`;
  },
  giveAgain: (who) =>
    `私に作業を任せられるのは、${who}だけです。権限のある方は、現在の内容を確認のうえ、もう一度任せてください。`,
};

const texts: Readonly<Record<Locale, TriggerTexts>> = { en: english, ja: japanese };
