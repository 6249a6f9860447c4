import type {
  Account,
  Authority,
  CallOptions,
  Comment,
  CommentListing,
  CommentSubject,
  ListCommentsOptions,
} from '@agent/platforms';

/** Author of a comment; an account of which a source need not know the kind. */
export interface CommentAuthor extends Omit<Account, 'kind'> {
  /** A login that ends in `[bot]` is a bot's anyway. */
  readonly kind?: Account['kind'] | undefined;
}

/** One comment of a thread, as a source lists it: a comment of a platform, without the facts that a source may not know. */
export interface SourceComment extends Pick<Comment, 'id' | 'body' | 'createdAt' | 'updatedAt'> {
  /** Null when the account was deleted. */
  readonly author: CommentAuthor | null;
  /** Readers of the comment, in the source's own word (`public`, `internal`): kept as it is, for `prepareBody`. */
  readonly visibility?: string | undefined;
  /** `thread` for the thread's own title and text, told beside the comments: an edit of them is told as one. */
  readonly part?: 'thread' | undefined;
  /** Its page. */
  readonly url?: string | null | undefined;
  /** Lines of code, a review, or a check that it is about; null or left out in the conversation. */
  readonly subject?: CommentSubject | null | undefined;
}

/** Question of who may steer. */
export interface AuthorityOptions extends CallOptions {
  /** True where the answer must be what the platform says now, as for a comment that may give a command. */
  readonly fresh?: boolean | undefined;
}

/**
 * Looks at one thread's comments: a poll, one poll shared by many threads, or a poll that a webhook wakes.
 * With `since: null` it lists the whole thread; with the cursor of an earlier look it may answer only what was
 * created or edited since, equal timestamps included. Not being able to look is a rejection, never an empty list.
 *
 * @see seed 001 §3.2 (`get_comments`)
 */
export interface CommentSource {
  readonly listComments: (options: SourcePollOptions) => Promise<CommentListing<SourceComment>>;
  /**
   * One comment as it stands; null only where the platform says that there is none (404, 410) while it shows the thread.
   * With it a deletion is told on that proof alone, and what returns is heard again. Without it two complete listings
   * that leave a comment out count as its deletion, which is then final.
   */
  readonly getComment?: ((id: string, options: CallOptions) => Promise<SourceComment | null>) | undefined;
  /** The agent's own account, if neither `botUsername` nor `botId` nor `isOwnComment` is set; null if the platform does not show it. */
  readonly findOwnAccount?: ((options: CallOptions) => Promise<CommentAuthor | null>) | undefined;
  /** Authority of an author, if the option `authorityOf` is not set. */
  readonly authorityOf?:
    | ((comment: SourceComment, options: AuthorityOptions) => Promise<Authority>)
    | undefined;
}

/** Options of a look at a thread. */
export interface SourcePollOptions extends ListCommentsOptions {
  /**
   * True at the finish barrier: the answer has to come from a request that begins after this call. A source that
   * shares or spares requests heeds it; one that asks at every look need not.
   *
   * @see decision B21
   */
  readonly fresh: boolean;
}

/** Place of a comment in the order of its thread. */
export type CommentPlace = Pick<SourceComment, 'id' | 'createdAt'>;

/** Compares by the order of a thread: by creation time, then id. What has no readable time comes first. */
export function compareComments(a: CommentPlace, b: CommentPlace): number {
  return timeOf(a.createdAt) - timeOf(b.createdAt) || compareIds(a.id, b.id);
}

/** Milliseconds of an ISO time; 0 for what is no time. */
export function timeOf(iso: string | null): number {
  return (iso !== null && Date.parse(iso)) || 0;
}

/** Numbers as numbers (9 before 10), whatever their length; everything else as text. */
function compareIds(a: string, b: string): number {
  const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
  if (areNumbers && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}
