import { PlatformError } from '../platform-error.ts';
import type { ConnectionSettings } from './connection-options.ts';

/** A request that a server may refuse by a rate limit. */
export interface LimitedRequest {
  /** Requests that the server counts together: `core`, `search`. */
  readonly resource: string;
  readonly isWrite: boolean;
}

interface EnteringRequest extends LimitedRequest {
  /** Longest wait in milliseconds; 0 for a call that never waits. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Remembers until when a server refuses requests, so that none is sent before. */
export interface LimitMemory {
  /** Resolves when the request can be sent. Rejects with the earlier refusal if that takes too long. */
  readonly enter: (request: EnteringRequest) => Promise<void>;
  /** Takes note of a refusal. A refused write stops writes, a refused read stops both. */
  readonly note: (request: LimitedRequest, refusal: PlatformError) => void;
}

/** GitHub's longest window. A later time comes from a clock that is wrong. */
const longestMs = 3_601_000;

interface Refusal {
  readonly until: number;
  readonly error: PlatformError;
}

/** Creates the memory of one connection. */
export function createLimitMemory({
  monotonicNow,
  sleep,
}: Pick<ConnectionSettings, 'monotonicNow' | 'sleep'>): LimitMemory {
  const refusals = new Map<string, Refusal>();
  const toKey = ({ resource, isWrite }: LimitedRequest) => `${resource} ${isWrite ? 'writes' : 'all'}`;
  const findLast = ({ resource, isWrite }: LimitedRequest): Refusal | null => {
    const all = refusals.get(toKey({ resource, isWrite: false })) ?? null;
    const writes = isWrite ? (refusals.get(toKey({ resource, isWrite })) ?? null) : null;
    if (all === null || writes === null) return all ?? writes;
    return all.until > writes.until ? all : writes;
  };
  return {
    enter: async ({ maxWaitMs, signal, ...request }) => {
      const last = findLast(request);
      const waitMs = last === null ? 0 : last.until - monotonicNow();
      if (last === null || waitMs <= 0) return;
      if (waitMs <= maxWaitMs) return sleep(waitMs, signal);
      const { message, code } = last.error;
      throw new PlatformError(message, { code, retryAfterMs: waitMs, cause: last.error });
    },
    note: (request, error) => {
      const waitMs = Math.min(error.retryAfterMs ?? 0, longestMs);
      if (error.code === 'rate-limited' && waitMs > 0)
        refusals.set(toKey(request), { until: monotonicNow() + waitMs, error });
    },
  };
}

/** Checks whether the headers of a refusal name the time after which the server accepts requests again. */
export function namesTime(error: unknown): boolean {
  const { response } = (error ?? {}) as { response?: { headers?: Readonly<Record<string, unknown>> } };
  const headers = response?.headers ?? {};
  const isSpent = String(headers['x-ratelimit-remaining']) === '0';
  return (
    headers['retry-after'] !== undefined ||
    headers['ratelimit-reset'] !== undefined ||
    (isSpent && headers['x-ratelimit-reset'] !== undefined)
  );
}
