import { IssueNoteAwardEmojis, MergeRequestNoteAwardEmojis } from '@gitbeaker/rest';
import * as z from 'zod';
import { isNotFound } from '../platform-error.ts';
import type { CallOptions, ReactionMeaning, ReactionWriter } from '../ports.ts';
import type { BoundConnection, GitLabCall } from './gitlab-client.ts';
import { type GitLabThreadContext, toThreadRoute } from './gitlab-context.ts';
import { userSchema } from './gitlab-schemas.ts';

const emoji: Readonly<Record<ReactionMeaning, string>> = {
  seen: 'eyes',
  done: 'thumbsup',
  refused: 'confused',
};

const awardSchema = z.object({ name: z.string(), user: userSchema.nullish() });

/**
 * Puts emoji on notes. A note that gets one has a later `updated_at` and the same body; its thread stays as it is.
 *
 * @see https://docs.gitlab.com/api/emoji_reactions/
 */
export function createGitLabReactions(context: GitLabThreadContext): ReactionWriter {
  return {
    ensureReaction: async ({ commentId, meaning, signal }) => {
      const award: Award = { noteId: Number(commentId), name: emoji[meaning], signal };
      try {
        await give(context, award);
      } catch (error) {
        if (!isNotFound(error) || !(await isGiven(context, award))) throw error;
      }
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
  const { client, identity, projectId, iid } = context;
  const { noteId, name, signal } = award;
  const call = toCall(context, { award, method: 'GET' });
  const awards = await client.askAll(
    { ...call, send: (bound, page) => awardsOf(context, bound).all(projectId, iid, noteId, page) },
    awardSchema,
  );
  const { id } = await identity.whoAmI({ signal });
  return awards.some((given) => given.name === name && String(given.user?.id) === id);
}

function toCall(
  context: GitLabThreadContext,
  { award, method }: { readonly award: Award; readonly method: 'GET' | 'POST' },
): Omit<GitLabCall, 'send'> {
  return {
    doing: `react with ${award.name} to a comment of ${context.name}`,
    repository: context.project,
    permission: 'scope api',
    route: `${method} ${toThreadRoute(context)}/notes/{note_id}/award_emoji`,
    impatient: true,
    signal: award.signal,
  };
}

function awardsOf({ key }: GitLabThreadContext, bound: BoundConnection) {
  return key.type === 'gitlab_issue'
    ? new IssueNoteAwardEmojis(bound)
    : new MergeRequestNoteAwardEmojis(bound);
}
