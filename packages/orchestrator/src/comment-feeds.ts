import type { Platform, RequestRecord } from '@agent/platforms';
import {
  createDoorbell,
  createRepositoryFeeds,
  createRequestBudget,
  type Doorbell,
  openThreadSource,
  type RequestBudgetOptions,
} from '@agent/platforms/sources';

import type { ConfiguredPlatform } from './run/run-thread.ts';

/** The comments of one platform, for all runs there. */
export interface CommentFeeds extends Pick<ConfiguredPlatform, 'runWaitMs'> {
  /** To be told of every request of the platform's credential. */
  readonly onRequest: (record: RequestRecord) => void;
  readonly openOn: (platform: Platform) => ConfiguredPlatform['openSource'];
}

/** How long a thread is left alone whose webhooks have been heard and are quiet: some get lost. */
const sweepIntervalMs = 90_000;

/** Creates one budget for all requests of a credential, and the sources of everybody who polls comments with it. */
export function createCommentFeeds(
  pace: RequestBudgetOptions,
  { doorbell: bell = createDoorbell() }: { readonly doorbell?: Doorbell | undefined } = {},
): CommentFeeds {
  const budget = createRequestBudget(pace);
  return {
    onRequest: budget.record,
    runWaitMs: budget.runWaitMs,
    openOn: ({ openChanges }) => {
      const feeds = createRepositoryFeeds({ openChanges, budget });
      return (thread) => openThreadSource(thread, { budget, bell, feeds, sweepIntervalMs });
    },
  };
}
