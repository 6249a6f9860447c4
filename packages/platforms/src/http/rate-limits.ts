import { PlatformError } from '../platform-error.ts';
import type { ConnectionSettings } from './connection-options.ts';

const minuteMs = 60_000;

/** A request that is about to be made. */
interface PacedRequest {
  readonly isWrite: boolean;
  /** Longest wait, in milliseconds, for a place within the minute's requests; 0 for a call that never waits. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps requests from coming too fast. */
export interface Pace {
  /** Resolves when the request may be made. Rejects with `rate-limited` where that would take too long. */
  readonly enter: (request: PacedRequest) => Promise<void>;
}

/** Measures of a pace. */
export interface PaceOptions
  extends Pick<ConnectionSettings, 'writeSpacingMs' | 'monotonicNow' | 'sleep' | 'logger'> {
  readonly service: string;
  readonly maxRequestsPerMinute: number;
}

/** Leaves time between writes, and makes at most so many requests within any minute; places are given in turn. */
export function createPace(options: PaceOptions): Pace {
  const { maxRequestsPerMinute, writeSpacingMs, monotonicNow, sleep, logger } = options;
  let places: readonly number[] = [];
  let nextWrite = 0;
  return {
    enter: async ({ isWrite, maxWaitMs, signal }) => {
      const time = monotonicNow();
      const free = (places.at(-maxRequestsPerMinute) ?? Number.NEGATIVE_INFINITY) + minuteMs;
      if (free - time > maxWaitMs) throw spent(options, free - time);
      const place = Math.max(time, free, isWrite ? nextWrite : 0);
      if (isWrite) nextWrite = place + writeSpacingMs;
      places = [...places, place].sort((one, other) => one - other).slice(-maxRequestsPerMinute);
      if (place <= time) return;
      if (free > time) logger.warn({ waitMs: place - time }, 'waiting for request quota');
      await sleep(place - time, signal);
    },
  };
}

function spent({ service, maxRequestsPerMinute }: PaceOptions, waitMs: number): PlatformError {
  return new PlatformError(
    `${service}: the ${maxRequestsPerMinute} requests per minute are used up (maxRequestsPerMinute). Retry after the time in retryAfterMs.`,
    { code: 'rate-limited', retryAfterMs: waitMs },
  );
}

const longestPatience = 2;

/** A refusal by a rate limit, and how patient the call is. */
interface LimitedCall {
  /** Milliseconds that the server asks for. */
  readonly waitMs: number;
  /** Longest wait in milliseconds; 0 for a call that never waits. */
  readonly maxWaitMs: number;
  /** Number of times that this call has waited already. */
  readonly waits: number;
  readonly signal?: AbortSignal | undefined;
}

/** Waits until a limit is over; false at once where that takes too long or was done twice before. */
export async function waitOutLimit(
  { waitMs, maxWaitMs, waits, signal }: LimitedCall,
  { sleep, logger }: Pick<ConnectionSettings, 'sleep' | 'logger'>,
): Promise<boolean> {
  if (waits >= longestPatience || waitMs > maxWaitMs) return false;
  logger.warn({ waitMs }, 'waiting for rate limit');
  await sleep(waitMs, signal);
  return true;
}

const fallbackWaitMs = 60_000;

/** Reads how long a refusal asks to stay away, in milliseconds: by `Retry-After`, else until the reset, else a minute. */
export function toLimitWait(
  said: {
    /** `Retry-After` as received; its form of seconds only. */
    readonly retryAfter: string | number | undefined;
    /** When the limit begins anew, in seconds since the epoch; undefined where it was not the limit that ran out. */
    readonly resetSeconds: string | number | undefined;
  },
  now: number,
): number {
  const seconds = Number(said.retryAfter);
  if (said.retryAfter !== undefined && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const resetMs = Number(said.resetSeconds) * 1000;
  if (Number.isFinite(resetMs)) return Math.max(1000, resetMs - now + 1000);
  return fallbackWaitMs;
}
