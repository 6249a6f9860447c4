import { unchangedListing } from '../listings/comment-listing.ts';
import type { CommentSource, ListCommentsOptions } from '../ports.ts';
import { type TaskKey, toThreadName } from '../task-key.ts';
import type { PolledCommentSource, RepositoryFeed } from './repository-feed.ts';
import type { Poller, RequestBudget } from './request-budget.ts';

/** Milliseconds after which a list is asked though nobody called: a poll of the repository does not name everything that changes. */
const sweepMs = 600_000;

/** Milliseconds without a change after which what can be under way is taken to have ended: programs begin one after another. */
const settlingMs = 180_000;

/** A list of one thread that no list of its repository holds. */
export interface RestingList {
  readonly key: TaskKey;
  readonly comments: CommentSource;
  /** Tells whether nothing of what was listed last is under way. Default: nothing ever is. */
  readonly isSettled?: (() => boolean) | undefined;
}

/** Surroundings of a list that rests. */
export interface RestUntilCalledOptions {
  readonly budget: RequestBudget;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Stands for a list of a change request that no list of its repository holds, such as its reviews or its checks. It is asked when the
 * poll of the repository names the change request, every ten minutes, and at the pace of the budget while something of it is under way. In
 * between it answers "unchanged" for the one poll that all change requests share. Where that poll fails, so does this.
 *
 * @example
 * const feed = createRepositoryFeed(platform.openRequestChanges(key));
 * const source = restUntilCalled(feed, { key, comments: review.reviews }, { budget: createRequestBudget() });
 */
export function restUntilCalled(
  feed: RepositoryFeed,
  { key, comments, isSettled }: RestingList,
  { budget, now = () => performance.now() }: RestUntilCalledOptions,
): PolledCommentSource {
  const mailbox = feed.open(toThreadName(key));
  let last: Asked | null = null;
  let changedAt = now();
  // One that rests takes no part in the limits: the others would be asked less often for it.
  let poller: Poller | null = null;
  const openPoller = (): Poller => {
    poller ??= budget.open();
    return poller;
  };
  const closePoller = (): void => {
    poller?.close();
    poller = null;
  };
  const rests = () => isSettled === undefined || (isSettled() && now() - changedAt >= settlingMs);
  const isCovered = ({ at, calls }: Asked): boolean => {
    if (mailbox.calls() !== calls) return false;
    const waitMs = rests() ? sweepMs : openPoller().intervalMs(now() - changedAt);
    return now() - at < waitMs;
  };
  return {
    listComments: async (question) => {
      const { since, fresh = false, signal } = question;
      signal?.throwIfAborted();
      await feed.poll({ fresh, signal });
      const known = last !== null && !fresh && isAbout(question, last) ? last : null;
      if (known !== null && isCovered(known)) return unchangedListing(known.cursor);
      if (!openPoller().admit({ isNeeded: known === null })) return unchangedListing(known?.cursor ?? since);
      const [calls, at] = [mailbox.calls(), now()];
      const listing = await comments.listComments(question);
      if (!listing.unchanged || calls !== last?.calls) changedAt = at;
      last = { since, cursor: listing.cursor, calls, at };
      if (rests()) closePoller();
      return listing;
    },
    close: () => {
      closePoller();
      feed.leave(mailbox);
    },
  };
}

/** The last time that the list was asked. */
interface Asked {
  readonly since: string | null;
  readonly cursor: string | null;
  readonly calls: number;
  readonly at: number;
}

function isAbout({ since }: Pick<ListCommentsOptions, 'since'>, last: Asked): boolean {
  return since === last.since || since === last.cursor;
}
