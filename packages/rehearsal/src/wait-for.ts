/** Time, for a rehearsal. */
export interface RehearsalClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after this long; rejects if the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Options of a wait. */
export interface WaitOptions {
  readonly clock: RehearsalClock;
  /** Longest wait in milliseconds. */
  readonly patienceMs: number;
  /** Milliseconds between two attempts. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

/**
 * Calls a function until it finds something.
 *
 * @returns null if there is nothing within `patienceMs`
 */
export async function waitFor<Found>(
  find: () => Promise<Found | null>,
  { clock, patienceMs, intervalMs, signal }: WaitOptions,
): Promise<Found | null> {
  const endAt = clock.now() + patienceMs;
  for (;;) {
    signal.throwIfAborted();
    const found = await find();
    if (found !== null) return found;
    if (clock.now() >= endAt) return null;
    await clock.sleep(intervalMs, signal);
  }
}
