import type { CommentSource, PlatformThread } from '../ports.ts';
import type { Doorbell } from './doorbell.ts';
import { fromRepositoryPoll } from './from-repository-poll.ts';
import type { RepositoryFeeds } from './repository-feed.ts';
import type { RequestBudget } from './request-budget.ts';
import { withDoorbell } from './with-doorbell.ts';
import { withRequestBudget } from './with-request-budget.ts';

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
}

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
export function openThreadSource(
  thread: Pick<PlatformThread, 'key' | 'comments'>,
  options: ThreadSourceOptions,
): ThreadSource {
  let opened: ThreadSource | null = null;
  return {
    listComments: (look) => {
      opened ??= takePart(thread, options);
      return opened.listComments(look);
    },
    close: () => {
      opened?.close();
      opened = null;
    },
  };
}

function takePart(
  thread: Pick<PlatformThread, 'key' | 'comments'>,
  { budget, bell, feeds, sweepIntervalMs }: ThreadSourceOptions,
): ThreadSource {
  const { key } = thread;
  const shared = feeds?.use(key) ?? null;
  const polled =
    shared === null
      ? withRequestBudget(thread.comments, { budget })
      : fromRepositoryPoll(shared.feed, thread);
  const { urgentDelayMs } = budget;
  const hasNotified = () => bell.hasNotified(key);
  const heard = withDoorbell(polled, {
    bell,
    key,
    hasNotified,
    urgentDelayMs,
    ...(sweepIntervalMs === undefined ? {} : { sweepIntervalMs }),
  });
  return {
    listComments: heard.listComments,
    close: () => {
      heard.close();
      polled.close();
      shared?.release();
    },
  };
}
