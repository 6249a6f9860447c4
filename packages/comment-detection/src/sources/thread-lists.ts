import type { CallOptions } from '@agent/platforms';
import type { SourceComment } from '../comment.ts';
import { type CommentSource, compareComments } from '../comment.ts';

/** One list of a thread, e.g. its reviews. */
export interface ThreadList {
  /** Key of its cursor in the joined cursor; stays the same over versions. */
  readonly name: string;
  /** Beginning of the ids of its comments; empty for the conversation. */
  readonly idPrefix: string;
  readonly read: (since: string | null, options: CallOptions) => Promise<ListReading>;
  readonly getComment: NonNullable<CommentSource['getComment']>;
}

/** Result of one read of a list. */
export interface ListReading {
  /** The whole list if it was read from the beginning, also if it is unchanged. */
  readonly comments: readonly SourceComment[];
  readonly unchanged: boolean;
  readonly cursor: string | null;
  /** Stores the answer, so that the next read can return "unchanged". Called after all lists of a poll were read. */
  readonly keep: () => void;
}

/**
 * Joins the lists of a thread into one source, in the order of time. A poll succeeds only if all lists were read. Otherwise no list stores
 * its answer, so that the next poll reports it.
 */
export function joinLists(lists: readonly ThreadList[]): Pick<CommentSource, 'listComments'> & {
  readonly getComment: ThreadList['getComment'];
} {
  return {
    listComments: async ({ since, signal }) => {
      const cursors = parseCursor(since, lists);
      const calls = lists.map(({ read }, index) => read(cursors[index] ?? null, { signal }));
      // No request continues after the poll has failed.
      await Promise.allSettled(calls);
      const readings = await Promise.all(calls);
      for (const { keep } of readings) keep();
      const found = readings.map(({ cursor }, index) => cursor ?? cursors[index] ?? null);
      const cursor = formatCursor(found, lists);
      const complete = cursors.every((one) => one === null);
      if (readings.every(({ unchanged }) => unchanged))
        return { comments: [], complete, cursor, unchanged: true };
      const comments = readings.flatMap((reading) => reading.comments).sort(compareComments);
      return { comments, complete, cursor, unchanged: false };
    },
    getComment: async (id, options) => {
      const claims = ({ idPrefix }: ThreadList) => idPrefix !== '' && id.startsWith(idPrefix);
      const list = lists.find(claims) ?? lists.find(({ idPrefix }) => idPrefix === '');
      return list === undefined ? null : list.getComment(id, options);
    },
  };
}

function isConversation(lists: readonly ThreadList[]): boolean {
  return lists.length === 1 && lists[0]?.idPrefix === '';
}

/** Reads the cursor of each list. A plain time is the cursor of the conversation alone. */
function parseCursor(since: string | null, lists: readonly ThreadList[]): readonly (string | null)[] {
  if (!since?.startsWith('{')) return lists.map(({ idPrefix }) => (idPrefix === '' ? since : null));
  const cursors: Readonly<Record<string, unknown>> = JSON.parse(since);
  return lists.map(({ name }) => {
    const cursor = cursors[name];
    return typeof cursor === 'string' ? cursor : null;
  });
}

function formatCursor(cursors: readonly (string | null)[], lists: readonly ThreadList[]): string | null {
  const [first = null] = cursors;
  if (isConversation(lists)) return first;
  const known = lists.flatMap(({ name }, index) => {
    const cursor = cursors[index] ?? null;
    return cursor === null ? [] : [[name, cursor] as const];
  });
  return JSON.stringify(Object.fromEntries(known));
}

/** Id of a thread's own title and description among its comments; no platform gives it to a comment. */
const threadTextId = 'thread';

/** The title and description as a list of one comment. */
export function createTextList(read: (options: CallOptions) => Promise<SourceComment>): ThreadList {
  let told: string | null = null;
  return {
    ...{ name: 'thread', idPrefix: threadTextId },
    read: async (_, options) => {
      const text = await read(options);
      const keep = () => {
        told = text.body;
      };
      return { comments: [text], unchanged: text.body === told, cursor: null, keep };
    },
    getComment: (_, options) => read(options),
  };
}

/** Title and description of a thread as its platform shows them. */
export interface ThreadText extends Pick<SourceComment, 'author' | 'createdAt' | 'url'> {
  readonly title: string;
  readonly description: string;
}

/** Title and description as one of the comments, by the thread's author. An edit of them has no time of its own. */
export function toTextComment({ title, description, ...shown }: ThreadText): SourceComment {
  const body = description.trim() === '' ? title : `${title}\n\n${description}`;
  return { ...shown, id: threadTextId, part: 'thread', body, updatedAt: null };
}
