const passing: ReadonlySet<unknown> = new Set(['unavailable', 'rate-limited']);

/** Whether an error of a platform or of git goes away by itself, so that the same call is worth another try later. */
export function isPassing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && passing.has(error.code);
}

/** How long a passing error asks to wait, in milliseconds; 0 where it does not say. */
export function retryAfterMsOf(error: unknown): number {
  const wanted = (error as { retryAfterMs?: unknown } | null)?.retryAfterMs;
  return typeof wanted === 'number' ? wanted : 0;
}
