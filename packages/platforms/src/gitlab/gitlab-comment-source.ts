import { inOrder, moveCursor } from '../comment-listing.ts';
import type { CommentSource } from '../ports.ts';
import { toComments } from './convert.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { listAllNotes, listNotesSince } from './list-note-pages.ts';

/**
 * Looks at the notes of an issue or merge request, without those of GitLab itself. GitLab knows no `since` and no
 * "unchanged": a look since a cursor reads the notes newest change first.
 *
 * @see https://docs.gitlab.com/api/notes/
 */
export function createGitLabCommentSource(context: GitLabThreadContext): CommentSource {
  return {
    listComments: async ({ since, signal }) => {
      const notes =
        since === null
          ? await listAllNotes(context, { signal })
          : await listNotesSince(context, { since, signal });
      const comments = inOrder(toComments(context, notes));
      return { comments, complete: since === null, cursor: moveCursor(since, comments), unchanged: false };
    },
  };
}
