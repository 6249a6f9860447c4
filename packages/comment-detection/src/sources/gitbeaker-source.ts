import * as z from 'zod';
import type { CommentSource } from '../comment.ts';
import {
  createNotes,
  createReviews,
  type GitbeakerLike,
  type GitLabPlace,
  toAuthor,
  userSchema,
} from './gitbeaker-lists.ts';
import { rememberAuthorities, type SourceSettings } from './source-options.ts';
import { isGone, readAnswer, translateRefusal } from './source-refusal.ts';
import { createTextList, joinLists, toTextComment } from './thread-lists.ts';

/** An issue or merge request on GitLab. */
export type GitLabThread =
  | { readonly projectId: string | number; readonly issueIid: number }
  | { readonly projectId: string | number; readonly mergeRequestIid: number };

const threadSchema = z.object({
  title: z.string(),
  description: z.string().nullish(),
  author: userSchema.nullish(),
  created_at: z.string(),
  web_url: z.string().nullish(),
});

/**
 * Creates the source of a thread over your Gitbeaker. GitLab lists notes as a whole: it knows no "since". Internal notes are left out.
 */
export function createGitbeakerSource(
  gitlab: GitbeakerLike,
  { thread, settings }: { readonly thread: GitLabThread; readonly settings: SourceSettings },
): CommentSource {
  const { includes, now } = settings;
  const place = toPlace(gitlab, { thread, now });
  const { isMergeRequest, projectId, ask, readText } = place;
  const withLines = isMergeRequest && includes('line-comments');
  const lists = [
    ...(includes('comments') || withLines ? [createNotes(place, { settings, withLines })] : []),
    ...(includes('reviews') && isMergeRequest ? [createReviews(place)] : []),
    ...(includes('thread') ? [createTextList(readText)] : []),
  ];
  return {
    ...joinLists(lists),
    findOwnAccount: async () =>
      toAuthor(await ask("The token's account", gitlab.Users.showCurrentUser(), userSchema)),
    authorityOf: rememberAuthorities(async ({ id, login }) => {
      const member = gitlab.ProjectMembers.show(projectId, Number(id), { includeInherited: true });
      try {
        const found = await ask(`The role of @${login}`, member, z.object({ access_level: z.number() }));
        return found.access_level >= developer ? 'trusted' : 'untrusted';
      } catch (error) {
        if (!isGone(error)) throw error;
        // A project that is hidden from the token hides its members as well.
        await readText();
        return 'untrusted';
      }
    }, now),
  };
}

/** Lowest role that can push. @see https://docs.gitlab.com/api/access_requests/#valid-access-levels */
const developer = 30;

function toPlace(
  gitlab: GitbeakerLike,
  { thread, now }: { readonly thread: GitLabThread; readonly now: () => number },
): GitLabPlace {
  const { projectId } = thread;
  const isMergeRequest = 'mergeRequestIid' in thread;
  const iid = isMergeRequest ? thread.mergeRequestIid : thread.issueIid;
  const name = `${projectId}${isMergeRequest ? '!' : '#'}${iid}`;
  const ask: GitLabPlace['ask'] = async (words, answer, schema) => {
    const what = `${words} of ${name}`;
    const given = await answer.catch((error: unknown) => {
      throw translateRefusal(error, { what, now });
    });
    return readAnswer(given, { what, schema });
  };
  const readText = async () => {
    const shown = isMergeRequest
      ? gitlab.MergeRequests.show(projectId, iid)
      : gitlab.Issues.show(iid, { projectId });
    const { title, description, author, created_at, web_url } = await ask(
      'The title and description',
      shown,
      threadSchema,
    );
    const facts = { author: toAuthor(author), createdAt: created_at, url: web_url ?? null };
    return toTextComment({ ...facts, title, description: description ?? '' });
  };
  return { gitlab, projectId, iid, isMergeRequest, now, ask, readText };
}
