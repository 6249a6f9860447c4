import type { Account, Comment } from '../model.ts';
import { composeOwnComment, findOwnComment, isSameBody } from '../own-comment.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions, CommentWriter, EnsuredComment } from '../ports.ts';
import { toComment } from './convert.ts';
import type { GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { commentSchema } from './github-schemas.ts';
import { untilAborted } from './until-aborted.ts';
import { writeOnce } from './write-once.ts';

/** GitHub refuses a longer body. */
const maxCommentChars = 65_536;

interface Wanted extends CallOptions {
  readonly topic: string;
  readonly text: string;
}

/**
 * Keeps one comment of ours per topic. It lists the thread once per topic and remembers the comment from then on;
 * calls for one thread run one after the other.
 *
 * @see https://docs.github.com/en/rest/issues/comments
 */
export function createGitHubCommentWriter(context: GitHubThreadContext): CommentWriter {
  const remembered = new Map<string, Comment>();
  let last: Promise<unknown> = Promise.resolve();
  const ensureComment: CommentWriter['ensureComment'] = async ({ topic, body, signal }) => {
    const { locale } = context.settings;
    const text = composeOwnComment({ topic, body }, { maxChars: maxCommentChars, locale });
    const known = remembered.get(topic) ?? null;
    const { comment, change } = await ensure(context, { topic, text, signal, known });
    remembered.set(topic, comment);
    return { id: comment.id, url: comment.url, change };
  };
  return {
    ensureComment: (comment) => {
      const next = last.then(() => ensureComment(comment));
      last = next.catch(() => undefined);
      return untilAborted(next, comment.signal);
    },
  };
}

interface Ensured {
  readonly comment: Comment;
  readonly change: EnsuredComment['change'];
}

async function ensure(
  context: GitHubThreadContext,
  { known, ...wanted }: Wanted & { readonly known: Comment | null },
): Promise<Ensured> {
  const found = known ?? (await findOnThread(context, wanted));
  if (found === null) return create(context, wanted);
  if (isSameBody(found.body, wanted.text)) return { comment: found, change: 'unchanged' };
  try {
    return { comment: await update(context, { ...wanted, id: found.id }), change: 'updated' };
  } catch (error) {
    const isGone = PlatformError.isInstance(error) && error.code === 'not-found';
    // Somebody deleted the comment that we remember.
    if (known !== null && isGone) return ensure(context, { ...wanted, known: null });
    throw error;
  }
}

async function create(context: GitHubThreadContext, wanted: Wanted): Promise<Ensured> {
  let isFirstLook = true;
  const look = async () => {
    // The caller has just looked.
    if (!isFirstLook) return findOnThread(context, wanted);
    isFirstLook = false;
    return null;
  };
  const write = () =>
    send(context, { ...wanted, route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments' });
  const { result } = await writeOnce({ look, write }, pauseOf(context, wanted));
  return { comment: result, change: 'created' };
}

/** Writing the same body twice changes nothing, so a lost answer is followed by one more attempt. */
async function update(
  context: GitHubThreadContext,
  wanted: Wanted & { readonly id: string },
): Promise<Comment> {
  const write = () =>
    send(context, { ...wanted, route: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}' });
  try {
    return await write();
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'unavailable') throw error;
    await pauseOf(context, wanted).pause();
    return write();
  }
}

async function send(
  context: GitHubThreadContext,
  { text, route, id, signal }: Wanted & { readonly route: string; readonly id?: string },
): Promise<Comment> {
  const { client, key, place, name } = context;
  const target = id === undefined ? { issue_number: key.number } : { comment_id: Number(id) };
  const call: GitHubCall = {
    doing: `write our comment on ${name}`,
    ...permissionFor(context, 'write'),
    route,
    parameters: { ...place, ...target, body: text },
    signal,
  };
  return toComment((await client.ask(call, commentSchema)).data);
}

async function findOnThread(
  context: GitHubThreadContext,
  { topic, signal }: Wanted,
): Promise<Comment | null> {
  const { client, key, place, name, identity } = context;
  const account: Account = await identity.whoAmI({ signal });
  const comments = await client.askAll(
    {
      doing: `look for our comment on ${name}`,
      ...permissionFor(context, 'read'),
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { ...place, issue_number: key.number, per_page: 100 },
      signal,
    },
    commentSchema,
  );
  return findOwnComment(comments.map(toComment), { topic, account }) ?? null;
}

function permissionFor({ repository, key }: GitHubThreadContext, access: 'read' | 'write') {
  const area = key.type === 'github_issue' ? 'issues' : 'pull_requests';
  return { repository, permission: `${area}: ${access}` };
}

function pauseOf({ settings }: GitHubThreadContext, { signal }: CallOptions) {
  return { pause: () => settings.sleep(settings.lookAgainDelayMs, signal) };
}
