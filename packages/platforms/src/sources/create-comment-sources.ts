import type { CommentSource, Platform, PlatformThread } from '../ports.ts';
import type { Doorbell } from './doorbell.ts';
import { fromRepositoryPoll } from './from-repository-poll.ts';
import { rememberRung } from './remember-rung.ts';
import { createRepositoryFeed } from './repository-feed.ts';
import type { RequestBudget } from './request-budget.ts';
import { createSharedFeeds } from './shared-feeds.ts';
import { withDoorbell } from './with-doorbell.ts';
import { withRequestBudget } from './with-request-budget.ts';

export interface CommentSourcesOptions {
  readonly openChanges: Platform['openChanges'];
  /** The requests of the platform's credential. */
  readonly budget: RequestBudget;
  readonly doorbell: Doorbell;
  /** Milliseconds that a thread is left alone while its bell is quiet, once the bell has rung in its repository. */
  readonly sweepIntervalMs: number;
}

/** A thread's comments as one run hears them. */
export interface HeardSource extends CommentSource {
  /** Ends its part in what is shared. Asked again, it takes part anew. */
  readonly close: () => void;
}

/** Everybody who listens on one platform. */
export interface CommentSources {
  /** Makes no request itself. */
  readonly listenTo: (thread: Pick<PlatformThread, 'key' | 'comments'>) => HeardSource;
}

/**
 * Lets the runs of one platform hear their threads for as few requests as it takes: one poll for each repository
 * that any of them works in, where the platform lists what changed in it, else one for each thread; paced by one
 * budget, and woken by webhooks.
 */
export function createCommentSources(options: CommentSourcesOptions): CommentSources {
  const { openChanges, budget, doorbell, sweepIntervalMs } = options;
  const feeds = createSharedFeeds((key) =>
    openChanges === undefined ? null : createRepositoryFeed(openChanges(key), { budget }),
  );
  const isRung = rememberRung(doorbell);
  const open = (thread: Pick<PlatformThread, 'key' | 'comments'>): HeardSource => {
    const { key } = thread;
    const { feed, release } = feeds.use(key);
    const source =
      feed === null ? withRequestBudget(thread.comments, { budget }) : fromRepositoryPoll(feed, thread);
    const { hurryWaitMs } = budget;
    const heard = withDoorbell(source, {
      bell: doorbell,
      key,
      sweepIntervalMs,
      isRung: () => isRung(key),
      hurryWaitMs,
    });
    return {
      listComments: heard.listComments,
      close: () => {
        heard.close();
        source.close();
        release();
      },
    };
  };
  return { listenTo: (thread) => openWhenAsked(() => open(thread)) };
}

/** A run that waits long for its platform gives up its part meanwhile. */
function openWhenAsked(open: () => HeardSource): HeardSource {
  let opened: HeardSource | null = null;
  return {
    listComments: (options) => {
      opened ??= open();
      return opened.listComments(options);
    },
    close: () => {
      opened?.close();
      opened = null;
    },
  };
}
