import type { CallOptions } from '@agent/platforms';
import * as z from 'zod';
import type { CommentSource, SourceComment } from '../comment.ts';
import {
  createConversation,
  createLineComments,
  createReviews,
  toAuthor,
  userSchema,
} from './octokit-lists.ts';
import {
  createOctokitReader,
  type GitHubPlace,
  type OctokitLike,
  type ReadOctokit,
} from './octokit-requests.ts';
import { rememberAuthorities, type SourceSettings } from './source-options.ts';
import { hasStatus } from './source-refusal.ts';
import { createTextList, joinLists, type ThreadList, toTextComment } from './thread-lists.ts';

/** An issue or pull request on GitHub. */
export interface GitHubThread {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

const threadSchema = z.object({
  title: z.string(),
  body: z.string().nullish(),
  user: userSchema.nullish(),
  created_at: z.string(),
  html_url: z.string().nullish(),
  pull_request: z.object({}).nullish(),
});

/** The thread itself, which is an issue or a pull request. */
interface Thread {
  readonly isPull: boolean;
  readonly text: SourceComment;
}

/** Creates the source of a thread over your Octokit, with conditional requests: an unchanged thread costs nothing of the limit. */
export function createOctokitSource(
  octokit: OctokitLike,
  {
    thread: { owner, repo, number },
    settings,
  }: { readonly thread: GitHubThread; readonly settings: SourceSettings },
): CommentSource {
  const { includes, now } = settings;
  const read = createOctokitReader(octokit, settings);
  const parameters = { owner, repo, issue_number: number, pull_number: number };
  const thread = `${owner}/${repo}#${number}`;
  const reader = createThreadReader({ read, thread, parameters });
  const place: GitHubPlace = { read, thread, parameters, requireThread: reader.ask };
  const conversation = includes('comments') ? [createConversation(place)] : [];
  const needsThread = (['thread', 'reviews', 'line-comments'] as const).some(includes);
  const open = async (options: CallOptions): Promise<readonly ThreadList[]> => {
    const { isPull } = await reader.ask(options);
    return [
      ...conversation,
      ...(includes('line-comments') && isPull ? [createLineComments(place)] : []),
      ...(includes('reviews') && isPull ? [createReviews(place)] : []),
      ...(includes('thread') ? [reader.list] : []),
    ];
  };
  let joined = needsThread ? null : joinLists(conversation);
  const join = async (options: CallOptions) => {
    joined ??= joinLists(await open(options));
    return joined;
  };
  return {
    listComments: async (question) => (await join(question)).listComments(question),
    getComment: async (id, options) => (await join(options)).getComment(id, options),
    findOwnAccount: (options) => findOwnAccount(read, options),
    authorityOf: rememberAuthorities(async ({ id, login }, options) => {
      const permission = await readPermission(place, { login, ...options });
      // A login can pass to another account; an id cannot.
      const isSame = permission?.user == null || String(permission.user.id) === id;
      return isSame && ['admin', 'maintain', 'write'].includes(permission?.permission ?? '')
        ? 'trusted'
        : 'untrusted';
    }, now),
  };
}

/** Reads the thread itself, by conditional requests. */
function createThreadReader({ read, thread, parameters }: Omit<GitHubPlace, 'requireThread'>): {
  readonly ask: (options: CallOptions) => Promise<Thread>;
  readonly list: ThreadList;
} {
  let last: { readonly etag: string | null; readonly thread: Thread } | null = null;
  const ask = async ({ signal }: CallOptions): Promise<Thread> => {
    const answer = await read({
      what: `The title and description of ${thread}`,
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
      ...{ parameters, schema: threadSchema, etag: last?.etag, signal },
    });
    if (!answer.unchanged && answer.data !== null)
      last = { etag: answer.etag, thread: toThread(answer.data) };
    if (last === null) throw new Error(`GitHub answered 304 for ${thread} to a request without an ETag.`);
    return last.thread;
  };
  return { ask, list: createTextList(async (options) => (await ask(options)).text) };
}

function toThread({
  title,
  body,
  user,
  created_at,
  html_url,
  pull_request,
}: z.output<typeof threadSchema>): Thread {
  const shown = { author: toAuthor(user), createdAt: created_at, url: html_url ?? null };
  return { isPull: pull_request != null, text: toTextComment({ ...shown, title, description: body ?? '' }) };
}

/** Null for a token that is not shown its account, such as an installation's. */
async function findOwnAccount(read: ReadOctokit, options: CallOptions): Promise<SourceComment['author']> {
  const question = { what: "The token's account", route: 'GET /user', parameters: {}, schema: userSchema };
  try {
    const answer = await read({ ...question, ...options });
    return answer.unchanged ? null : toAuthor(answer.data);
  } catch (error) {
    if (hasStatus(error, 403)) return null;
    throw error;
  }
}

const permissionSchema = z.object({ permission: z.string(), user: userSchema.nullish() });

/**
 * Null for an account that GitHub does not know. It answers the same for a repository that the token may not see.
 *
 * @see https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user
 */
async function readPermission(
  { read, parameters, requireThread }: GitHubPlace,
  { login, signal }: { readonly login: string } & CallOptions,
): Promise<z.output<typeof permissionSchema> | null> {
  const answer = await read({
    what: `The permission of @${login}`,
    route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    ...{ parameters: { ...parameters, username: login }, schema: permissionSchema, mayBeGone: true, signal },
  });
  if (!answer.unchanged && answer.data !== null) return answer.data;
  await requireThread({ signal });
  return null;
}
