import { z } from 'zod';
import type { Comment, CommentSource } from '../comment.ts';
import { isGone, type SourceOptions, translateRefusal } from './source-refusal.ts';

interface NotesLike {
  // biome-ignore lint/suspicious/noExplicitAny: Gitbeaker's own overloads say what each option makes of the answer
  readonly all: (project: any, iid: any, options?: any) => Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly show: (project: any, iid: any, id: any, options?: any) => Promise<unknown>;
}

/** The part of Gitbeaker's `Gitlab` that is called. */
export interface GitbeakerLike {
  readonly IssueNotes: NotesLike;
  readonly MergeRequestNotes: NotesLike;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly Issues: { readonly show: (iid: any, options: any) => Promise<unknown> };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly MergeRequests: { readonly show: (project: any, iid: any) => Promise<unknown> };
}

/** An issue or merge request on GitLab. */
export type GitLabThread =
  | { readonly projectId: string | number; readonly issueIid: number }
  | { readonly projectId: string | number; readonly mergeRequestIid: number };

const noteSchema = z.object({
  id: z.number(),
  author: z.object({ id: z.number(), username: z.string() }).nullish(),
  body: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string().nullish(),
  system: z.boolean().nullish(),
  internal: z.boolean().nullish(),
  confidential: z.boolean().nullish(),
});
type NoteJson = z.infer<typeof noteSchema>;

/** Creates the source of a thread over anybody's Gitbeaker. GitLab lists notes as a whole: it knows no "since". Internal notes are left out. */
export function createGitbeakerSource(
  gitlab: GitbeakerLike,
  { thread, now = Date.now }: SourceOptions & { readonly thread: GitLabThread },
): CommentSource {
  const { projectId } = thread;
  const [notes, iid, name] =
    'issueIid' in thread
      ? [gitlab.IssueNotes, thread.issueIid, `${projectId}#${thread.issueIid}`]
      : [gitlab.MergeRequestNotes, thread.mergeRequestIid, `${projectId}!${thread.mergeRequestIid}`];
  const showThread = () =>
    'issueIid' in thread ? gitlab.Issues.show(iid, { projectId }) : gitlab.MergeRequests.show(projectId, iid);
  const ask = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    answer.catch((error: unknown) => {
      throw translateRefusal(error, { thread: name, now });
    });
  return {
    listComments: async () => {
      const options = { sort: 'asc', orderBy: 'created_at', perPage: 100 };
      const shown = z.array(noteSchema).parse(await ask(notes.all(projectId, iid, options)));
      const comments = shown.filter(isPublic).map(toComment);
      return { comments, complete: true, cursor: null, unchanged: false };
    },
    getComment: async (id) => {
      try {
        const note = noteSchema.parse(await ask(notes.show(projectId, iid, Number(id))));
        return isPublic(note) ? toComment(note) : null;
      } catch (error) {
        if (!isGone(error)) throw error;
        // A thread that is hidden from us hides its notes, too.
        await ask(showThread());
        return null;
      }
    },
  };
}

/**
 * Tells a note that every reader of the thread sees. Internal notes are left out, because an agent answers in public, as
 * are GitLab's own notes of events.
 *
 * @see https://docs.gitlab.com/user/discussions/#add-an-internal-note
 */
function isPublic({ system, internal, confidential }: NoteJson): boolean {
  return system !== true && internal !== true && confidential !== true;
}

function toComment({ id, author, body, created_at, updated_at }: NoteJson): Comment {
  return {
    id: String(id),
    author: author ? { id: String(author.id), login: author.username } : null,
    body: body ?? '',
    createdAt: created_at,
    updatedAt: updated_at ?? null,
    visibility: 'public',
  };
}
