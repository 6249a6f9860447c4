const passing: ReadonlySet<unknown> = new Set(['unavailable', 'rate-limited']);

/**
 * Whether an error of a platform or of git says nothing of the task, so that the same call is worth another try later: it
 * goes away by itself, or is a state of our credential, which an operator mends for all tasks at once.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, scope } = error as { code?: unknown; scope?: unknown };
  return passing.has(code) || scope === 'credential';
}

/** How long a passing error asks to wait, in milliseconds; 0 where it does not say. */
export function retryAfterMsOf(error: unknown): number {
  const wanted = (error as { retryAfterMs?: unknown } | null)?.retryAfterMs;
  return typeof wanted === 'number' ? wanted : 0;
}
