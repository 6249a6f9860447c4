import { setTimeout as wait } from 'node:timers/promises';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectPort,
} from '@agent/text/options';
import { inOrder, later, newer, unchangedListing } from '../listings/comment-listing.ts';
import type { Comment, CommentListing } from '../model.ts';
import type { CommentSource, ListCommentsOptions, PlatformThread } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';
import { createPendingNotifications, type Doorbell } from './doorbell.ts';
import { fromRepositoryPoll, type RepositoryFeeds } from './repository-feed.ts';
import { type RequestBudget, withRequestBudget } from './request-budget.ts';
import { type RestingList, restUntilCalled } from './rest-until-called.ts';

/** Parts that all threads of one platform share. */
export interface ThreadSourceOptions {
  /** The requests of the platform's credential. */
  readonly budget: RequestBudget;
  readonly bell: Doorbell;
  /** The polls of the platform's repositories. Default: each thread is polled alone. */
  readonly feeds?: RepositoryFeeds | null;
  /**
   * Milliseconds that a thread is left alone while its bell is quiet, once the bell has rung in its repository.
   * Default 10 minutes.
   */
  readonly sweepIntervalMs?: number;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
  /** True for what no list of the repository holds: it is asked when the feed names its thread. Default false. */
  readonly rests?: boolean | undefined;
  /** Waits before a further poll for what the bell named; default by the real clock. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

const expectations: ExpectationsOf<ThreadSourceOptions> = {
  budget: expected.object,
  bell: expectPort('ring'),
  feeds: expectNullable(expectPort('use')),
  sweepIntervalMs: expectNumber(0),
  now: expected.function,
  rests: expected.flag,
  sleep: expected.function,
};

/** A thread, or one list of it. */
export type SourceThread = Pick<PlatformThread, 'key' | 'comments'> & Pick<RestingList, 'isSettled'>;

/** A thread's comments, polled within a budget. */
export interface ThreadSource extends CommentSource {
  /** Ends its part in what is shared. Asked again, it takes part anew. */
  readonly close: () => void;
}

/**
 * Hears a thread for as few requests as it takes: out of the poll of its repository, where the platform lists what
 * changed there, else by its own listing; paced by the budget, and woken by the bell. Makes no request itself.
 *
 * @example
 * const budget = createRequestBudget();
 * const feeds = createRepositoryFeeds({ openChanges: platform.openChanges, budget });
 * const source = openThreadSource(platform.openThread(key), { budget, bell: createDoorbell(), feeds });
 * const { comments, cursor } = await source.listComments({ since: null });
 */
export function openThreadSource(thread: SourceThread, options: ThreadSourceOptions): ThreadSource {
  checkOptions('ThreadSourceOptions', options, expectations, ['budget', 'bell']);
  let opened: ThreadSource | null = null;
  return {
    listComments: (poll) => {
      opened ??= takePart(thread, options);
      return opened.listComments(poll);
    },
    close: () => {
      opened?.close();
      opened = null;
    },
  };
}

function takePart(
  thread: SourceThread,
  { budget, feeds, rests = false, ...options }: ThreadSourceOptions,
): ThreadSource {
  const { key } = thread;
  const shared = feeds?.use(key) ?? null;
  const polled =
    shared === null
      ? withRequestBudget(thread.comments, { budget, ...options })
      : rests
        ? restUntilCalled(shared.feed, thread, { budget, now: options.now })
        : fromRepositoryPoll(shared.feed, thread);
  const { urgentDelayMs } = budget;
  const hasNotified = () => options.bell.hasNotified(key);
  const heard = withDoorbell(polled, { ...options, key, hasNotified, urgentDelayMs });
  return {
    listComments: heard.listComments,
    close: () => {
      heard.close();
      polled.close();
      shared?.release();
    },
  };
}

/** Options of a source that a bell wakes. */
export interface DoorbellOptions {
  readonly bell: Doorbell;
  /** The thread whose rings are meant. */
  readonly key: TaskKey;
  /** Milliseconds after which a thread is polled though no bell rang, because webhooks get lost; default 10 minutes. */
  readonly sweepIntervalMs?: number;
  /** Tells whether the bell is known to ring for this thread; as long as it is not, every poll is made. Default: always. */
  readonly hasNotified?: () => boolean;
  /** Milliseconds before the further polls that a ring gets which no listing shows; default 250, 1,000, 4,000. */
  readonly repeatAfterMs?: readonly number[];
  /**
   * Milliseconds that a poll which a ring asks for has to wait, because requests are short: a budget's `urgentDelayMs`.
   * Until then the source is asked without haste; a comment that a ring carries is told as the webhook showed it, any
   * other ring stays. Default: 0, always.
   */
  readonly urgentDelayMs?: () => number;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** A source that polls when the bell rings. */
export interface DoorbellCommentSource extends CommentSource {
  /** Tells whether a poll would be worth a request now: at the first time, after a ring, when a sweep is due. */
  readonly isDue: () => boolean;
  /** Stops listening to the bell. */
  readonly close: () => void;
}

const sweepMs = 600_000;

/**
 * Stands for the source that it asks. Between two sweeps it answers "unchanged" without a request as long as the bell
 * is quiet. A ring makes the next poll a fresh one; where that does not show what the ring named, the bell counts as
 * rung again after 0.25, 1 and 4 seconds. A caller who asks for a fresh poll waits for these polls, the others do not.
 * Where the credential's requests are short, the comment that a ring carries is told, and every other ring waits for
 * the polls that are made anyway, or until one can be spared.
 * The deletion of a comment is shown by the whole thread only, so that a ring for one makes the poll complete.
 *
 * @example
 * const source = withDoorbell(platform.openThread(key).comments, { bell: createDoorbell(), key });
 * await source.listComments({ since: null }); // asks; then it is quiet until the bell rings or ten minutes are over
 */
export function withDoorbell(
  source: CommentSource,
  {
    bell,
    key,
    sweepIntervalMs = sweepMs,
    hasNotified = () => true,
    repeatAfterMs = [250, 1000, 4000],
    urgentDelayMs = () => 0,
    now = () => performance.now(),
    sleep = (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  }: DoorbellOptions,
): DoorbellCommentSource {
  const rings = createPendingNotifications({ repeatAfterMs });
  const stop = bell.onRing(key, (ring) => rings.add(ring, now()));
  let last: { readonly beganAt: number; readonly cursor: string | null } | null = null;

  let left: { readonly since: string | null; readonly listing: CommentListing } | null = null;

  const isLeftAlone = (beganAt: number) => hasNotified() && now() - beganAt < sweepIntervalMs;
  const isDue = () => last === null || left !== null || rings.isDue(now()) || !isLeftAlone(last.beganAt);
  const poll = async ({ since, fresh, signal }: ListCommentsOptions): Promise<CommentListing> => {
    const beganAt = now();
    const isUrgent = fresh === true || (rings.size() > 0 && urgentDelayMs() <= 0);
    // A poll without haste may be one that others made before the ring: it answers what it shows, and nothing else.
    const heard = isUrgent ? rings.count() : 0;
    const isWhole = since === null || (isUrgent && rings.needWhole());
    const asked = await source.listComments({ since: isWhole ? null : since, fresh: isUrgent, signal });
    const listing = { ...asked, cursor: later(since, asked.cursor) };
    rings.settle(listing, { heard, at: now() });
    last = { beganAt, cursor: listing.cursor };
    return isUrgent ? listing : withCarried(listing, rings.takeCarried());
  };
  const pollUntilSeen = async (
    first: CommentListing,
    question: ListCommentsOptions,
  ): Promise<CommentListing> => {
    const { since, signal } = question;
    let listing = first;
    try {
      for (const milliseconds of repeatAfterMs) {
        if (rings.size() === 0) break;
        await sleep(milliseconds, signal);
        listing = newer(listing, await poll(question));
      }
    } catch {
      // What was heard is told; the ring stays open. A caller who has left is told the next time.
      if (signal?.aborted === true) left = { since, listing };
      signal?.throwIfAborted();
    }
    return listing;
  };
  return {
    listComments: async (question) => {
      const { since, fresh = false, signal } = question;
      signal?.throwIfAborted();
      if (!fresh && last !== null && since === last.cursor && !isDue()) return unchangedListing(since);
      const listing = newer(left?.since === since ? left.listing : null, await poll(question));
      left = null;
      return fresh ? await pollUntilSeen(listing, question) : listing;
    },
    isDue,
    close: stop,
  };
}

/** The cursor stays where the listing left it, so that later polls show these comments again, as they then are. */
function withCarried(listing: CommentListing, carried: readonly Comment[]): CommentListing {
  if (carried.length === 0) return listing;
  return { ...listing, comments: inOrder([...listing.comments, ...carried]), unchanged: false };
}
