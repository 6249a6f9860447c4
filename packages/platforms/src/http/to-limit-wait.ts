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
