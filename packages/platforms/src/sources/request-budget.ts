import { unchangedListing } from '../comment-listing.ts';
import type { CommentListing, RequestRecord } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { CommentSource } from '../ports.ts';
import {
  decideInterval,
  decideRunWait,
  decideWait,
  type PollPace,
  type RequestKind,
  type RequestLimits,
  type RequestUse,
  type RunNeeds,
  recordUse,
  unused,
  urgentPollDelay,
} from './request-limits.ts';

/** Options of a budget; each has a default. */
export interface RequestBudgetOptions extends Partial<RequestLimits>, Partial<PollPace>, Partial<RunNeeds> {
  /** Milliseconds since the epoch, as the platform's resets are; default `Date.now`. */
  readonly now?: () => number;
}

/** One of those who poll comments on the same credential. */
export interface Poller {
  /** Milliseconds to leave between two polls, when nothing has changed for so long. */
  readonly intervalMs: (quietMs: number) => number;
  /**
   * Tells whether a poll is due. A routine one is not while its share of the minute or the hour is used up; a needed one,
   * the first of a thread or a fresh one, always is.
   *
   * @throws PlatformError `rate-limited` where the platform itself takes no requests now
   */
  readonly admit: (poll: { readonly isNeeded: boolean }) => boolean;
  readonly close: () => void;
}

/** The requests of one credential, shared by everything that uses it. */
export interface RequestBudget {
  /** Give it to the platform's option `onRequest`, so that every request is counted. */
  readonly record: (record: RequestRecord) => void;
  /** Tells how long, in milliseconds, such a request has to wait now; 0 for not at all. */
  readonly waitMs: (kind: RequestKind) => number;
  /** Tells how long, in milliseconds, a poll has to wait that a doorbell asks for; 0 for not at all. */
  readonly urgentDelayMs: () => number;
  /**
   * Tells how long, in milliseconds, a run has to wait before it begins, so that the requests which are left are enough for
   * it and for those that are `running`; 0 for not at all.
   */
  readonly runWaitMs: (running: number) => number;
  readonly open: () => Poller;
}

/**
 * Keeps those who poll within their share of a credential's limits, so that writes and runs always find room: the
 * primary limit by the platform's own headers, the secondary ones by counting.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 * @example
 * const budget = createRequestBudget();
 * const platform = createGitHubPlatform({ token, repositories: ['octo/hello'], onRequest: budget.record });
 * budget.waitMs('write'); // 0, as long as the limits allow it
 */
export function createRequestBudget(options: RequestBudgetOptions = {}): RequestBudget {
  const {
    now = Date.now,
    pointsPerMinute = 900,
    pointsPerWrite = 5,
    contentsPerMinute = 80,
    reserve = 0.2,
    share = 0.5,
    requestsPerPoll = 1,
  } = options;
  const { requestsPerRun = 30, contentsPerRun = 3, pointsPerStart = 0, contentsPerHour = 500 } = options;
  const needs = { requestsPerRun, contentsPerRun, pointsPerStart, contentsPerHour };
  const { shortestMs = 10_000, longestMs = 90_000 } = options;
  const limits = { pointsPerMinute, pointsPerWrite, contentsPerMinute, reserve, share, requestsPerPoll };
  const rules = { ...limits, shortestMs, longestMs };
  const pollers = new Set<Poller>();
  let use: RequestUse = unused;
  const waitMs = (kind: RequestKind) => decideWait(use, { kind, now: now() }, rules);
  return {
    record: (record) => {
      use = recordUse(use, { record, now: now() });
    },
    waitMs,
    urgentDelayMs: () => Math.max(waitMs('poll'), urgentPollDelay(use, now(), rules)),
    runWaitMs: (running) => decideRunWait(use, { runs: running + 1, now: now() }, { ...needs, ...rules }),
    open: () => {
      const poller: Poller = {
        intervalMs: (quietMs) => decideInterval(use, { quietMs, pollers: pollers.size, now: now() }, rules),
        admit: ({ isNeeded }) => {
          const refusedMs = waitMs('needed-poll');
          if (refusedMs > 0) throw refused(refusedMs);
          return isNeeded || waitMs('poll') === 0;
        },
        close: () => void pollers.delete(poller),
      };
      pollers.add(poller);
      return poller;
    },
  };
}

function refused(waitMs: number): PlatformError {
  return new PlatformError('The platform takes no requests now. Ask again after the time in retryAfterMs.', {
    code: 'rate-limited',
    retryAfterMs: Math.ceil(waitMs),
  });
}

/** Budget that polls are paid from, and the clock that measures them. */
export interface WithRequestBudgetOptions {
  readonly budget: RequestBudget;
  /** Milliseconds of a clock that only moves forward; default `performance.now`. */
  readonly now?: () => number;
}

/** A source that polls no more often than its credential can bear. */
export interface BudgetedCommentSource extends CommentSource {
  /** Leaves its part of the limits to the others. */
  readonly close: () => void;
}

/**
 * Stands for the source that it asks. Within an interval that grows with the thread's quiet it answers "unchanged"
 * without a request, as it does while the share of routine polls is used up. A fresh poll (a doorbell's, or the last
 * of a run) and the first are made at once. It rejects with `rate-limited` where the platform takes no requests now.
 *
 * @example
 * const source = withRequestBudget(platform.openThread(key).comments, { budget: createRequestBudget() });
 */
export function withRequestBudget(
  source: CommentSource,
  { budget, now = () => performance.now() }: WithRequestBudgetOptions,
): BudgetedCommentSource {
  const poller = budget.open();
  let changedAt = now();
  let last: { readonly beganAt: number; readonly cursor: string | null } | null = null;
  return {
    listComments: async (question) => {
      const { since, fresh = false, signal } = question;
      signal?.throwIfAborted();
      const beganAt = now();
      const isNeeded = fresh || last === null || since !== last.cursor;
      const isEarly = last !== null && beganAt - last.beganAt < poller.intervalMs(beganAt - changedAt);
      if (!isNeeded && isEarly) return unchangedListing(since);
      if (!poller.admit({ isNeeded })) return unchangedListing(since);
      const listing = await source.listComments(question);
      const isFirst = last === null;
      if (!isFirst && isNews(listing)) changedAt = now();
      last = { beganAt, cursor: listing.cursor };
      return listing;
    },
    close: poller.close,
  };
}

function isNews({ unchanged, comments }: CommentListing): boolean {
  return !unchanged && comments.length > 0;
}
