import type { CommentSource } from '@agent/platforms';
import type { VirtualClock } from './fleet-forge.ts';

/** Who asks a source for what is new. */
export interface Listener {
  /** Ids that were not met before; null where it must not look yet, or could not. */
  readonly check: () => Promise<readonly string[] | null>;
}

const spacingMs = 1_000;
const longestBackoffMs = 60_000;

/**
 * Asks as the manager does, by its rules of spacing and backoff, and remembers ids only: the manager's own work for
 * millions of checks would take longer than all that is measured.
 *
 * @see seed 001 §8.3
 */
export function createListener(source: CommentSource, clock: VirtualClock): Listener {
  const met = new Set<string>();
  let cursor: string | null = null;
  let notBefore = Number.NEGATIVE_INFINITY;
  let failures = 0;
  return {
    check: async () => {
      if (clock.time < notBefore) return null;
      notBefore = clock.time + spacingMs;
      try {
        const listing = await source.listComments({ since: cursor });
        cursor = listing.cursor;
        failures = 0;
        const added = listing.comments.flatMap(({ id }) => (met.has(id) ? [] : [id]));
        for (const id of added) met.add(id);
        return added;
      } catch (error) {
        const backoffMs = Math.min(spacingMs * 2 ** failures, longestBackoffMs);
        failures += 1;
        notBefore = clock.time + Math.max(backoffMs, readRetryAfterMs(error));
        return null;
      }
    },
  };
}

function readRetryAfterMs(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { readonly retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' ? retryAfterMs : 0;
}
