import type { ConnectionSettings } from './connection-options.ts';

const longestPatience = 2;

/** A refusal by a rate limit, and how patient the call is. */
export interface LimitedCall {
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
  logger.warn({ waitMs }, 'waiting for a rate limit');
  await sleep(waitMs, signal);
  return true;
}
