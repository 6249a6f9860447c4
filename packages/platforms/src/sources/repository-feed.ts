import { untilAborted } from '@agent/text/waiting';
import { inOrder, moveCursor, unchangedListing } from '../listings/comment-listing.ts';
import type { Comment, CommentListing, RepositoryListing } from '../model.ts';
import type { Platform } from '../platform.ts';
import type {
  CallOptions,
  CommentSource,
  ListCommentsOptions,
  PlatformThread,
  RepositoryChanges,
} from '../ports.ts';
import { type TaskKey, toRepositoryName, toThreadName } from '../task-key.ts';
import type { Poller, RequestBudget } from './request-budget.ts';

/** Pace of a feed. */
export interface RepositoryFeedOptions {
  /** Milliseconds within which all threads share one poll. Default: what the budget says, else 10,000. */
  readonly intervalMs?: number;
  /** Budget that the polls are paid from; then the interval grows with the repository's quiet and with what is used up. */
  readonly budget?: RequestBudget;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
}

/** One poll of a repository, shared by all its threads. */
export interface RepositoryFeed {
  /** Opens the mailbox for all that arrives for this thread from now on. Names are those of `toThreadName`. */
  readonly open: (thread: string) => Mailbox;
  readonly leave: (mailbox: Mailbox) => void;
  /**
   * Resolves when the mailboxes hold what a poll has shown: the poll under way, or one of this interval, or a new one;
   * with `fresh` one whose request begins after this call. Rejects when that poll failed, for everybody who relies on it.
   */
  readonly poll: (options?: { readonly fresh?: boolean | undefined } & CallOptions) => Promise<void>;
  /** Leaves its part of the budget to the others. */
  readonly close: () => void;
}

interface Poll {
  readonly beganAt: number;
  readonly outcome: Promise<void>;
}

/** Makes as few polls as the interval allows, however many threads ask. */
export function createRepositoryFeed(
  changes: RepositoryChanges,
  { intervalMs, budget, now = () => performance.now() }: RepositoryFeedOptions = {},
): RepositoryFeed {
  const mailboxes = new Set<Mailbox>();
  const poller = budget?.open() ?? null;
  let last: Poll | null = null;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  let refusedUntil = Number.NEGATIVE_INFINITY;
  let changedAt = now();
  const interval = () => intervalMs ?? poller?.intervalMs(now() - changedAt) ?? 10_000;
  const begin = (isNeeded = true): Promise<void> => {
    queued = null;
    const outcome = listInto(mailboxes, { ...changes, poller, isNeeded }).then(
      ({ unchanged }) => {
        running = null;
        if (!unchanged) changedAt = now();
      },
      (error: unknown) => {
        running = null;
        refusedUntil = now() + toRetryAfterMs(error);
        throw error;
      },
    );
    // Those who ask later within the interval hear of it.
    outcome.catch(() => undefined);
    running = outcome;
    last = { beganAt: now(), outcome };
    return outcome;
  };
  const choose = (fresh: boolean): Promise<void> => {
    if (running !== null) {
      if (!fresh) return running;
      queued ??= running.catch(() => undefined).then(() => begin());
      return queued;
    }
    if (last === null) return begin();
    const isDue =
      fresh || (now() - last.beganAt >= interval() && (poller?.admit({ isNeeded: false }) ?? true));
    return isDue && now() >= refusedUntil ? begin(fresh) : last.outcome;
  };
  return {
    open: (thread) => {
      const mailbox = createMailbox(thread);
      mailboxes.add(mailbox);
      return mailbox;
    },
    leave: (mailbox) => void mailboxes.delete(mailbox),
    poll: async ({ fresh = false, signal } = {}) => {
      signal?.throwIfAborted();
      await untilAborted(choose(fresh), signal);
    },
    close: () => poller?.close(),
  };
}

interface FeedPoll extends RepositoryChanges {
  readonly poller: Poller | null;
  readonly isNeeded: boolean;
}

async function listInto(mailboxes: ReadonlySet<Mailbox>, poll: FeedPoll): Promise<RepositoryListing> {
  const refreshed = poll.poller?.refresh() ?? null;
  if (refreshed !== null) await refreshed;
  if (poll.poller?.admit(poll) === false) return { changes: [], since: null, unchanged: true };
  const listing = await poll.listChanges();
  if (listing.unchanged) return listing;
  const byThread = Map.groupBy(listing.changes, ({ thread }) => thread);
  for (const mailbox of mailboxes)
    mailbox.receive({ ...listing, changes: byThread.get(mailbox.thread) ?? [] });
  return listing;
}

/** A refusal by a rate limit holds for every poll, a fresh one too. */
function toRetryAfterMs(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { readonly retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' ? retryAfterMs : Number.NEGATIVE_INFINITY;
}

/** One feed a repository, for as long as somebody uses it. */
export interface RepositoryFeeds {
  /** The feed of this thread's repository, until it is released; null where the platform has none. */
  readonly use: (key: TaskKey) => { readonly feed: RepositoryFeed; readonly release: () => void } | null;
}

/**
 * Begins the poll of a repository with the first thread that uses it, and ends it with the last.
 *
 * @example
 * const feeds = createRepositoryFeeds({ openChanges: platform.openChanges, budget: createRequestBudget() });
 * const shared = feeds.use(key); // the poll of the repository that this thread is in
 * shared?.release();
 */
export function createRepositoryFeeds({
  openChanges,
  ...options
}: {
  /** `Platform.openChanges`. */
  readonly openChanges: Platform['openChanges'];
  readonly budget: RequestBudget;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
}): RepositoryFeeds {
  const shared = new Map<string, { readonly feed: RepositoryFeed; users: number }>();
  return {
    use: (key) => {
      if (openChanges === undefined) return null;
      const name = toRepositoryName(key);
      const entry = shared.get(name) ?? {
        feed: createRepositoryFeed(openChanges(key), options),
        users: 0,
      };
      entry.users += 1;
      shared.set(name, entry);
      return {
        feed: entry.feed,
        release: () => {
          entry.users -= 1;
          if (entry.users > 0) return;
          entry.feed.close();
          shared.delete(name);
        },
      };
    },
  };
}

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
 * Stands for the thread's own comment source: its first poll is the thread's own listing, as is every poll of the
 * whole thread; what changes afterwards comes from the feed, which costs the same for one thread and for thousands.
 *
 * @example
 * const feed = createRepositoryFeed(changes, { intervalMs: 10_000 });
 * const source = fromRepositoryPoll(feed, platform.openThread(key));
 */
export function fromRepositoryPoll(
  feed: RepositoryFeed,
  thread: Pick<PlatformThread, 'key' | 'comments'>,
): PolledCommentSource {
  const mailbox = feed.open(toThreadName(thread.key));
  let answered: Answered | null = null;
  const listOwn = async (options: ListCommentsOptions): Promise<CommentListing> => {
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
      if (answered === null) await feed.poll({ signal });
      if (answered === null || !isCovered(answered, options)) return listOwn(options);
      await feed.poll({ fresh, signal });
      const { version, calls } = readMarks(mailbox);
      const isKnown = since === answered.since || since === answered.cursor;
      if (isKnown && version === answered.version && calls === answered.calls)
        return unchangedListing(answered.cursor);
      if (since === null || calls !== answered.calls) return listOwn(options);
      const comments = inOrder(mailbox.readSince(since));
      const cursor = moveCursor(since, comments);
      answered = { ...answered, since, cursor, version };
      return { comments, complete: false, cursor, unchanged: false };
    },
    close: () => feed.leave(mailbox),
  };
}

/**
 * Deletions are in no feed, so that only an empty thread needs no poll of its own for the whole; nor is what bears an older time
 * than the feed has come to, so that whoever asks for all of it as it is now is shown the thread.
 */
function isCovered(
  { covered, isEmpty }: Answered,
  { since, fresh = false }: Pick<ListCommentsOptions, 'since' | 'fresh'>,
): boolean {
  if (since === null) return isEmpty && !fresh;
  return covered !== null && Date.parse(since) >= Date.parse(covered);
}

function readMarks(mailbox: Mailbox): Pick<Answered, 'version' | 'calls'> {
  return { version: mailbox.version(), calls: mailbox.calls() };
}

/** News of one thread, as polls of its repository have shown them. */
export interface Mailbox {
  readonly thread: string;
  /** Grows with everything that arrives or goes. */
  readonly version: () => number;
  /** Number of times that the platform has said only that something changed. */
  readonly calls: () => number;
  /** Returns the comments that changed at this time or later, and forgets older ones. */
  readonly readSince: (since: string) => readonly Comment[];
  /** Takes what a poll has shown of this thread; a comment that arrived since its time and is not in it is gone. */
  readonly receive: (listing: Pick<RepositoryListing, 'changes' | 'since'>) => void;
}

function createMailbox(thread: string): Mailbox {
  const comments = new Map<string, Comment>();
  let version = 0;
  let calls = 0;
  return {
    thread,
    version: () => version,
    calls: () => calls,
    readSince: (since) => {
      for (const comment of comments.values()) {
        if (changedAt(comment) < Date.parse(since)) comments.delete(comment.id);
      }
      return [...comments.values()];
    },
    receive: ({ changes, since }) => {
      const listed = new Map<string, Comment>();
      for (const { comment } of changes) {
        if (comment === null) calls += 1;
        else listed.set(comment.id, comment);
      }
      for (const comment of comments.values()) {
        const isGone = since !== null && changedAt(comment) >= Date.parse(since) && !listed.has(comment.id);
        if (isGone && comments.delete(comment.id)) version += 1;
      }
      for (const comment of listed.values()) {
        if (isSame(comments.get(comment.id), comment)) continue;
        comments.set(comment.id, comment);
        version += 1;
      }
    },
  };
}

const changedAt = ({ updatedAt, createdAt }: Comment) => Date.parse(updatedAt ?? createdAt);

function isSame(one: Comment | undefined, other: Comment): boolean {
  return one?.updatedAt === other.updatedAt && one.body === other.body;
}
