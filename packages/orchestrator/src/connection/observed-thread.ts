import type {
  AssigneeEditor,
  CallOptions,
  CommentWriter,
  LabelEditor,
  OwnComment,
  OwnComments,
  Platform,
  PlatformThread,
  ReactionWriter,
  Thread,
  ThreadReader,
} from '@agent/platforms';
import type { ObservedRecord, ObservedThreadRecord } from './observed-record.ts';
import type { ObservedWrite } from './observed-write.ts';

/** A thread of a process that only observes. */
export interface ObservedThreadOptions {
  readonly platform: Platform;
  /** The ports of the platform. */
  readonly ports: PlatformThread;
  readonly record: ObservedThreadRecord;
  readonly report: (write: ObservedWrite) => void;
  /** Receives the address of the thread's page. */
  readonly onPage: (url: string) => void;
  /** Milliseconds since 1970, by the platform's clock. */
  readonly now: () => number;
}

/** The same roles, which read what would be there and write nothing. */
export function observeThread(options: ObservedThreadOptions): Omit<PlatformThread, 'changeRequests'> {
  const { ports } = options;
  return {
    ...ports,
    reader: observeReader(options),
    writer: observeWriter(options),
    ownComments: ports.ownComments && observeOwnComments(options, ports.ownComments),
    reactions: ports.reactions && observeReactions(options, ports.reactions),
    labels: ports.labels && observeLabels(options),
    assignees: ports.assignees && observeAssignees(options),
  };
}

const prefix = 'observed-';

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
    getComment:
      getComment &&
      (async (id, call) => {
        const { comments, edited } = await record.read();
        const own = comments.find((one) => one.id === id);
        if (own !== undefined) return toComment(options, own);
        if (edited[id] === null || id.startsWith(prefix)) return null;
        const comment = await getComment(id, call);
        return comment && { ...comment, body: edited[id]?.body ?? comment.body };
      }),
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

function observeWriter(options: ObservedThreadOptions): CommentWriter {
  const { ports, record, report } = options;
  return {
    ensureComment: async ({ topic, body, note = null, internal = false, since, signal }) => {
      const { comments, edited } = await record.read();
      const own = comments.find((one) => one.topic === topic && one.internal === internal);
      // Topics of a run that was only observed are on no thread.
      const isShared = own === undefined && !topic.startsWith('run:');
      const listed = isShared ? ((await ports.ownComments?.list({ since, signal })) ?? []) : [];
      const known = own ?? listed.find((one) => one.topic === topic && edited[one.id] !== null);
      if (known === undefined) {
        const id = await addComment(options, { topic, body, note, internal });
        report({ write: 'comment', topic, body, internal });
        return { id, url: null, change: 'created' };
      }
      const change = await editComment(options, { id: known.id, topic, body, note });
      return { id: known.id, url: null, change: change === 'updated' ? 'updated' : 'unchanged' };
    },
  };
}

type NewComment = Pick<ObservedRecord['comments'][number], 'topic' | 'body' | 'note' | 'internal'>;

async function addComment({ record, now }: ObservedThreadOptions, comment: NewComment): Promise<string> {
  const at = new Date(now()).toISOString();
  const { last_id: number } = await record.change((current) => {
    const id = `${prefix}${current.last_id + 1}`;
    const added = { id, ...comment, created_at: at, updated_at: at };
    return { ...current, last_id: current.last_id + 1, comments: [...current.comments, added] };
  });
  return `${prefix}${number}`;
}

interface EditedComment {
  readonly id: string;
  readonly topic: string;
  readonly body: string;
  readonly note: string | null;
}

async function editComment(
  { ports, record, report, now }: ObservedThreadOptions,
  { id, topic, body, note }: EditedComment,
): Promise<'updated' | 'unchanged' | 'gone'> {
  const { comments, edited } = await record.read();
  const own = comments.find((one) => one.id === id);
  if (edited[id] === null || (own === undefined && id.startsWith(prefix))) return 'gone';
  const shown = own ?? edited[id] ?? (await ports.ownComments?.list())?.find((one) => one.id === id);
  if (shown === undefined) return 'gone';
  if (shown.body === body && shown.note === note) return 'unchanged';
  const updated_at = new Date(now()).toISOString();
  await record.change((current) =>
    own === undefined
      ? { ...current, edited: { ...current.edited, [id]: { body, note } } }
      : {
          ...current,
          comments: current.comments.map((one) => (one.id === id ? { ...one, body, note, updated_at } : one)),
        },
  );
  // A note alone is what no reader sees.
  if (shown.body !== body) report({ write: 'edit', commentId: id, topic, body });
  return 'updated';
}

function observeOwnComments(options: ObservedThreadOptions, ownComments: OwnComments): OwnComments {
  const { record, report } = options;
  return {
    list: async (call) => {
      const listed = await ownComments.list(call);
      const { comments, edited } = await record.read();
      const shown = listed.filter(({ id }) => edited[id] !== null);
      const own = await Promise.all(
        comments.map(async (one) => ({
          ...(await toComment(options, one)),
          topic: one.topic,
          note: one.note,
        })),
      );
      return [...shown.map((one) => ({ ...one, ...edited[one.id] })), ...own];
    },
    edit: ({ id, topic, body, note = null }) => editComment(options, { id, topic, body, note }),
    remove: async (id) => {
      const { comments, edited } = await record.read();
      const isOwn = comments.some((one) => one.id === id);
      if (edited[id] === null || (!isOwn && id.startsWith(prefix))) return;
      await record.change((current) =>
        isOwn
          ? { ...current, comments: current.comments.filter((one) => one.id !== id) }
          : { ...current, edited: { ...current.edited, [id]: null } },
      );
      report({ write: 'removal', commentId: id });
    },
  };
}

async function toComment(
  { platform }: ObservedThreadOptions,
  { id, body, internal, created_at, updated_at }: ObservedRecord['comments'][number],
): Promise<Omit<OwnComment, 'topic' | 'note'>> {
  return {
    id,
    body,
    author: await platform.identity.whoAmI(),
    createdAt: created_at,
    updatedAt: updated_at,
    url: null,
    visibility: internal ? 'internal' : 'public',
    subject: null,
  };
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
    listReactions:
      listReactions && (async (of) => (of.commentId.startsWith(prefix) ? [] : listReactions(of))),
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
