import type { RequestRecord } from '../model.ts';

/** What a credential may do, and how much of it looking for comments may take. */
export interface RequestLimits {
  /** Reads are 1 point each; default 900, GitHub's secondary limit. */
  readonly pointsPerMinute: number;
  /** Default 5, as on GitHub. */
  readonly pointsPerWrite: number;
  /** Issues, comments and pull requests created; default 80, GitHub's secondary limit. */
  readonly contentsPerMinute: number;
  /** Part of the primary limit that looking leaves to writes and to the runs themselves; default 0.2. */
  readonly reserve: number;
  /** Part of what is then left that looking may take; default 0.5. */
  readonly share: number;
  /** Requests that one look takes; default 1. GitLab lists issues and merge requests apart, so there it is 2. */
  readonly requestsPerLook: number;
}

/**
 * A request that is about to be made. Routine looks can wait; a needed one (the first at a thread, or a fresh one as
 * before a run's end) comes first, as do the reads and writes of a run.
 */
export type RequestKind = 'look' | 'needed-look' | 'read' | 'write' | 'content';

/** What is known of a credential's use. */
export interface RequestUse {
  /** What the platform last said of the primary limit; null before it did. */
  readonly primary: { readonly limit: number; readonly remaining: number; readonly resetAt: number } | null;
  /** When issues, comments and pull requests were created within the last hour, oldest first. */
  readonly contents: readonly number[];
  /** Requests of the last minute, oldest first. */
  readonly minute: readonly { readonly at: number; readonly kind: RequestKind }[];
  /** Until when the platform refuses everything. */
  readonly refusedUntil: number;
  /** Looks so far, and those of them that counted against the primary limit; old ones count less. */
  readonly looks: { readonly all: number; readonly counted: number };
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
  looks: { all: 0, counted: 0 },
};

/**
 * How long, in milliseconds, a request has to wait; 0 where it may be made now. A needed look waits for the platform's
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

/** What runs are expected to need of a credential's limits. */
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

/** How long, in milliseconds, until the limits bear so many runs at the same time; 0 where they do. */
export function decideRunWait(
  use: RequestUse,
  { runs, now }: { readonly runs: number; readonly now: number },
  {
    requestsPerRun,
    contentsPerRun,
    pointsPerStart,
    contentsPerHour,
    pointsPerMinute,
  }: RunNeeds & RequestLimits,
): number {
  const { primary, contents, refusedUntil } = use;
  // Where the limits are smaller than one run's needs, one run may still begin while they are whole.
  const isSpent = primary !== null && now < primary.resetAt && primary.remaining < runs * requestsPerRun;
  const isWhole = primary !== null && primary.remaining >= primary.limit * almostWhole;
  const tooMany = contents.length + runs * contentsPerRun - contentsPerHour;
  const freed = contents[Math.min(tooMany, contents.length) - 1];
  const start = { now, cost: pointsPerStart, limit: pointsPerMinute, of: () => 1 };
  return Math.max(
    0,
    refusedUntil - now,
    isSpent && !isWhole ? primary.resetAt - now : 0,
    freed === undefined ? 0 : freed + hourMs - now,
    pointsPerStart > 0 ? windowWait(use, start) : 0,
  );
}

function minuteWait(
  use: RequestUse,
  { kind, now }: { readonly kind: RequestKind; readonly now: number },
  { pointsPerMinute, pointsPerWrite, contentsPerMinute, share }: RequestLimits,
): number {
  if (kind === 'needed-look') return 0;
  const pointsOf = (one: RequestKind) => (one === 'write' || one === 'content' ? pointsPerWrite : 1);
  const cost = kind === 'look' ? pointsPerMinute * (1 - share) + 1 : pointsOf(kind);
  const points = windowWait(use, { now, cost, limit: pointsPerMinute, of: pointsOf });
  if (kind !== 'content') return points;
  const isContent = (one: RequestKind) => (one === 'content' ? 1 : 0);
  return Math.max(points, windowWait(use, { now, cost: 1, limit: contentsPerMinute, of: isContent }));
}

function primaryWait(
  { primary }: RequestUse,
  { kind, now }: { readonly kind: RequestKind; readonly now: number },
  { reserve }: RequestLimits,
): number {
  if (primary === null || now >= primary.resetAt) return 0;
  const kept = kind === 'look' ? primary.limit * reserve : 0;
  return primary.remaining > kept ? 0 : primary.resetAt - now;
}

/** How long, in milliseconds, until so much of the last minute has passed that the cost fits in. */
export function windowWait(
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
    if (used + cost > limit && of(kind) > 0) return at + minuteMs - now;
  }
  return 0;
}

/** What is known after a request. */
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
  const looks = kind === 'look' ? countLook(use.looks, record.counted) : use.looks;
  return { primary, contents, minute, refusedUntil, looks };
}

/** Listings of comments are looks, whoever makes them. */
function kindOf({ method, route }: RequestRecord): RequestKind {
  if (method === 'GET') return /\/(?:comments|notes)$/u.test(route) ? 'look' : 'read';
  return method === 'POST' && /\/(?:comments|notes|issues|pulls|merge_requests)$/u.test(route)
    ? 'content'
    : 'write';
}

function countLook({ all, counted }: RequestUse['looks'], isCounted: boolean): RequestUse['looks'] {
  const half = all >= 200 ? 0.5 : 1;
  return { all: all * half + 1, counted: counted * half + (isCounted ? 1 : 0) };
}
