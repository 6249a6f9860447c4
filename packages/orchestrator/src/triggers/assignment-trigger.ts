import { type CallOptions, isSameAccount, type Platform, PlatformError, type Thread } from '@agent/platforms';
import type { Locale } from '@agent/text';
import { code, editedParts } from './label-texts.ts';
import {
  isAskedAgain,
  type TaskState,
  type TaskThread,
  type TaskTrigger,
  type TriggerTexts,
} from './task-trigger.ts';

/** States of a thread that stays assigned to the agent. */
const openStates: readonly TaskState[] = ['waiting', 'processing', 'paused'];

/**
 * Creates the trigger for threads that people assign to the agent's account. It stays assigned until its run ends, and then
 * takes itself off, so that assigning it again asks for another run; taking the assignment away stops a run.
 *
 * @example
 * createAssignmentTrigger(createMemoryPlatform());
 */
export function createAssignmentTrigger(platform: Pick<Platform, 'tasks' | 'identity'>): TaskTrigger {
  const isAssigned = async ({ assignees }: Thread, options?: CallOptions): Promise<boolean> => {
    const own = await platform.identity.whoAmI(options);
    return assignees.some((account) => isSameAccount(account, own));
  };
  const unassign = async (ports: TaskThread, options?: CallOptions): Promise<void> =>
    requireAssignees(ports).unassign(await platform.identity.whoAmI(options), options);
  return {
    listsPaused: true,
    tellsStrangers: true,
    listWaiting: async ({ signal } = {}) => {
      const { login: assignee } = await platform.identity.whoAmI({ signal });
      return platform.tasks.listTasks({ label: null, assignee, state: 'open', signal });
    },
    claim: async ({ ports, thread }, options) => {
      requireAssignees(ports);
      return (await isAssigned(thread, options)) ? 'ours' : 'theirs';
    },
    setState: async (ports, { state, answers, signal }) => {
      const own = await platform.identity.whoAmI({ signal });
      if (state === 'waiting') return requireAssignees(ports).assign(own, { signal });
      if (openStates.includes(state)) return;
      const event = answers === undefined ? null : await ports.history?.lastAssigned(own, { signal });
      if (answers === undefined || !isAskedAgain(event ?? null, answers)) await unassign(ports, { signal });
    },
    release: unassign,
    signs: {
      listHandovers: async (ports, { since, signal }) => {
        if (!ports.history) return 'unknown';
        const own = await platform.identity.whoAmI({ signal });
        const event = await ports.history.lastAssigned(own, { since, signal });
        return event === null ? [] : [{ ...event, commentId: null }];
      },
      shows: async ({ thread }, states) =>
        states.some((state) => openStates.includes(state)) && (await isAssigned(thread)),
      canReturn: (ports) => ports.assignees != null,
    },
    texts,
  };
}

/** @throws PlatformError where assignments cannot be changed: a thread whose run ended would be begun again and again */
function requireAssignees({ assignees }: TaskThread): NonNullable<TaskThread['assignees']> {
  if (assignees != null) return assignees;
  throw new PlatformError(
    'This platform cannot change assignees, so a finished task would start again and again. Use "trigger: label" instead.',
    { code: 'invalid' },
  );
}

const english: TriggerTexts = {
  retry: 'To start over, assign me again.',
  beginAgain: () => 'To restart the task, assign the coding agent again.',
  notGiven: (actor) => {
    if (actor === null) return "I haven't started: I couldn't find out who assigned me.";
    const bots = actor.kind === 'bot' ? ' (a bot)' : '';
    return `I haven't started: ${code(actor.login)}${bots} assigned me but isn't allowed to give me tasks.`;
  },
  changed: ({ part, actor }) => {
    const who = actor === null ? 'an unknown user' : code(actor.login);
    return `I haven't started: ${who} changed ${editedParts.en[part]} after I was assigned.`;
  },
  giveAgain: (who) =>
    `Only ${who} can give me tasks. Bots must be named in my configuration. If you have permission, check the current content and assign me again.`,
};

const japanese: TriggerTexts = {
  retry: '最初からやり直すには、もう一度アサインしてください。',
  beginAgain: () => 'タスクを再開する場合は、コーディングエージェントを再度アサインしてください。',
  notGiven: (actor) => {
    if (actor === null) return '作業を始めていません。誰がアサインしたのか確認できませんでした。';
    const bots = actor.kind === 'bot' ? ' (ボット)' : '';
    return `作業を始めていません。アサインした ${code(actor.login)}${bots} には、私に作業を任せる権限がありません。`;
  },
  changed: ({ part, actor }) => {
    const what = editedParts.ja[part];
    return actor === null
      ? `作業を始めていません。アサインされた後の${what}の変更について、誰によるものか確認できませんでした。`
      : `作業を始めていません。アサインされた後に、${code(actor.login)} が${what}を変更しました。`;
  },
  giveAgain: (who) =>
    `私に作業を任せられるのは、${who}だけです（ボットは名前の指定が必要です）。権限のある方は、現在の内容を確認のうえ、もう一度アサインしてください。`,
};

const texts: Readonly<Record<Locale, TriggerTexts>> = { en: english, ja: japanese };
