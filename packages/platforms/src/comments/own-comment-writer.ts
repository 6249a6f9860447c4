import type { Locale } from '@agent/text';
import { createTurns, untilAborted } from '@agent/text/waiting';
import { writeOnce } from '../http/write-once.ts';
import type { Comment, EnsuredComment, OwnComment } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type {
  CallOptions,
  CommentWriter,
  Identity,
  KnownComment,
  OwnComments,
  PlatformThread,
} from '../ports.ts';
import { composeOwnComment, isSameBody, sortOwnComments } from './own-comment.ts';

/** Actions that a platform lets us do with the comments of one thread. */
export interface OwnCommentThread extends Identity {
  /** Longest body that the platform takes, in UTF-16 units. */
  readonly maxChars: number;
  readonly locale: Locale;
  /**
   * Lists the thread, or what was written or edited since then, oldest first; a comment that stays is never missing,
   * whatever becomes of others meanwhile.
   */
  readonly listComments: (options: Since & CallOptions) => Promise<readonly Comment[]>;
  readonly create: (text: string, options: CallOptions & { readonly internal: boolean }) => Promise<Comment>;
  readonly update: (
    comment: { readonly id: string; readonly text: string } & CallOptions,
  ) => Promise<Comment>;
  readonly remove: (id: string, options: CallOptions) => Promise<void>;
  /** Waits before a comment whose answer was lost is looked for, so many times as long as usual (default 1). */
  readonly pause: (options: CallOptions & { readonly times?: number }) => Promise<void>;
}

interface Since {
  /** ISO 8601; null for the whole thread. */
  readonly since: string | null;
}

interface Wanted extends CallOptions, Since {
  readonly topic: string;
  readonly text: string;
  readonly internal: boolean;
  /** True if a list that lags may not show it yet. */
  readonly mayExist: boolean;
}

/** The two roles that a thread has for comments of ours. */
type OwnCommentPorts = Required<Pick<PlatformThread, 'writer' | 'ownComments'>> & {
  readonly ownComments: OwnComments;
};

/**
 * Keeps one comment of ours per topic. It lists the thread once per topic and remembers the comment from then on; calls for
 * one thread run one after the other. Each listing reconciles what it shows: of several comments with one topic and one
 * audience only the oldest stays.
 */
export function createOwnComments(thread: OwnCommentThread): OwnCommentPorts {
  const remembered = new Map<string, Comment>();
  // Topics whose last write may have succeeded although it failed here.
  const uncertain = new Set<string>();
  const takeTurn = createTurns();
  const inTurn = <Result>(call: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> =>
    untilAborted(takeTurn(call), signal);
  const ensureComment: CommentWriter['ensureComment'] = async ({
    topic,
    internal = false,
    since = null,
    mayExist: isAsked = false,
    signal,
    ...said
  }) => {
    const { maxChars, locale } = thread;
    const text = composeOwnComment({ topic, ...said }, { maxChars, locale });
    const known = [remembered.get(topic)].find((one) => one && hasAudience(one, internal)) ?? null;
    const mayExist = isAsked || uncertain.has(topic);
    uncertain.add(topic);
    const wanted = { topic, text, internal, since, mayExist, signal, known };
    const { comment, change } = await ensure(thread, wanted).catch((error: unknown) => {
      if (!mayExist && PlatformError.isInstance(error) && error.code !== 'unavailable')
        uncertain.delete(topic);
      throw error;
    });
    uncertain.delete(topic);
    remembered.set(topic, comment);
    return { id: comment.id, url: comment.url, change };
  };
  const list = async (options: Since & CallOptions): Promise<readonly OwnComment[]> => {
    const { own } = await listOwn(thread, options);
    // What this process wrote is not taken back by a listing that lags.
    for (const comment of own) if (!remembered.has(comment.topic)) remembered.set(comment.topic, comment);
    return own;
  };
  const forget = (id: string): void => {
    for (const [topic, comment] of remembered) if (comment.id === id) remembered.delete(topic);
  };
  const edit = async ({ id, signal, ...said }: KnownComment): ReturnType<OwnComments['edit']> => {
    const { maxChars, locale } = thread;
    const text = composeOwnComment(said, { maxChars, locale });
    const known = remembered.get(said.topic);
    if (known?.id === id && isSameBody(known.body, text)) return 'unchanged';
    try {
      const comment = await update(thread, { id, text, signal });
      if (known === undefined || known.id === id) remembered.set(said.topic, comment);
      return 'updated';
    } catch (error) {
      if (!isNotFound(error)) throw error;
      forget(id);
      return 'gone';
    }
  };
  const remove = async (id: string, { signal }: CallOptions): Promise<void> => {
    forget(id);
    await removeComment(thread, id, { signal });
  };
  return {
    writer: { ensureComment: (comment) => inTurn(() => ensureComment(comment), comment.signal) },
    ownComments: {
      list: ({ since = null, signal } = {}) => inTurn(() => list({ since, signal }), signal),
      edit: (comment) => inTurn(() => edit(comment), comment.signal),
      remove: (id, options = {}) => inTurn(() => remove(id, options), options.signal),
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

/** Pauses of 2 s, 4 s … 32 s are one minute together. */
const longestLag = 16;

async function create(thread: OwnCommentThread, wanted: Wanted): Promise<Ensured> {
  const { text, internal, mayExist, signal } = wanted;
  let isFirstCheck = true;
  const look = async () => {
    // The caller has just looked.
    if (!isFirstCheck) return findOnThread(thread, wanted);
    isFirstCheck = false;
    return null;
  };
  let writes = 0;
  const write = () => {
    writes += 1;
    return thread.create(text, { internal, signal });
  };
  const pause = () => thread.pause({ signal });
  const { result } = await writeOnce({ look, write }, { pause });
  if (writes === 1 && !mayExist) return { comment: result, change: 'created' };
  // An earlier write may show only now: the server was still at it when the answer was given up, or the list lags. A list that
  // shows the last write shows the earlier one, too.
  let comment = result;
  for (let times = 1; times <= longestLag; times *= 2) {
    await thread.pause({ times, signal });
    const shown = await listOwn(thread, wanted).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (PlatformError.isInstance(error)) return null;
      throw error;
    });
    comment = (shown && findWanted(shown.own, wanted)) ?? comment;
    if (shown?.listed.has(result.id)) break;
  }
  return { comment, change: 'created' };
}

/** Writing the same body twice changes nothing, so a lost answer is followed by one more attempt. */
async function update(
  thread: OwnCommentThread,
  { id, text, signal }: Pick<Wanted, 'text' | 'signal'> & { readonly id: string },
): Promise<Comment> {
  try {
    return await thread.update({ id, text, signal });
  } catch (error) {
    if (!PlatformError.isInstance(error) || error.code !== 'unavailable') throw error;
    await thread.pause({ signal });
    return thread.update({ id, text, signal });
  }
}

async function findOnThread(thread: OwnCommentThread, wanted: Wanted): Promise<Comment | null> {
  const { own } = await listOwn(thread, wanted);
  return findWanted(own, wanted);
}

function findWanted(own: readonly OwnComment[], { topic, internal }: Wanted): Comment | null {
  return own.find((comment) => comment.topic === topic && hasAudience(comment, internal)) ?? null;
}

interface OwnListing {
  /** Oldest first. */
  readonly own: readonly OwnComment[];
  /** Ids of all comments that the list showed, removed ones included. */
  readonly listed: ReadonlySet<string>;
}

/** Our comments with a topic; of several with one topic and one audience the younger are removed. */
async function listOwn(
  thread: OwnCommentThread,
  { since, signal }: Since & CallOptions,
): Promise<OwnListing> {
  const account = await thread.whoAmI({ signal });
  const comments = await thread.listComments({ since, signal });
  const { kept, younger } = sortOwnComments(comments, account);
  const stay: OwnComment[] = [];
  for (const comment of younger) {
    if (!(await isRemoved(thread, comment.id, { signal }))) stay.push(comment);
  }
  return { own: [...kept, ...stay], listed: new Set(comments.map(({ id }) => id)) };
}

/** One that cannot be removed now stays, and is met again by the next listing: what it repeats is no reason to fail. */
async function isRemoved(thread: OwnCommentThread, id: string, { signal }: CallOptions): Promise<boolean> {
  try {
    await removeComment(thread, id, { signal });
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    if (PlatformError.isInstance(error)) return false;
    throw error;
  }
}

async function removeComment(thread: OwnCommentThread, id: string, options: CallOptions): Promise<void> {
  try {
    await thread.remove(id, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Text that may be public may stand in an internal note as well, but not the other way round. */
function hasAudience({ visibility }: Pick<Comment, 'visibility'>, internal: boolean): boolean {
  return !internal || visibility === 'internal';
}
