import type { ObserveBoard } from '@agent/orchestrator';

/** A fetch that tells the board of each answer. A request without an answer counts too. */
export function countRequests(
  fetch: typeof globalThis.fetch,
  options: { readonly platform: string; readonly observe: ObserveBoard },
): typeof globalThis.fetch {
  const { platform, observe } = options;
  return async (input, init) => {
    let status: number | null = null;
    try {
      const response = await fetch(input, init);
      status = response.status;
      return response;
    } finally {
      observe({ type: 'request', platform, unchanged: status === 304 });
    }
  };
}
