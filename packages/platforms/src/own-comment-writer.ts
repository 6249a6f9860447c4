import type { Locale } from '@agent/text';
import { untilAborted } from './http/time-limit.ts';
import type { Comment } from './model.ts';
import { composeOwnComment, findOwnComment, isSameBody } from './own-comment.ts';
import { isNotFound, PlatformError } from './platform-error.ts';
import type { CallOptions, CommentWriter, EnsuredComment, Identity } from './ports.ts';
import { writeOnce } from './write-once.ts';

/** Actions that a platform lets us do with the comments of one thread. */
export interface OwnCommentThread extends Identity {
  /** Longest body that the platform takes, in UTF-16 units. */
  readonly maxChars: number;
  readonly locale: Locale;
  readonly listComments: (options: CallOptions) => Promise<readonly Comment[]>;
  readonly create: (text: string, options: CallOptions & { readonly internal: boolean }) => Promise<Comment>;
  readonly update: (
    comment: { readonly id: string; readonly text: string } & CallOptions,
  ) => Promise<Comment>;
  /** Waits before a comment whose answer was lost is looked for. */
  readonly pause: (options: CallOptions) => Promise<void>;
}

interface Wanted extends CallOptions {
  readonly topic: string;
  readonly text: string;
  readonly internal: boolean;
}

/**
 * Keeps one comment of ours per topic. It lists the thread once per topic and remembers the comment from then on;
 * calls for one thread run one after the other.
 */
export function createOwnCommentWriter(thread: OwnCommentThread): CommentWriter {
  const remembered = new Map<string, Comment>();
  let last: Promise<unknown> = Promise.resolve();
  const ensureComment: CommentWriter['ensureComment'] = async ({ topic, body, internal = false, signal }) => {
    const { maxChars, locale } = thread;
    const text = composeOwnComment({ topic, body }, { maxChars, locale });
    const known = [remembered.get(topic)].find((one) => one && hasAudience(one, internal)) ?? null;
    const { comment, change } = await ensure(thread, { topic, text, internal, signal, known });
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
  thread: OwnCommentThread,
  { known, ...wanted }: Wanted & { readonly known: Comment | null },
): Promise<Ensured> {
  const found = known ?? (await findOnThread(thread, wanted));
  if (found === null) return create(thread, wanted);
  if (isSameBody(found.body, wanted.text)) return { comment: found, change: 'unchanged' };
  try {
    return { comment: await update(thread, { ...wanted, id: found.id }), change: 'updated' };
  } catch (error) {
    // Somebody deleted the comment that we remember.
    if (known !== null && isNotFound(error)) return ensure(thread, { ...wanted, known: null });
    throw error;
  }
}

async function create(thread: OwnCommentThread, wanted: Wanted): Promise<Ensured> {
  const { text, internal, signal } = wanted;
  let isFirstCheck = true;
  const look = async () => {
    // The caller has just looked.
    if (!isFirstCheck) return findOnThread(thread, wanted);
    isFirstCheck = false;
    return null;
  };
  const write = () => thread.create(text, { internal, signal });
  const { result } = await writeOnce({ look, write }, { pause: () => thread.pause({ signal }) });
  return { comment: result, change: 'created' };
}

/** Writing the same body twice changes nothing, so a lost answer is followed by one more attempt. */
async function update(
  thread: OwnCommentThread,
  { id, text, signal }: Wanted & { readonly id: string },
): Promise<Comment> {
  try {
    return await thread.update({ id, text, signal });
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'unavailable') throw error;
    await thread.pause({ signal });
    return thread.update({ id, text, signal });
  }
}

async function findOnThread(
  thread: OwnCommentThread,
  { topic, internal, signal }: Wanted,
): Promise<Comment | null> {
  const account = await thread.whoAmI({ signal });
  const comments = await thread.listComments({ signal });
  const fitting = comments.filter((comment) => hasAudience(comment, internal));
  return findOwnComment(fitting, { topic, account }) ?? null;
}

/** Text that may be public may stand in an internal note as well, but not the other way round. */
function hasAudience({ visibility }: Comment, internal: boolean): boolean {
  return !internal || visibility === 'internal';
}
