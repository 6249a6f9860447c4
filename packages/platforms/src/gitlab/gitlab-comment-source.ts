import { inOrder, moveCursor } from '../comment-listing.ts';
import type { CallOptions, CommentSource } from '../ports.ts';
import { toComments } from './convert.ts';
import type { GitLabAnswer } from './gitlab-client.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { notesOf, toNoteCall } from './gitlab-notes.ts';
import { type GitLabNote, noteSchema } from './gitlab-schemas.ts';
import type { PageQuery } from './next-query.ts';

/**
 * Looks at the notes of an issue or merge request, without those of GitLab itself. GitLab knows no `since` and no
 * "unchanged": a look since a cursor reads the notes newest change first, up to the first page that ends before it.
 *
 * @see https://docs.gitlab.com/api/notes/
 */
export function createGitLabCommentSource(context: GitLabThreadContext): CommentSource {
  return {
    listComments: async ({ since, signal }) => {
      const notes =
        since === null ? await listAll(context, { signal }) : await listSince(context, { since, signal });
      const comments = inOrder(toComments(context, notes));
      return {
        comments,
        complete: since === null,
        cursor: moveCursor(since, comments),
        unchanged: false,
      };
    },
  };
}

/** Oldest first, so that a note which comes meanwhile moves none from one page to the next. */
function listAll(context: GitLabThreadContext, { signal }: CallOptions): Promise<GitLabNote[]> {
  const order = { orderBy: 'created_at', sort: 'asc' } as const;
  return context.client.askAll(toListCall(context, { order, signal }), noteSchema);
}

async function listSince(
  context: GitLabThreadContext,
  { since, signal }: { readonly since: string } & CallOptions,
): Promise<GitLabNote[]> {
  const order = { orderBy: 'updated_at', sort: 'desc' } as const;
  const call = toListCall(context, { order, signal });
  const isNews = (note: GitLabNote) => changedAt(note) >= Date.parse(since);
  const news: GitLabNote[] = [];
  for (let page: PageQuery | undefined, more = true; more; ) {
    const question = page === undefined ? call : { ...call, page };
    const answer: GitLabAnswer<GitLabNote[]> = await context.client.askPage(question, noteSchema);
    news.push(...answer.data.filter(isNews));
    page = answer.next ?? undefined;
    more = page !== undefined && answer.data.every(isNews);
  }
  return news;
}

type Order = { readonly orderBy: 'created_at' | 'updated_at'; readonly sort: 'asc' | 'desc' };

function toListCall(
  context: GitLabThreadContext,
  { order, signal }: { readonly order: Order } & CallOptions,
) {
  const { projectId, iid } = context;
  return {
    ...toNoteCall(context, { doing: 'list the comments of', method: 'GET', signal }),
    send: (bound: Parameters<typeof notesOf>[1], page: PageQuery) =>
      notesOf(context, bound).all(projectId, iid, { ...order, ...page }),
    impatient: true,
  };
}

const changedAt = (note: GitLabNote) => Date.parse(note.updated_at ?? note.created_at);
