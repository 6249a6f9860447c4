import type {
  AssigneeEditor,
  CallOptions,
  LabelEditor,
  PlatformThread,
  ReactionWriter,
  Thread,
  ThreadReader,
} from '@agent/platforms';
import { findComment, isObserved, observeComments } from './observed-comments.ts';
import type { ObservedRecord } from './observed-record.ts';
import type { ObservedThreadOptions } from './observed-write.ts';

/** The same roles, which read what would be there and write nothing. */
export function observeThread(options: ObservedThreadOptions): Omit<PlatformThread, 'changeRequests'> {
  const { ports } = options;
  return {
    ...ports,
    reader: observeReader(options),
    ...observeComments(options),
    reactions: ports.reactions && observeReactions(options, ports.reactions),
    labels: ports.labels && observeLabels(options),
    assignees: ports.assignees && observeAssignees(options),
  };
}

function observeReader(options: ObservedThreadOptions): ThreadReader {
  const { ports, record, onPage } = options;
  const { getComment } = ports.reader;
  let comparedAt: string | null = null;
  return {
    ...ports.reader,
    readThread: async (call) => {
      const thread = await ports.reader.readThread(call);
      onPage(thread.url);
      if (thread.updatedAt !== comparedAt) await forgetAnswered(options, thread, call);
      comparedAt = thread.updatedAt;
      return applyRecord(thread, await record.read());
    },
    getComment: getComment && ((id, call) => findComment(options, id, () => getComment(id, call))),
  };
}

function applyRecord(thread: Thread, { labels, assignees }: ObservedRecord): Thread {
  const shown = thread.labels.filter((name) => labels[name.toLowerCase()]?.change !== 'remove');
  const known = new Set(shown.map((name) => name.toLowerCase()));
  const added = Object.entries(labels).filter(([key, one]) => one.change === 'add' && !known.has(key));
  return {
    ...thread,
    labels: [...shown, ...added.map(([, { name }]) => name)],
    assignees: thread.assignees.filter(({ id }) => assignees[id]?.change !== 'remove'),
  };
}

/** Forgets the removal of a label or an assignment that a user gave again since. */
async function forgetAnswered(
  { ports, record, platform }: ObservedThreadOptions,
  thread: Thread,
  call: CallOptions = {},
): Promise<void> {
  const { labels, assignees } = await record.read();
  const isNewer = (event: { readonly at: string } | null | undefined, answers: string | null) =>
    event != null && (answers === null || Date.parse(event.at) > Date.parse(answers));
  const forgotten: string[] = [];
  for (const name of thread.labels) {
    const removed = labels[name.toLowerCase()];
    if (removed?.change !== 'remove') continue;
    if (isNewer(await ports.labelEvents?.lastLabeled(name, call), removed.answers))
      forgotten.push(name.toLowerCase());
  }
  const own = await platform.identity.whoAmI(call);
  const unassigned = thread.assignees.some(({ id }) => id === own.id) ? assignees[own.id] : undefined;
  const isAssignedAgain =
    unassigned?.change === 'remove' &&
    isNewer(await ports.history?.lastAssigned(own, call), unassigned.answers);
  if (forgotten.length === 0 && !isAssignedAgain) return;
  await record.change((current) => ({
    ...current,
    labels: without(current.labels, forgotten),
    assignees: without(current.assignees, isAssignedAgain ? [own.id] : []),
  }));
}

function without<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function observeReactions({ report }: ObservedThreadOptions, reactions: ReactionWriter): ReactionWriter {
  const { listReactions } = reactions;
  const given = new Set<string>();
  return {
    ensureReaction: async ({ commentId, meaning }) => {
      if (given.has(`${meaning} ${commentId}`)) return;
      given.add(`${meaning} ${commentId}`);
      report({ write: 'reaction', commentId, meaning });
    },
    listReactions: listReactions && (async (of) => (isObserved(of.commentId) ? [] : listReactions(of))),
  };
}

function observeLabels({ ports, record, report }: ObservedThreadOptions): LabelEditor {
  const set = async (name: string, change: 'add' | 'remove', call: CallOptions = {}) => {
    const key = name.toLowerCase();
    if ((await record.read()).labels[key]?.change === change) return;
    const event = change === 'add' ? null : await ports.labelEvents?.lastLabeled(name, call);
    const answers = event?.at ?? null;
    await record.change((current) => ({
      ...current,
      labels: { ...current.labels, [key]: { name, change, answers } },
    }));
    report({ write: 'label', change, label: name });
  };
  return {
    addLabel: (name, call) => set(name, 'add', call),
    removeLabel: (name, call) => set(name, 'remove', call),
  };
}

function observeAssignees({ ports, record, report }: ObservedThreadOptions): AssigneeEditor {
  return {
    assign: async ({ id, login }) => {
      await record.change((current) => ({ ...current, assignees: without(current.assignees, [id]) }));
      report({ write: 'assignment', change: 'add', login });
    },
    unassign: async (account, call) => {
      const { id, login } = account;
      if ((await record.read()).assignees[id]?.change === 'remove') return;
      const event = await ports.history?.lastAssigned(account, call);
      const removed = { login, change: 'remove', answers: event?.at ?? null } as const;
      await record.change((current) => ({ ...current, assignees: { ...current.assignees, [id]: removed } }));
      report({ write: 'assignment', change: 'remove', login });
    },
  };
}
