import type {
  Comment,
  CommentListing,
  CommentSource,
  CommentWriter,
  KnownComment,
  OwnComment,
  OwnComments,
  PlatformThread,
} from '@agent/platforms';
import { composeOwnComment, isSameBody } from '@agent/platforms/comments';
import type { ObservedRecord } from './observed-record.ts';
import type { ObservedThreadOptions } from './observed-write.ts';

const prefix = 'observed-';

/** Tells whether this is the id of a comment that is on no platform. */
export function isObserved(id: string): boolean {
  return id.startsWith(prefix);
}

/** The same comments, and the observed ones among them. */
export function observeComments(
  options: ObservedThreadOptions,
): Pick<PlatformThread, 'comments' | 'writer' | 'ownComments'> {
  const { comments, ownComments } = options.ports;
  return {
    comments: observeSource(options, comments),
    writer: observeWriter(options),
    ownComments: ownComments && observeOwnComments(options, ownComments),
  };
}

/** Finds a comment, observed or not; `ask` requests it from the platform. */
export async function findComment(
  options: ObservedThreadOptions,
  id: string,
  ask: () => Promise<Comment | null>,
): Promise<Comment | null> {
  const { comments, edited } = await options.record.read();
  const own = comments.find((one) => one.id === id);
  if (own !== undefined) return toComment(options, own);
  if (edited[id] === null || isObserved(id)) return null;
  const comment = await ask();
  return comment && { ...comment, body: edited[id]?.text ?? comment.body };
}

/** Lists what would be there whenever that changed since the last poll of this source, or the whole thread is listed. */
function observeSource(options: ObservedThreadOptions, { listComments }: CommentSource): CommentSource {
  let listed = '';
  return {
    listComments: async (call) => {
      const listing = await listComments(call);
      const { comments } = await options.record.read();
      const revision = JSON.stringify(comments.map(({ id, updated_at }) => [id, updated_at]));
      const isNews = revision !== listed;
      listed = revision;
      if (comments.length === 0 || (listing.unchanged && !isNews)) return listing;
      const own = await Promise.all(comments.map((one) => toComment(options, one)));
      return { ...listing, comments: sortByTime([...listing.comments, ...own]), unchanged: false };
    },
  };
}

function sortByTime(comments: CommentListing['comments']): CommentListing['comments'] {
  return comments.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
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
      const change = await editComment(options, { id: known.id, topic, body, note: note ?? undefined });
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

async function editComment(
  { ports, record, report, now }: ObservedThreadOptions,
  { id, topic, body, note }: KnownComment,
): Promise<'updated' | 'unchanged' | 'gone'> {
  const { comments, edited } = await record.read();
  const text = composeText({ topic, body, note });
  const own = comments.find((one) => one.id === id);
  if (own !== undefined) {
    if (own.body === body && own.note === (note ?? null)) return 'unchanged';
    const updated = { ...own, body, note: note ?? null, updated_at: new Date(now()).toISOString() };
    await record.change((current) => ({
      ...current,
      comments: current.comments.map((one) => (one.id === id ? updated : one)),
    }));
    // No reader sees the note.
    if (own.body !== body) report({ write: 'edit', commentId: id, topic, body });
    return 'updated';
  }
  if (edited[id] === null || isObserved(id)) return 'gone';
  const shown = edited[id]?.text ?? (await ports.ownComments?.list())?.find((one) => one.id === id)?.body;
  if (shown === undefined) return 'gone';
  if (isSameBody(shown, text)) return 'unchanged';
  const change = { text, note: note ?? null };
  await record.change((current) => ({ ...current, edited: { ...current.edited, [id]: change } }));
  report({ write: 'edit', commentId: id, topic, body });
  return 'updated';
}

function observeOwnComments(options: ObservedThreadOptions, ownComments: OwnComments): OwnComments {
  const { record, report } = options;
  return {
    list: async (call) => {
      const listed = await ownComments.list(call);
      const { comments, edited } = await record.read();
      const shown = listed.flatMap((one): readonly OwnComment[] => {
        const change = edited[one.id];
        if (change === null) return [];
        return [change === undefined ? one : { ...one, body: change.text, note: change.note }];
      });
      const own = comments.map(async (one) => ({
        ...(await toComment(options, one)),
        ...{ topic: one.topic, note: one.note },
      }));
      return [...shown, ...(await Promise.all(own))];
    },
    edit: (comment) => editComment(options, comment),
    remove: async (id) => {
      const { comments, edited } = await record.read();
      const isOwn = comments.some((one) => one.id === id);
      if (edited[id] === null || (!isOwn && isObserved(id))) return;
      await record.change((current) =>
        isOwn
          ? { ...current, comments: current.comments.filter((one) => one.id !== id) }
          : { ...current, edited: { ...current.edited, [id]: null } },
      );
      report({ write: 'removal', commentId: id });
    },
  };
}

/** The text with the hidden marker, by which a comment of ours is known. */
function composeText(comment: Pick<KnownComment, 'topic' | 'body' | 'note'>): string {
  return composeOwnComment(comment, { maxChars: Number.POSITIVE_INFINITY, locale: 'en' });
}

async function toComment(
  { platform }: ObservedThreadOptions,
  { id, topic, body, note, internal, created_at, updated_at }: ObservedRecord['comments'][number],
): Promise<Comment> {
  return {
    ...{ id, body: composeText({ topic, body, note: note ?? undefined }) },
    author: await platform.identity.whoAmI(),
    ...{ createdAt: created_at, updatedAt: updated_at, url: null },
    visibility: internal ? 'internal' : 'public',
    subject: null,
  };
}
