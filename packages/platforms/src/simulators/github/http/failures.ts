import type { SimulatedFailure } from '../github-simulator.ts';

/** Failures that were asked for and have not all happened yet. */
export interface Failures {
  readonly add: (failure: SimulatedFailure) => void;
  /** The failure that this request gets, used up by one; null for none. The one asked for first goes first. */
  readonly take: (request: { readonly method: string; readonly path: string }) => SimulatedFailure | null;
}

/** No failures yet. */
export function createFailures(): Failures {
  const waiting: { readonly failure: SimulatedFailure; left: number }[] = [];
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
  failure: SimulatedFailure,
  request: { readonly method: string; readonly path: string },
): boolean {
  if (failure.method && failure.method.toUpperCase() !== request.method) return false;
  if (typeof failure.path === 'string') return request.path.includes(failure.path);
  // `search` ignores the state that a pattern with the flag g or y keeps between tests.
  return request.path.search(failure.path) >= 0;
}
