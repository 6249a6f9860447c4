/** What every failure on demand says, whatever its kinds are. */
export interface DemandedFailure {
  readonly method?: string;
  readonly path: string | RegExp;
  readonly times?: number;
  readonly kind: string;
  readonly delayMs?: number;
}

/** Failures that were asked for and have not all happened yet. */
export interface Failures<Failure extends DemandedFailure> {
  readonly add: (failure: Failure) => void;
  /** The failure that this request gets, used up by one; null for none. The one asked for first goes first. */
  readonly take: (request: { readonly method: string; readonly path: string }) => Failure | null;
}

/** No failures yet. */
export function createFailures<Failure extends DemandedFailure>(): Failures<Failure> {
  const waiting: { readonly failure: Failure; left: number }[] = [];
  return {
    add: (failure) => waiting.push({ failure, left: failure.times ?? 1 }),
    take: (request) => {
      const entry = waiting.find(({ failure, left }) => left > 0 && isMeant(failure, request));
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
