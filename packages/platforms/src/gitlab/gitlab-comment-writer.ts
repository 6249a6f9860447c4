import type { Comment } from '../model.ts';
import { createOwnCommentWriter } from '../own-comment-writer.ts';
import type { CallOptions, CommentWriter } from '../ports.ts';
import { toComment, toComments } from './convert.ts';
import { escapeQuickActions } from './escape-quick-actions.ts';
import type { GitLabCall } from './gitlab-client.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { notesOf, toNoteCall } from './gitlab-notes.ts';
import { noteSchema } from './gitlab-schemas.ts';

/** GitLab refuses a longer body. */
const maxNoteChars = 1_000_000;

/**
 * Keeps one note of ours per topic, and none of its lines is a quick action.
 *
 * @see https://docs.gitlab.com/api/notes/
 */
export function createGitLabCommentWriter(context: GitLabThreadContext): CommentWriter {
  const { projectId, iid, settings, identity } = context;
  const doing = 'write our comment on';
  const writer = createOwnCommentWriter({
    whoAmI: identity.whoAmI,
    maxChars: maxNoteChars,
    locale: settings.locale,
    listComments: (options) => listComments(context, options),
    create: (body, { internal, signal }) =>
      sendNote(context, {
        ...toNoteCall(context, { doing, method: 'POST', signal }),
        send: (bound) => notesOf(context, bound).create(projectId, iid, body, { internal }),
      }),
    update: ({ id, text: body, signal }) =>
      sendNote(context, {
        ...toNoteCall(context, { doing, method: 'PUT', signal }),
        send: (bound) => notesOf(context, bound).edit(projectId, iid, Number(id), { body }),
      }),
    pause: ({ signal }) => settings.sleep(settings.lookAgainDelayMs, signal),
  });
  return {
    ensureComment: ({ body, ...comment }) =>
      writer.ensureComment({ ...comment, body: escapeQuickActions(body) }),
  };
}

async function sendNote(context: GitLabThreadContext, call: GitLabCall): Promise<Comment> {
  return toComment(context, await context.client.ask(call, noteSchema));
}

async function listComments(context: GitLabThreadContext, { signal }: CallOptions): Promise<Comment[]> {
  const { client, projectId, iid } = context;
  const call = toNoteCall(context, { doing: 'look for our comment on', method: 'GET', signal });
  const order = { orderBy: 'created_at', sort: 'asc' } as const;
  const notes = await client.askAll(
    { ...call, send: (bound, page) => notesOf(context, bound).all(projectId, iid, { ...order, ...page }) },
    noteSchema,
  );
  return toComments(context, notes);
}
