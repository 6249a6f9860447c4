/** Kinds of failure that every platform has. */
export type CommonFailureKind =
  | 'server-error'
  | 'bad-gateway-html'
  | 'reset-connection'
  /** The work is done, then the connection is reset: the client can't know. */
  | 'reset-after-effect'
  /** 200 with JSON that is cut off. */
  | 'malformed-json'
  | 'slow'
  | 'unauthorized'
  /** Answers with `status`, whatever that means. */
  | 'refused';

/** A failure on demand. */
export interface DemandedFailure<Kind extends string = string> {
  /** Requests that are meant: method (any when left out) and a part or pattern of the path with query. */
  readonly method?: string;
  readonly path: string | RegExp;
  /** Number of requests that fail; default 1. */
  readonly times?: number;
  /** All but `reset-after-effect` and `slow` come instead of the request's effect. */
  readonly kind: Kind;
  /** For `slow`: how long; default 1,000. */
  readonly delayMs?: number;
  /** For limits: the Retry-After; default 60. */
  readonly retryAfterSeconds?: number;
  /** For `refused`, and for GitHub's limits; default 403. */
  readonly status?: number;
}

/** Failures that were asked for and have not all happened yet. */
export interface Failures<Failure extends DemandedFailure> {
  readonly add: (failure: Failure) => void;
  /** The failure that this request gets, used up by one; null for none. The one asked for first goes first; those without end go last. */
  readonly take: (request: { readonly method: string; readonly path: string }) => Failure | null;
}

/** No failures yet. */
export function createFailures<Failure extends DemandedFailure>(): Failures<Failure> {
  const waiting: { readonly failure: Failure; left: number }[] = [];
  return {
    add: (failure) => waiting.push({ failure, left: failure.times ?? 1 }),
    take: (request) => {
      const meant = waiting.filter(({ failure, left }) => left > 0 && isMeant(failure, request));
      const entry = meant.find(({ left }) => left !== Number.POSITIVE_INFINITY) ?? meant[0];
      if (!entry) return null;
      entry.left -= 1;
      return entry.failure;
    },
  };
}

function isMeant(
  failure: DemandedFailure,
  request: { readonly method: string; readonly path: string },
): boolean {
  if (failure.method && failure.method.toUpperCase() !== request.method) return false;
  if (typeof failure.path === 'string') return request.path.includes(failure.path);
  // `search` ignores the state that a pattern with the flag g or y keeps between tests.
  return request.path.search(failure.path) >= 0;
}
