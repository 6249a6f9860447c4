import { inOrder, moveCursor } from '../comment-listing.ts';
import type { CommentListing } from '../model.ts';
import type { CommentLookOptions, CommentSource, PlatformThread } from '../ports.ts';
import { toThreadName } from '../task-key.ts';
import type { Mailbox } from './mailbox.ts';
import type { RepositoryFeed } from './repository-feed.ts';

/** A thread's comments out of the poll of its repository. */
export interface PolledCommentSource extends CommentSource {
  /** Ends the thread's part in the poll. */
  readonly close: () => void;
}

/** The last answer, by the thread's own listing or from the feed. */
interface Answered {
  readonly since: string | null;
  readonly cursor: string | null;
  readonly version: number;
  readonly calls: number;
  /** The feed has shown everything that changed at this time or later; null while the thread is empty. */
  readonly covered: string | null;
  readonly isEmpty: boolean;
}

/**
 * Stands for the thread's own comment source: its first look is the thread's own listing, as is every look at the
 * whole thread; what changes afterwards comes from the feed, which costs the same for one thread and for thousands.
 */
export function fromRepositoryPoll(
  feed: RepositoryFeed,
  thread: Pick<PlatformThread, 'key' | 'comments'>,
): PolledCommentSource {
  const mailbox = feed.open(toThreadName(thread.key));
  let answered: Answered | null = null;
  const listOwn = async (options: CommentLookOptions): Promise<CommentListing> => {
    const { version, calls } = readMarks(mailbox);
    const listing = await thread.comments.listComments(options);
    const { cursor, complete, unchanged } = listing;
    const isEmpty = unchanged ? (answered?.isEmpty ?? false) : complete && listing.comments.length === 0;
    answered = { since: options.since, cursor, version, calls, covered: cursor, isEmpty };
    return listing;
  };
  return {
    listComments: async (options) => {
      const { since, fresh, signal } = options;
      signal?.throwIfAborted();
      // The feed has to have begun before the thread is listed: what changes in between is in one of them.
      if (answered === null) await feed.look({ signal });
      if (answered === null || !isCovered(answered, since)) return listOwn(options);
      await feed.look({ fresh, signal });
      const { version, calls } = readMarks(mailbox);
      const isKnown = since === answered.since || since === answered.cursor;
      if (isKnown && version === answered.version && calls === answered.calls)
        return unchanged(answered.cursor);
      if (since === null || calls !== answered.calls) return listOwn(options);
      const comments = inOrder(mailbox.readSince(since));
      const cursor = moveCursor(since, comments);
      answered = { ...answered, since, cursor, version };
      return { comments, complete: false, cursor, unchanged: false };
    },
    close: () => feed.leave(mailbox),
  };
}

/** Deletions are in no feed, so that only an empty thread needs no look of its own at the whole. */
function isCovered({ covered, isEmpty }: Answered, since: string | null): boolean {
  if (since === null) return isEmpty;
  return covered !== null && Date.parse(since) >= Date.parse(covered);
}

function readMarks(mailbox: Mailbox): Pick<Answered, 'version' | 'calls'> {
  return { version: mailbox.version(), calls: mailbox.calls() };
}

function unchanged(cursor: string | null): CommentListing {
  return { comments: [], complete: false, cursor, unchanged: true };
}
