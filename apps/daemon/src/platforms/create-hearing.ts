import type { Platform, RequestRecord } from '@agent/platforms';
import {
  type CommentSources,
  createCommentSources,
  createDoorbell,
  createRequestBudget,
  type RequestBudgetOptions,
} from '@agent/platforms/sources';
import type { ConnectOptions } from './connect-options.ts';

export type HearingKind = 'github' | 'gitlab' | 'custom';

/** What the runs of one platform hear their threads with. */
export interface Hearing {
  /** To be told of every request of the platform's credential. */
  readonly onRequest: (record: RequestRecord) => void;
  readonly listenOn: (platform: Platform) => CommentSources;
  /** Milliseconds that a run has to wait before it begins, beside so many that run. */
  readonly runWaitMs: (running: number) => number;
}

/**
 * How often repositories are looked at. The shortest interval of GitHub is that of the manager's own looks (seed 001
 * §8.3), because what did not change is free there; on GitLab each look is two requests of its 300 a minute.
 * They grow with a repository's quiet, and with what is used of the limits.
 */
const paces: Readonly<Record<HearingKind, RequestBudgetOptions>> = {
  github: { shortestMs: 1_000, longestMs: 10_000 },
  gitlab: {
    shortestMs: 2_000,
    longestMs: 20_000,
    pointsPerMinute: 300,
    pointsPerWrite: 1,
    requestsPerLook: 2,
    // Its client makes no more requests than a minute takes, so that a run has to find room for its first ones.
    pointsPerStart: 10,
    contentsPerHour: Number.POSITIVE_INFINITY,
  },
  custom: { shortestMs: 1_000, longestMs: 10_000, contentsPerHour: Number.POSITIVE_INFINITY },
};

/** How long a thread is left alone whose webhooks have been heard and are quiet: some get lost. */
const sweepIntervalMs = 90_000;

/** One budget for all requests of a credential, and everybody who looks at comments with it. */
export function createHearing(
  kind: HearingKind,
  { doorbell = createDoorbell() }: Pick<ConnectOptions, 'doorbell'>,
): Hearing {
  const budget = createRequestBudget(paces[kind]);
  return {
    onRequest: budget.record,
    runWaitMs: budget.runWaitMs,
    listenOn: ({ openChanges }) => createCommentSources({ openChanges, budget, doorbell, sweepIntervalMs }),
  };
}
