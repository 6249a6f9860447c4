import type { RequestRecord } from '../model.ts';

/** Limits of a credential, and the part of them that polls of comments may take. */
export interface RequestLimits {
  /** False: the primary limit holds nothing back before the platform refuses. Default true. */
  readonly primary: boolean;
  /** Reads are 1 point each; default 900, GitHub's secondary limit. */
  readonly pointsPerMinute: number;
  /** Default 5, as on GitHub. */
  readonly pointsPerWrite: number;
  /** Issues, comments and pull requests created; default 80, GitHub's secondary limit. */
  readonly contentsPerMinute: number;
  /** Part of the primary limit that polling leaves to writes and to the runs themselves; default 0.2. */
  readonly reserve: number;
  /** Part of what is then left that polling may take; default 0.5. */
  readonly share: number;
  /** Requests that one poll takes; default 1. GitLab lists issues and merge requests apart, so there it is 2. */
  readonly requestsPerPoll: number;
}

/**
 * A request that is about to be made. Routine polls can wait; a needed one (the first of a thread, or a fresh one as
 * before a run's end) comes first, as do the reads and writes of a run.
 */
export type RequestKind = 'poll' | 'needed-poll' | 'read' | 'write' | 'content';

/** Use of a credential, as far as it is known. */
export interface RequestUse {
  /** The primary limit as the platform last told it; null before it did. */
  readonly primary: { readonly limit: number; readonly remaining: number; readonly resetAt: number } | null;
  /** When issues, comments and pull requests were created within the last hour, oldest first. */
  readonly contents: readonly number[];
  /** Requests of the last minute, oldest first. */
  readonly minute: readonly { readonly at: number; readonly kind: RequestKind }[];
  /** Until when the platform refuses everything. */
  readonly refusedUntil: number;
  /** Polls so far, and those of them that counted against the primary limit; old ones count less. */
  readonly polls: { readonly all: number; readonly counted: number };
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** A window of the primary limit that has hardly been used. */
const almostWhole = 0.9;

/** Nothing was asked yet. */
export const unused: RequestUse = {
  primary: null,
  contents: [],
  minute: [],
  refusedUntil: 0,
  polls: { all: 0, counted: 0 },
};

/**
 * Decides how long, in milliseconds, a request has to wait; 0 where it may be made now. A needed poll waits for the platform's
 * own refusals alone: to end a run without it costs more than a request above the share.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#calculating-points-for-the-secondary-rate-limit
 */
export function decideWait(
  use: RequestUse,
  asked: { kind: RequestKind; now: number },
  limits: RequestLimits,
) {
  const { refusedUntil } = use;
  return Math.max(
    0,
    refusedUntil - asked.now,
    primaryWait(use, asked, limits),
    minuteWait(use, asked, limits),
  );
}

/** Needs of a run that are expected of a credential's limits. */
export interface RunNeeds {
  /** Requests from a run's first to its last; default 30. */
  readonly requestsPerRun: number;
  /** Comments and pull requests that a run creates; default 3. */
  readonly contentsPerRun: number;
  /** Points that a run takes at once when it begins; default 0, where the platform's minute bears any burst. */
  readonly pointsPerStart: number;
  /** Issues, comments and pull requests created; default 500, GitHub's secondary limit. */
  readonly contentsPerHour: number;
}

/** A limit that has no room for another run. */
export interface RunHold {
  /** `requests_minute`: a minute whose points we count ourselves; it never lasts longer. */
  readonly cause: 'requests_primary' | 'requests_secondary' | 'content_writes' | 'requests_minute';
  /** Milliseconds until there is room. */
  readonly waitMs: number;
}

/** Lists the limits that have no room for this number of runs at the same time, each with its wait. */
export function decideRunHolds(
  use: RequestUse,
  { runs, now }: { readonly runs: number; readonly now: number },
  {
    requestsPerRun,
    contentsPerRun,
    pointsPerStart,
    contentsPerHour,
    pointsPerMinute,
    primary: isPrimaryKept,
  }: RunNeeds & RequestLimits,
): readonly RunHold[] {
  const { contents, refusedUntil } = use;
  const primary = isPrimaryKept ? use.primary : null;
  // Where the limits are smaller than one run's needs, one run may still begin while they are whole.
  const isSpent = primary !== null && now < primary.resetAt && primary.remaining < runs * requestsPerRun;
  const isWhole = primary !== null && primary.remaining >= primary.limit * almostWhole;
  const tooMany = contents.length + runs * contentsPerRun - contentsPerHour;
  const freed = contents[Math.min(tooMany, contents.length) - 1];
  const start = { now, cost: pointsPerStart, limit: pointsPerMinute, of: () => 1 };
  const holds: readonly RunHold[] = [
    { cause: 'requests_secondary', waitMs: refusedUntil - now },
    { cause: 'requests_primary', waitMs: isSpent && !isWhole ? primary.resetAt - now : 0 },
    { cause: 'content_writes', waitMs: freed === undefined ? 0 : freed + hourMs - now },
    { cause: 'requests_minute', waitMs: pointsPerStart > 0 ? windowWait(use, start) : 0 },
  ];
  return holds.filter(({ waitMs }) => waitMs > 0);
}

/** Counts what was created within the last hour. */
export function countContents({ contents }: RequestUse, now: number): number {
  return contents.filter((at) => at > now - hourMs).length;
}

function minuteWait(
  use: RequestUse,
  { kind, now }: { readonly kind: RequestKind; readonly now: number },
  { pointsPerMinute, pointsPerWrite, contentsPerMinute, share }: RequestLimits,
): number {
  if (kind === 'needed-poll') return 0;
  const pointsOf = (one: RequestKind) => (one === 'write' || one === 'content' ? pointsPerWrite : 1);
  const cost = kind === 'poll' ? pointsPerMinute * (1 - share) + 1 : pointsOf(kind);
  const points = windowWait(use, { now, cost, limit: pointsPerMinute, of: pointsOf });
  if (kind !== 'content') return points;
  const isContent = (one: RequestKind) => (one === 'content' ? 1 : 0);
  return Math.max(points, windowWait(use, { now, cost: 1, limit: contentsPerMinute, of: isContent }));
}

function primaryWait(
  { primary }: RequestUse,
  { kind, now }: { readonly kind: RequestKind; readonly now: number },
  { reserve, primary: isPrimaryKept }: RequestLimits,
): number {
  if (!isPrimaryKept || primary === null || now >= primary.resetAt) return 0;
  const kept = kind === 'poll' ? primary.limit * reserve : 0;
  return primary.remaining > kept ? 0 : primary.resetAt - now;
}

/** Measures how long, in milliseconds, until so much of the last minute has passed that the cost fits in. */
function windowWait(
  { minute }: RequestUse,
  window: {
    readonly now: number;
    readonly cost: number;
    readonly limit: number;
    readonly of: (kind: RequestKind) => number;
  },
): number {
  const { now, cost, limit, of } = window;
  let used = 0;
  for (const { at, kind } of minute.toReversed()) {
    if (at <= now - minuteMs) break;
    used += of(kind);
    if (used + cost > limit) return at + minuteMs - now;
  }
  return 0;
}

/** Adds a request to the use that is known. */
export function recordUse(
  use: RequestUse,
  { record, now }: { readonly record: RequestRecord; readonly now: number },
): RequestUse {
  const kind = kindOf(record);
  const { limits = null } = record;
  const minute = [...use.minute.filter(({ at }) => at > now - minuteMs), { at: now, kind }];
  const contents = use.contents.filter((at) => at > now - hourMs);
  if (kind === 'content') contents.push(now);
  const primary = limits?.primary ?? use.primary;
  const refusedUntil = Math.max(use.refusedUntil, now + (limits?.retryAfterMs ?? 0));
  const polls = kind === 'poll' ? countPoll(use.polls, record.counted) : use.polls;
  return { primary, contents, minute, refusedUntil, polls };
}

/** Listings of comments are polls, whoever makes them. */
function kindOf({ method, route }: RequestRecord): RequestKind {
  if (method === 'GET') return /\/(?:comments|notes)$/u.test(route) ? 'poll' : 'read';
  return method === 'POST' && /\/(?:comments|notes|issues|pulls|merge_requests)$/u.test(route)
    ? 'content'
    : 'write';
}

function countPoll({ all, counted }: RequestUse['polls'], isCounted: boolean): RequestUse['polls'] {
  const half = all >= 200 ? 0.5 : 1;
  return { all: all * half + 1, counted: counted * half + (isCounted ? 1 : 0) };
}

/** Bounds of the time between two polls. */
export interface PollPace {
  /** Milliseconds between two polls of what is busy; default 10,000. */
  readonly shortestMs: number;
  /** Milliseconds between two polls of what has long been quiet, while the limits allow them; default 90,000. */
  readonly longestMs: number;
}

/** Part of its quiet that a thread is left alone for: after a minute ten seconds, after nine minutes ninety. */
const quietShare = 1 / 6;
/** As long as fewer polls were made, each is taken for one that counts. */
const enoughPolls = 20;

/**
 * Decides how long, in milliseconds, one of several pollers leaves between two polls: longer the quieter it is, and so long
 * that all of them together stay within their share of the limits.
 */
export function decideInterval(
  use: RequestUse,
  asked: { readonly quietMs: number; readonly pollers: number; readonly now: number },
  rules: RequestLimits & PollPace,
): number {
  const { shortestMs, longestMs, pointsPerMinute, share, requestsPerPoll } = rules;
  const wanted = Math.min(Math.max(asked.quietMs * quietShare, shortestMs), longestMs);
  const bySecondary = (asked.pollers * requestsPerPoll * minuteMs) / (pointsPerMinute * share);
  return Math.max(wanted, bySecondary, byPrimary(use, asked, rules));
}

/** An answer that did not change is free, so that only the part of the polls that counts is spread over the time that is left. */
function byPrimary(
  { primary, polls }: RequestUse,
  { pollers, now }: { readonly pollers: number; readonly now: number },
  { reserve, share, primary: isPrimaryKept }: RequestLimits,
): number {
  if (!isPrimaryKept || primary === null || now >= primary.resetAt) return 0;
  const left = (primary.remaining - primary.limit * reserve) * share;
  const timeMs = primary.resetAt - now;
  const countedShare = polls.all < enoughPolls ? 1 : polls.counted / polls.all;
  return left <= 0 ? timeMs : Math.min(timeMs, (pollers * countedShare * timeMs) / left);
}

/** Part of an even spread that may be missing before a poll waits, so that a few polls never do. */
const slack = 0.05;

/**
 * Decides how long, in milliseconds, a poll that a doorbell asks for has to wait; 0 where it may be made now. As long as no
 * more is spent than an even spread over the window allows, nothing waits. Beyond that no minute takes more requests
 * than an even spread of what is left, polls included and however many requests a poll takes: a storm of webhooks
 * must not use up what is needed to hear anything at all. Where nothing is left for polls, `decideWait` has them wait.
 */
export function urgentPollDelay(
  use: RequestUse,
  now: number,
  { reserve, primary: isPrimaryKept }: RequestLimits,
): number {
  const { primary } = use;
  if (!isPrimaryKept || primary === null || now >= primary.resetAt) return 0;
  const { limit, remaining, resetAt } = primary;
  const spendable = limit * (1 - reserve);
  const left = remaining - limit * reserve;
  const leftMs = resetAt - now;
  if (left >= (spendable * (1 - slack) * leftMs) / hourMs) return 0;
  const perMinute = Math.max(1, (left * minuteMs) / leftMs);
  return windowWait(use, { now, cost: 1, limit: perMinute, of: (kind) => (kind === 'poll' ? 1 : 0) });
}
