/**
 * When requests to a platform are slow. GitHub and GitLab answer within 0.1 to 0.8 s, and a list of many comments within 1.5 s: a median
 * of the last ten above 2 s is a fault of the platform or of the way to it, if they came within five minutes; ten requests keep single
 * outliers out. It ends at half of that, so that a platform near the limit is not reported again and again; and after a quarter of an hour
 * without a request nothing is known any more.
 */
const slowRequests = {
  windowMs: 5 * 60_000,
  requests: 10,
  slowMs: 2_000,
  fastMs: 1_000,
  quietMs: 15 * 60_000,
} as const;

/** A request to a platform that was answered, or timed out. */
export interface TimedRequest {
  /** Platform, such as `github`. */
  readonly platform: string;
  /** Class of its route: `issues.list`. */
  readonly route: string;
  readonly durationMs: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
}

/** A platform or a model that takes long. */
export interface Slowness {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Names what takes long, with figures. */
  readonly reason: string;
  /** Median or longest duration, by which the worst of several processes is found. */
  readonly measuredMs: number;
}

interface RouteTimes {
  /** The oldest first. */
  readonly requests: readonly TimedRequest[];
  /** Start of the first slow request; null while requests are fast. */
  readonly slowSince: number | null;
}

/**
 * Finds out which platforms answer slowly, and since when.
 *
 * @example
 * const times = new ResponseTimes();
 * times.add({ platform: 'github', route: 'issues.list', durationMs: 2_600, at: Date.now() });
 * times.findSlow('github', Date.now());
 */
export class ResponseTimes {
  /** By platform, then by class of route. */
  readonly #platforms = new Map<string, Map<string, RouteTimes>>();

  get platforms(): readonly string[] {
    return [...this.#platforms.keys()];
  }

  add(request: TimedRequest): void {
    const routes = this.#platforms.get(request.platform) ?? new Map<string, RouteTimes>();
    const before = routes.get(request.route) ?? { requests: [], slowSince: null };
    this.#platforms.set(request.platform, routes.set(request.route, withRequest(before, request)));
  }

  /** Describes the slowest class of routes of a platform; null if none is slow. `now`: milliseconds since 1970. */
  findSlow(platform: string, now: number): Slowness | null {
    const routes = this.#platforms.get(platform) ?? new Map<string, RouteTimes>();
    for (const [route, { requests }] of routes)
      if (now - (requests.at(-1)?.at ?? 0) > slowRequests.quietMs) routes.delete(route);
    const slow = [...routes].flatMap(([route, times]) => describeSlow(route, times) ?? []);
    const [worst] = slow.toSorted((one, other) => other.measuredMs - one.measuredMs);
    return worst === undefined ? null : { ...worst, since: Math.min(...slow.map(({ since }) => since)) };
  }
}

function withRequest({ requests: before, slowSince }: RouteTimes, request: TimedRequest): RouteTimes {
  const { requests: count, windowMs, slowMs, fastMs, quietMs } = slowRequests;
  const isQuiet = request.at - (before.at(-1)?.at ?? request.at) > quietMs;
  const requests = [...(isQuiet ? [] : before), request].slice(-count);
  const median = findMedian(requests);
  if (!isQuiet && slowSince !== null) return { requests, slowSince: median < fastMs ? null : slowSince };
  const isKnown = requests.length === count && request.at - (requests[0]?.at ?? 0) <= windowMs;
  if (!isKnown || median <= slowMs) return { requests, slowSince: null };
  const first = requests.find(({ durationMs }) => durationMs > slowMs) ?? request;
  return { requests, slowSince: first.at - first.durationMs };
}

function describeSlow(route: string, { requests, slowSince }: RouteTimes): Slowness | null {
  if (slowSince === null) return null;
  const measuredMs = findMedian(requests);
  const reason = `${route} takes ${(measuredMs / 1_000).toFixed(1)} s (median of the last ${requests.length} requests)`;
  return { since: slowSince, reason, measuredMs };
}

function findMedian(requests: readonly TimedRequest[]): number {
  const sorted = requests.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}
