import { inOrder, moveCursor } from '../listings/comment-listing.ts';
import type { Comment } from '../model.ts';
import type { CallOptions, CommentSource } from '../ports.ts';
import { type GitLabNote, noteSchema, toComment } from './gitlab-answers.ts';
import type { BoundConnection, GitLabAnswer, GitLabCall, PageQuery } from './gitlab-client.ts';
import { type GitLabThreadContext, notesOf, toNoteCall } from './gitlab-context.ts';

/**
 * Polls the notes of an issue or merge request, without those of GitLab itself and those on lines of a diff, which
 * `createGitLabReviewLines` polls. GitLab knows no `since` and no
 * "unchanged": a poll since a cursor reads the notes newest change first.
 *
 * @see https://docs.gitlab.com/api/notes/
 */
export function createGitLabCommentSource(context: GitLabThreadContext): CommentSource {
  return {
    listComments: async ({ since, signal }) => {
      const notes =
        since === null
          ? await listAllNotes(context, { ...poll, signal })
          : await listNotesSince(context, { ...poll, since, signal });
      const comments = inOrder(await toComments(context, notes, { signal }));
      return { comments, complete: since === null, cursor: moveCursor(since, comments), unchanged: false };
    },
  };
}

/** Notes of the conversation, each with its page; GitLab's own notes of events and those on lines are left out. */
export async function toComments(
  context: GitLabThreadContext,
  notes: readonly GitLabNote[],
  call: CallOptions,
): Promise<Comment[]> {
  const written = notes.filter((note) => note.system !== true && !isOnLines(note));
  if (written.length === 0) return [];
  const url = await context.findUrl(call);
  return written.map((note) => toComment(note, url));
}

/** Tells a note in a thread on lines of a diff, GitLab's own ones included. */
export function isOnLines({ type }: Pick<GitLabNote, 'type'>): boolean {
  return type === 'DiffNote';
}

interface NoteOrder {
  readonly orderBy: 'created_at' | 'updated_at';
  readonly sort: 'asc' | 'desc';
}

// A note that is deleted while pages are read moves those behind it over the edge of a page. So pages are read, or
// read once more, from the last to the first: what moves forward is met again. GitLab has no ETag for notes.

/** Manner of asking for a listing. */
type Asked = CallOptions & Required<Pick<GitLabCall, 'doing' | 'impatient'>>;

const poll = { doing: 'list the comments of', impatient: true } as const;

/** All notes. One that comes meanwhile moves none, because they come oldest first. */
export async function listAllNotes(context: GitLabThreadContext, asked: Asked): Promise<GitLabNote[]> {
  return readWhole(toAsk(context, { ...asked, order: { orderBy: 'created_at', sort: 'asc' } }));
}

/** All items of a list whose newest come last, though others are deleted in between. An item that was read twice comes twice, the newest reading last. */
export async function readWhole<Item>(ask: Ask<Item>): Promise<Item[]> {
  const first = await ask(undefined);
  if (first.next === null) return first.data;
  if (first.lastPage === null || first.lastPage === 1) return readTwice(ask, { first, wants: () => true });
  const behind = await readBackwards(ask, first.lastPage);
  return [...first.data, ...behind, ...(await ask(undefined)).data];
}

/** Notes that changed at this time or later: newest change first, up to the first page that ends before it. */
export async function listNotesSince(
  context: GitLabThreadContext,
  { since, ...asked }: { readonly since: string } & Asked,
): Promise<GitLabNote[]> {
  const ask = toAsk(context, { ...asked, order: { orderBy: 'updated_at', sort: 'desc' } });
  const isNews = (note: GitLabNote) => Date.parse(note.updated_at ?? note.created_at) >= Date.parse(since);
  const notes = await readTwice(ask, {
    first: await ask(undefined),
    wants: ({ data }) => data.every(isNews),
  });
  return notes.filter(isNews);
}

type Ask<Item> = (page: PageQuery | undefined) => Promise<GitLabAnswer<Item[]>>;

/** Items of the pages behind the first, from the last page on, and of pages that appeared behind that. */
async function readBackwards<Item>(ask: Ask<Item>, last: number): Promise<Item[]> {
  const items: Item[] = [];
  let { next, data } = await ask({ page: last, perPage: 100 });
  items.push(...data);
  while (next !== null) {
    ({ next, data } = await ask(next));
    items.push(...data);
  }
  for (let page = last - 1; page > 1; page -= 1) items.push(...(await ask({ page, perPage: 100 })).data);
  return items;
}

/** Forwards as long as the pages are wanted, then all but the last of them backwards. Both readings count. */
async function readTwice<Item>(
  ask: Ask<Item>,
  {
    first,
    wants,
  }: {
    readonly first: GitLabAnswer<Item[]>;
    readonly wants: (page: GitLabAnswer<Item[]>) => boolean;
  },
): Promise<Item[]> {
  const questions: (PageQuery | undefined)[] = [undefined];
  const items = [...first.data];
  let last = first;
  while (last.next !== null && wants(last)) {
    questions.push(last.next);
    last = await ask(last.next);
    items.push(...last.data);
  }
  for (const question of questions.slice(0, -1).toReversed()) items.push(...(await ask(question)).data);
  return items;
}

function toAsk(
  context: GitLabThreadContext,
  { order, doing, impatient, signal }: Asked & { readonly order: NoteOrder },
): Ask<GitLabNote> {
  const { client, projectId, iid, questions } = context;
  const call: GitLabCall = {
    ...toNoteCall(context, { doing, method: 'GET', signal }),
    send: (bound: BoundConnection, page: PageQuery) =>
      notesOf(context, bound).all(projectId, iid, { ...order, ...page }),
    impatient,
  };
  const ask: Ask<GitLabNote> = (page) =>
    client.askPage(page === undefined ? call : { ...call, page }, noteSchema);
  if (!impatient) return ask;
  // The conversation and the comments on lines are two parts of one list, and mostly polled together.
  const name = `${call.route} ${projectId} ${iid} ${order.orderBy}`;
  return (page) =>
    questions.ask({ name: `${name} ${page?.page} ${page?.query}`, ask: () => ask(page), signal });
}
