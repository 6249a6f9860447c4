import * as z from 'zod';
import { createOwnComments } from '../comments/own-comment-writer.ts';
import { compareComments, inOrder } from '../listings/comment-listing.ts';
import type { Comment } from '../model.ts';
import type { CallOptions } from '../ports.ts';
import type { ReviewThread, ReviewThreads } from '../review-ports.ts';
import { noteSchema, toComment } from './gitlab-answers.ts';
import type { BoundConnection, GitLabCall } from './gitlab-client.ts';
import { escapeQuickActions, maxNoteChars } from './gitlab-comment-writer.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import {
  discussionSchema,
  isWritten,
  type LineNote,
  readThreads,
  toDiscussionCall,
  toLineId,
  toNoteId,
} from './gitlab-review-lines.ts';

type AnswersOf = ReturnType<typeof createOwnComments>;

/**
 * Reads, answers and resolves the threads on lines of a merge request.
 *
 * @see https://docs.gitlab.com/api/discussions/#merge-requests
 */
export function createGitLabReviewThreads(context: GitLabThreadContext): ReviewThreads {
  const { client, projectId, iid } = context;
  const answers = new Map<string, AnswersOf>();
  return {
    list: async (options = {}) => groupByThread(await readThreads(context, options)),
    answer: ({ reviewThread, body, ...answer }) => {
      const own = answers.get(reviewThread) ?? createAnswers(context, reviewThread);
      answers.set(reviewThread, own);
      return own.writer.ensureComment({ ...answer, body: escapeQuickActions(body) });
    },
    resolve: async (reviewThread, { signal } = {}) => {
      const asked = {
        doing: 'resolve a thread of',
        method: 'PUT',
        below: '/{discussion_id}',
        signal,
      } as const;
      const send = (bound: BoundConnection) =>
        new bound.gitbeaker.MergeRequestDiscussions(bound).resolve(projectId, iid, reviewThread, true);
      await client.ask({ ...toDiscussionCall(context, asked), send }, z.unknown());
    },
  };
}

/** Threads by the time of their first notes. */
function groupByThread(notes: readonly LineNote[]): readonly ReviewThread[] {
  const threads = new Map<string, LineNote[]>();
  for (const note of notes) threads.set(note.discussion, [...(threads.get(note.discussion) ?? []), note]);
  const found = [...threads].flatMap(([id, members]) => toReviewThread(id, members) ?? []);
  return found.sort((one, other) => compareComments(one.comments[0], other.comments[0]));
}

function toReviewThread(
  id: string,
  members: readonly LineNote[],
): (ReviewThread & { readonly comments: readonly [Comment, ...Comment[]] }) | null {
  const [first, ...others] = inOrder(members.map(({ comment }) => comment));
  if (first?.subject?.kind !== 'line') return null;
  const { path, firstLine, lastLine, side, outdated } = first.subject;
  const resolved = members.every(({ note }) => note.resolvable !== true || note.resolved === true);
  return { id, path, firstLine, lastLine, side, outdated, resolved, comments: [first, ...others] };
}

/** Our answers in one thread, found by their markers as our comments of the conversation are. */
function createAnswers(context: GitLabThreadContext, reviewThread: string): AnswersOf {
  const { client, projectId, iid, settings, identity } = context;
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', below: string, { signal }: CallOptions) => {
    const doing = 'answer in a thread of';
    return toDiscussionCall(context, { doing, method, below: `/{discussion_id}${below}`, signal });
  };
  const discussions = (bound: BoundConnection) => new bound.gitbeaker.MergeRequestDiscussions(bound);
  return createOwnComments({
    whoAmI: identity.whoAmI,
    maxChars: maxNoteChars,
    locale: settings.locale,
    listComments: async (options) => {
      const send = (bound: BoundConnection) => discussions(bound).show(projectId, iid, reviewThread);
      const { notes } = await client.ask({ ...call('GET', '', options), send }, discussionSchema);
      const url = await context.findUrl(options);
      return (notes ?? []).filter(isWritten).map((note) => ({ ...toComment(note, url), id: toLineId(note) }));
    },
    create: (body, options) =>
      sendNote(context, {
        ...call('POST', '/notes', options),
        send: (bound) => discussions(bound).addNote(projectId, iid, reviewThread, body),
      }),
    update: ({ id, text: body, signal }) =>
      sendNote(context, {
        ...call('PUT', '/notes/{note_id}', { signal }),
        send: (bound) => discussions(bound).editNote(projectId, iid, reviewThread, toNoteId(id), { body }),
      }),
    remove: async (id, options) => {
      const send = (bound: BoundConnection) =>
        discussions(bound).removeNote(projectId, iid, reviewThread, toNoteId(id));
      await client.ask({ ...call('DELETE', '/notes/{note_id}', options), send }, z.unknown());
    },
    pause: ({ times = 1, signal }) => settings.sleep(times * settings.recheckDelayMs, signal),
  });
}

async function sendNote(context: GitLabThreadContext, call: GitLabCall): Promise<Comment> {
  const url = await context.findUrl(call);
  const note = await context.client.ask(call, noteSchema);
  return { ...toComment(note, url), id: toLineId(note) };
}
