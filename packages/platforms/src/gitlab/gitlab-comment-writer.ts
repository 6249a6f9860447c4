import * as z from 'zod';
import { createOwnComments } from '../comments/own-comment-writer.ts';
import { inOrder } from '../listings/comment-listing.ts';
import type { Comment, ReactionMeaning } from '../model.ts';
import { isNotFound } from '../platform-error.ts';
import type { CallOptions, ReactionWriter } from '../ports.ts';
import { noteSchema, toAccount, toComment, userSchema } from './gitlab-answers.ts';
import type { BoundConnection, GitLabCall } from './gitlab-client.ts';
import { listAllNotes, listNotesSince, toComments } from './gitlab-comment-source.ts';
import { type GitLabThreadContext, notesOf, toNoteCall, toThreadRoute } from './gitlab-context.ts';

/** Longest body that GitLab takes, in characters. */
export const maxNoteChars = 1_000_000;

/**
 * Keeps one note of ours per topic, and none of its lines is a quick action.
 *
 * @see https://docs.gitlab.com/api/notes/
 */
export function createGitLabOwnComments(context: GitLabThreadContext): ReturnType<typeof createOwnComments> {
  const { projectId, iid, settings, identity } = context;
  const doing = 'write our comment on';
  const { writer, ownComments } = createOwnComments({
    whoAmI: identity.whoAmI,
    maxChars: maxNoteChars,
    locale: settings.locale,
    listComments: async ({ since, signal }) => {
      const asked = { doing: 'look for our comment on', impatient: false, signal };
      const notes =
        since === null
          ? await listAllNotes(context, asked)
          : await listNotesSince(context, { ...asked, since });
      return inOrder(await toComments(context, notes, { signal }));
    },
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
    remove: async (id, { signal }) => {
      const call = toNoteCall(context, { doing: 'remove our comment on', method: 'DELETE', signal });
      const send = (bound: BoundConnection) => notesOf(context, bound).remove(projectId, iid, Number(id));
      await context.client.ask({ ...call, send }, z.unknown());
    },
    pause: ({ times = 1, signal }) => settings.sleep(times * settings.recheckDelayMs, signal),
  });
  const escaped = <Said extends { readonly body: string }>(said: Said): Said => ({
    ...said,
    body: escapeQuickActions(said.body),
  });
  return {
    writer: { ensureComment: (comment) => writer.ensureComment(escaped(comment)) },
    ownComments: { ...ownComments, edit: (comment) => ownComments.edit(escaped(comment)) },
  };
}

async function sendNote(context: GitLabThreadContext, call: GitLabCall): Promise<Comment> {
  // Before it is written: what is written must not fail for want of its address.
  const url = await context.findUrl(call);
  return toComment(await context.client.ask(call, noteSchema), url);
}

/**
 * Keeps GitLab from carrying out lines of our texts as quick actions (`/close`, `/merge`): what an agent writes may
 * come from anybody. GitLab reads them at the left margin only; a backslash shows the line as it is. Lines of code there get one
 * too, because where code begins and ends is GitLab's to say.
 *
 * @see https://docs.gitlab.com/user/project/quick_actions/
 * @see https://gitlab.com/gitlab-org/gitlab/-/blob/master/lib/gitlab/quick_actions/extractor.rb
 */
export function escapeQuickActions(text: string): string {
  return text.replaceAll(/^\/(?=[a-z_\r]+(?:\s|$))/gimu, '\\/');
}

const emoji: Readonly<Record<ReactionMeaning, string>> = {
  seen: 'eyes',
  done: 'thumbsup',
  refused: 'confused',
};

const awardSchema = z.object({ name: z.string(), user: userSchema.nullish(), created_at: z.string() });

/**
 * Puts emoji on notes. A note that gets one has a later `updated_at` and the same body; its thread stays as it is.
 *
 * @see https://docs.gitlab.com/api/emoji_reactions/
 */
export function createGitLabReactions(context: GitLabThreadContext): ReactionWriter {
  return {
    ensureReaction: async ({ commentId, meaning, signal }) => {
      const [, kind, number = commentId] = /^(line|review|check)-(.*)$/u.exec(commentId) ?? [];
      // Verdicts and checks are no notes: there is nothing to put an emoji on.
      if (kind === 'review' || kind === 'check') return;
      const award: Award = { noteId: Number(number), name: emoji[meaning], signal };
      try {
        await give(context, award);
      } catch (error) {
        if (!isNotFound(error) || !(await isGiven(context, award))) throw error;
      }
    },
    listReactions: async ({ commentId, meaning, signal }) => {
      const awards = await listAwards(context, { noteId: Number(commentId), name: emoji[meaning], signal });
      return awards.map(({ user, created_at: at }) => ({ by: toAccount(user), at }));
    },
  };
}

interface Award extends CallOptions {
  readonly noteId: number;
  readonly name: string;
}

async function give(context: GitLabThreadContext, award: Award): Promise<void> {
  const { client, projectId, iid } = context;
  const { noteId, name } = award;
  const send = (bound: BoundConnection) => awardsOf(context, bound).award(projectId, iid, noteId, name);
  await client.ask({ ...toCall(context, { award, method: 'POST' }), send }, z.unknown());
}

/** GitLab says 404 for an emoji that we have given already and for a note that is not there. */
async function isGiven(context: GitLabThreadContext, award: Award): Promise<boolean> {
  const awards = await listAwards(context, award);
  const { id } = await context.identity.whoAmI({ signal: award.signal });
  return awards.some(({ user }) => String(user?.id) === id);
}

/** Lists the emoji with this name on the note. */
async function listAwards(context: GitLabThreadContext, award: Award) {
  const { client, projectId, iid } = context;
  const { noteId, name } = award;
  const call = toCall(context, { award, method: 'GET' });
  const awards = await client.askAll(
    { ...call, send: (bound, page) => awardsOf(context, bound).all(projectId, iid, noteId, page) },
    awardSchema,
  );
  return awards.filter((given) => given.name === name);
}

function toCall(
  context: GitLabThreadContext,
  { award, method }: { readonly award: Award; readonly method: 'GET' | 'POST' },
): Omit<GitLabCall, 'send'> {
  return {
    doing: `react with ${award.name} to a comment of ${context.name}`,
    repository: context.project,
    route: `${method} ${toThreadRoute(context)}/notes/{note_id}/award_emoji`,
    impatient: true,
    signal: award.signal,
  };
}

function awardsOf({ key }: GitLabThreadContext, bound: BoundConnection) {
  return key.type === 'gitlab_issue'
    ? new bound.gitbeaker.IssueNoteAwardEmojis(bound)
    : new bound.gitbeaker.MergeRequestNoteAwardEmojis(bound);
}
