import type { Logger } from '@agent/text';
import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectPort,
} from '@agent/text/options';
import { untilAborted } from '@agent/text/waiting';
import { unchangedListing } from '../listings/comment-listing.ts';
import type { CommentListing, RequestRecord } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { CommentSource } from '../ports.ts';
import {
  joinUses,
  noOthers,
  type ReportedUse,
  reportedUseSchema,
  toOthersUse,
  toReportedUse,
} from './reported-use.ts';
import {
  countContents,
  decideInterval,
  decideRunHolds,
  decideWait,
  type PollPace,
  type RequestKind,
  type RequestLimits,
  type RequestUse,
  type RunHold,
  type RunNeeds,
  recordUse,
  unused,
  urgentPollDelay,
} from './request-limits.ts';
import { openUseExchange, type SharedUse } from './shared-use.ts';

/** Options of a budget; each has a default. */
export interface RequestBudgetOptions extends Partial<RequestLimits>, Partial<PollPace>, Partial<RunNeeds> {
  /** Milliseconds since the epoch, as the platform's resets are; default `Date.now`. */
  readonly now?: () => number;
  /** Use that other processes make of the same credential. Default null: this process has it for itself. */
  readonly shared?: SharedUse | null | undefined;
  /** Names the credential among those that are shared; a fingerprint, never the credential. Default empty. */
  readonly credentialKey?: string | undefined;
  /** Waits between two reports to the others. Default a timer. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Default silent. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

const amount = expectNumber(0);
const part = expectNumber(0, { most: 1 });

const expectations: ExpectationsOf<RequestBudgetOptions> = {
  ...{ primary: expected.flag, reserve: part, share: part },
  ...{ pointsPerMinute: amount, pointsPerWrite: amount, contentsPerMinute: amount, requestsPerPoll: amount },
  ...{ requestsPerRun: amount, contentsPerRun: amount, pointsPerStart: amount, contentsPerHour: amount },
  ...{ shortestMs: amount, longestMs: amount },
  now: expected.function,
  shared: expectNullable(expected.object),
  credentialKey: { isMet: (value) => typeof value === 'string', text: 'a text', isSecret: true },
  sleep: expected.function,
  logger: expectPort('warn'),
};

/** One of those who poll comments on the same credential. */
export interface Poller {
  /** Milliseconds to leave between two polls, when nothing has changed for so long. */
  readonly intervalMs: (quietMs: number) => number;
  /** Resolves when what other processes used is known; null where there are none. Asked before a poll. */
  readonly refresh: () => Promise<void> | null;
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
  /** Lists the limits that leave no room for another run beside those that are `running`. */
  readonly runHolds: (running: number) => readonly RunHold[];
  /** Tells of the primary limit what the platform said last; a window that is over is whole again. Null before it said any. */
  readonly left: () => RequestsLeft | null;
  /** Tells how much can still be created within the hour; null without such a limit. */
  readonly contentsLeft: () => Omit<RequestsLeft, 'resetsAt'> | null;
  readonly open: () => Poller;
}

/** Requests that a credential still has. */
export interface RequestsLeft {
  readonly left: number;
  readonly limit: number;
  /** Milliseconds since the epoch at which all are there again; null where they are. */
  readonly resetsAt: number | null;
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
  checkOptions('RequestBudgetOptions', options, expectations);
  const {
    now = Date.now,
    primary = true,
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
  const limits = {
    primary,
    pointsPerMinute,
    pointsPerWrite,
    contentsPerMinute,
    reserve,
    share,
    requestsPerPoll,
  };
  const rules = { ...limits, shortestMs, longestMs };
  const pollers = new Set<Poller>();
  const used = openUse({ ...options, now, countPollers: () => pollers.size });
  const waitMs = (kind: RequestKind) => decideWait(used.all(), { kind, now: now() }, rules);
  return {
    record: used.record,
    waitMs,
    urgentDelayMs: () => Math.max(waitMs('poll'), urgentPollDelay(used.all(), now(), rules)),
    runHolds: (running) => {
      used.run(running);
      const runs = running + used.others().runs + 1;
      return decideRunHolds(used.all(), { runs, now: now() }, { ...needs, ...rules });
    },
    left: () => toLeft(used.all(), now()),
    contentsLeft: () => {
      if (!Number.isFinite(contentsPerHour)) return null;
      const written = countContents(used.all(), now());
      return { left: Math.max(0, contentsPerHour - written), limit: contentsPerHour };
    },
    open: () => {
      const countAll = () => pollers.size + used.others().pollers;
      const poller: Poller = {
        intervalMs: (quietMs) =>
          decideInterval(used.all(), { quietMs, pollers: countAll(), now: now() }, rules),
        refresh: used.refresh,
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

function toLeft({ primary }: RequestUse, now: number): RequestsLeft | null {
  if (primary === null) return null;
  const { limit, remaining, resetAt } = primary;
  return now >= resetAt
    ? { left: limit, limit, resetsAt: null }
    : { left: remaining, limit, resetsAt: resetAt };
}

type UseOptions = Pick<RequestBudgetOptions, 'shared' | 'credentialKey' | 'sleep' | 'logger'> & {
  readonly now: () => number;
  readonly countPollers: () => number;
};

/** Opens the use of a credential by this process and by all others, as far as it is known. */
function openUse({ shared = null, credentialKey: key = '', countPollers, ...options }: UseOptions) {
  const { now } = options;
  let [own, all] = [unused, unused];
  let others = noOthers;
  let runs = 0;
  const exchange = openUseExchange<ReportedUse>({
    ...{ ...options, shared, key, schema: reportedUseSchema },
    report: () => toReportedUse(own, { now: now(), pollers: countPollers(), runs }),
    onReports: (reports) => {
      others = toOthersUse(reports, now());
      all = joinUses([own, ...others.uses]);
    },
  });
  return {
    all: (): RequestUse => all,
    others: () => others,
    refresh: exchange.refresh,
    record: (record: RequestRecord) => {
      own = recordUse(own, { record, now: now() });
      all = others.uses.length === 0 ? own : joinUses([own, ...others.uses]);
      exchange.changed();
    },
    /** Notes how many runs are at work here; whoever asks for another one soon knows of the others. */
    run: (running: number) => {
      if (running !== runs) exchange.changed();
      runs = running;
      void exchange.refresh();
    },
  };
}

function refused(waitMs: number): PlatformError {
  return new PlatformError('The platform accepts no requests now. Retry after the time in retryAfterMs.', {
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
      const refreshed = poller.refresh();
      if (refreshed !== null) await untilAborted(refreshed, signal);
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
